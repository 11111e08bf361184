//! Tables that are being set up: those that were sent are in private folders, which are removed when
//! the curator says so, or with the server.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use haggle::setup::{SetupPlan, SetupSource, SetupTable, TableSetup};
use tempfile::TempDir;

/// How many tables can be set up at a time; the oldest one that is not served is removed first.
const MOST: usize = 4;

/// The tables that are being set up, the newest at the back.
pub(crate) struct Drafts {
    /// The table that the server was started with.
    pub(crate) table: Option<PathBuf>,
    /// The largest table that can be sent, in bytes.
    pub(crate) upload_limit: u64,
    kept: Mutex<DraftList>,
}

#[derive(Default)]
struct DraftList {
    drafts: VecDeque<Arc<StoredDraft>>,
    /// The one whose project is served.
    served: Option<String>,
}

/// A table that is being set up.
pub(crate) struct StoredDraft {
    pub(crate) id: String,
    /// The name of its file or table.
    pub(crate) name: String,
    pub(crate) source: SetupSource,
    pub(crate) setup: TableSetup,
    /// The last plan that was valid, for a page that is loaded again.
    plan: Mutex<Option<SetupPlan>>,
    /// Where the table is if it was sent; removed with it.
    pub(crate) folder: Option<TempDir>,
}

impl StoredDraft {
    pub(crate) fn new(
        id: String,
        name: String,
        source: SetupSource,
        setup: TableSetup,
        folder: Option<TempDir>,
    ) -> Self {
        Self { id, name, source, setup, plan: Mutex::default(), folder }
    }

    /// The table as a page sees it, with the last plan that was valid.
    pub(crate) fn table(&self) -> SetupTable {
        let table = self.setup.table(&self.id, &self.name);
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner).clone();
        SetupTable { plan: plan.unwrap_or(table.plan), ..table }
    }

    /// Notes a plan that is valid.
    pub(crate) fn remember(&self, plan: SetupPlan) {
        *self.plan.lock().unwrap_or_else(PoisonError::into_inner) = Some(plan);
    }

    /// Removes the files that were sent, even while somebody still looks at them.
    fn remove(&self) {
        if let Some(folder) = &self.folder {
            // The next server removes what cannot be removed now.
            let _ = std::fs::remove_dir_all(folder.path());
        }
    }
}

impl Drafts {
    pub(crate) fn new(table: Option<PathBuf>, upload_limit: u64) -> Self {
        Self { table, upload_limit, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, DraftList> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a table.
    pub(crate) fn keep(&self, draft: StoredDraft) -> Arc<StoredDraft> {
        let draft = Arc::new(draft);
        let mut kept = self.kept();
        kept.drafts.push_back(draft.clone());
        if kept.drafts.len() > MOST {
            let served = kept.served.clone();
            let oldest = kept.drafts.iter().position(|one| Some(&one.id) != served.as_ref());
            if let Some(oldest) = oldest.and_then(|i| kept.drafts.remove(i)) {
                oldest.remove();
            }
        }
        draft
    }

    /// The table of this id.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<StoredDraft>> {
        self.kept().drafts.iter().find(|draft| draft.id == id).cloned()
    }

    /// All tables, the newest last.
    pub(crate) fn all(&self) -> Vec<Arc<StoredDraft>> {
        self.kept().drafts.iter().cloned().collect()
    }

    /// Notes whose project is served.
    pub(crate) fn serve(&self, id: &str) {
        self.kept().served = Some(id.to_owned());
    }

    /// Removes a table with its files; says whether its project was served.
    pub(crate) fn discard(&self, draft: &StoredDraft) -> bool {
        let mut kept = self.kept();
        kept.drafts.retain(|one| one.id != draft.id);
        draft.remove();
        kept.served.take_if(|served| *served == draft.id).is_some()
    }
}

/// A plain file name from what a client calls its file.
pub(crate) fn plain_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_control() || "\"*?[]<>|:".contains(c) { '_' } else { c };
    let name: String = last.chars().map(plain).take(120).collect();
    let name = name.trim_matches(['.', ' ']);
    if Path::new(name).file_name().is_none() { "table.csv".into() } else { name.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(id: &str) -> StoredDraft {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("people.csv");
        std::fs::write(&data, "age,city\n37,Ulm\n41,Bonn\n").unwrap();
        let setup = TableSetup::of_file(&data, &haggle::Silent).unwrap().uploaded();
        let (id, name) = (id.into(), "people.csv".into());
        StoredDraft::new(id, name, SetupSource::Uploaded, setup, Some(folder))
    }

    #[test]
    fn old_tables_make_room_but_the_one_that_is_served_stays() {
        let drafts = Drafts::new(None, 0);
        let folder =
            |id: &str| drafts.get(id).and_then(|d| Some(d.folder.as_ref()?.path().to_owned()));
        drafts.keep(draft("0"));
        drafts.serve("0");
        drafts.keep(draft("1"));
        let second = folder("1").unwrap();
        (2..=4).for_each(|i| drop(drafts.keep(draft(&i.to_string()))));
        assert!(drafts.get("0").is_some() && drafts.get("1").is_none());
        assert!(!second.exists());
        let (served, path) = (drafts.get("0").unwrap(), folder("0").unwrap());
        assert!(drafts.discard(&served) && !path.exists(), "although it is still in use");
        assert!(!drafts.discard(&drafts.get("4").unwrap()));
    }

    #[test]
    fn names_that_clients_send_lead_nowhere_else() {
        for (given, plain) in [
            ("patients.csv", "patients.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\data\\a b.csv", "a b.csv"),
            ("..", "table.csv"),
            ("", "table.csv"),
            (".hidden\n*.csv", "hidden__.csv"),
        ] {
            assert_eq!(plain_name(given), plain, "{given}");
        }
    }
}
