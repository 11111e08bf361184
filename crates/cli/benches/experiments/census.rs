//! Tables of 100,000 to 500,000 records, drawn from a network fitted to Adult.

use std::path::Path;

use haggle::search::{Instant, InstantAsk, InstantOptions};
use haggle::{Ask, Privacy, Project};
use tempfile::TempDir;

/// The quasi-identifiers of the published experiments, in their order; occupation takes the place
/// of salary as the sensitive attribute.
pub(crate) const QUASI: [&str; 7] =
    ["age", "sex", "education", "marital-status", "race", "workclass", "native-country"];

/// The largest table; smaller ones are its first records.
const MOST: usize = 500_000;

/// A folder of tables.
pub(crate) struct Census {
    folder: TempDir,
}

impl Census {
    /// Fits a network to all of Adult and draws the tables.
    pub(crate) fn draw() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = format!("{}/../../data/adult", env!("CARGO_MANIFEST_DIR"));
        let embedded = std::fs::read_to_string(format!("{data}/haggle.toml")).expect("it is there");
        let columns = embedded.split("columns = [").nth(1).and_then(|rest| rest.split(']').next());
        let source = format!(
            "path = \"{data}/adult.data.gz\"\nheader = false\ncolumns = [{}]\nmissing = [\"?\"]\non_missing = \"drop\"",
            columns.expect("it names its columns")
        );
        write(folder.path(), "fitted.toml", &source, &data);
        let project = Project::open(folder.path().join("fitted.toml"));
        let project = project.expect("it is sound");
        let options = InstantOptions {
            summary: "bayes-greedy".into(),
            sample: usize::MAX / 2,
            ..InstantOptions::default()
        };
        let privacy = vec![Privacy::new("frequency-l-diversity", 2.0)];
        let ask = InstantAsk { ask: Ask { privacy, ..Ask::default() }, ..InstantAsk::default() };
        let fitted = Instant::open(&project, &ask, &options).expect("it can be summarized");
        let text = fitted.synthesize(MOST, 42);
        for records in [100_000, 200_000, 300_000, 400_000, 500_000] {
            let end = text.match_indices('\n').nth(records).map_or(text.len(), |(at, _)| at + 1);
            let file = format!("{records}.csv");
            std::fs::write(folder.path().join(&file), &text[..end]).expect("it can be written");
            write(folder.path(), &format!("{records}.toml"), &format!("path = \"{file}\""), &data);
        }
        Self { folder }
    }

    /// The table of this many records.
    pub(crate) fn file(&self, records: usize) -> std::path::PathBuf {
        self.folder.path().join(format!("{records}.csv"))
    }

    /// The project on a table of this many records.
    pub(crate) fn project(&self, records: usize) -> Project {
        let file = self.folder.path().join(format!("{records}.toml"));
        Project::open(&file).expect("it is sound")
    }
}

fn write(folder: &Path, name: &str, source: &str, data: &str) {
    let attribute = |name: &&str| {
        format!(
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = \"{data}/hierarchies/{name}.csv\"\n"
        )
    };
    let attributes: String = QUASI.iter().map(attribute).collect();
    let text = format!(
        "[data]\n{source}\n{attributes}[[attribute]]\nname = \"occupation\"\nrole = \"sensitive\"\n"
    );
    std::fs::write(folder.join(name), text).expect("it can be written");
}
