//! `haggle security`: how well each sensitive value is hidden among the others of its groups.

use clap::Args;
use haggle::questions::SecurityQuestion;
use haggle::reports::{GroupSecurity, Security};
use haggle::{Ask, Scheme};

use crate::Output;
use crate::args::ProjectArgs;
use crate::text::{short, table, thousands};

/// How hard each sensitive value is to rule out in the groups of a scheme (the estimate psi)
#[derive(Debug, Args)]
pub(crate) struct SecurityArgs {
    #[command(flatten)]
    project: ProjectArgs,
    /// The scheme, such as 1,0,1
    #[arg(long, value_name = "SCHEME")]
    scheme: Scheme,
    /// The sensitive attribute, where there are several
    #[arg(long, value_name = "NAME")]
    on: Option<String>,
    /// How wide an attacker's suspicion is, in classes
    #[arg(long, value_name = "CLASSES", default_value_t = 1.0)]
    width: f64,
    /// What the estimate is scaled by
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    scale: f64,
    /// How many groups with the lowest and with the highest estimate are shown
    #[arg(long, value_name = "GROUPS", default_value_t = 5)]
    worst: usize,
    /// Print the values as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl SecurityArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let engine = self.project.engine()?;
        let question = SecurityQuestion {
            scheme: self.scheme.clone(),
            on: self.on.clone(),
            width: Some(self.width),
            scale: Some(self.scale),
            worst: Some(self.worst),
        };
        let found = ProjectArgs::answer(&engine, &Ask::default(), question)?;
        Ok(match (self.project.json, self.csv) {
            (true, _) => super::json(&found)?,
            (_, true) => found.csv(),
            _ => words(&found),
        }
        .into())
    }
}

fn words(found: &Security) -> String {
    let head = [found.attribute.as_str(), "class", "groups", "least psi", "mean psi", "most psi"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(found.values.iter().map(|value| {
        vec![
            short(&value.value),
            format!("{:.3}", value.class),
            thousands(value.groups),
            format!("{:.3}", value.least),
            format!("{:.3}", value.mean),
            format!("{:.3}", value.most),
        ]
    }));
    format!(
        "How hard each value of {} is to rule out under {}: low is easily ruled out, far above\n\
         the others of a group is easily guessed.\n\n{}{}{}",
        found.attribute,
        found.scheme,
        table(&rows),
        groups("Groups with a value that is easily ruled out", &found.easily_ruled_out),
        groups("Groups with a value that is easily guessed", &found.easily_guessed)
    )
}

/// The worst groups under a title; nothing if there are none.
fn groups(title: &str, worst: &[GroupSecurity]) -> String {
    if worst.is_empty() {
        return String::new();
    }
    let head = ["group", "records", "value", "psi"].map(String::from).to_vec();
    let row = |group: &GroupSecurity| {
        let labels: Vec<String> = group.group.iter().map(|label| short(label)).collect();
        let records = thousands(group.records);
        vec![labels.join(", "), records, short(&group.value), format!("{:.3}", group.psi)]
    };
    let rows: Vec<Vec<String>> = [head].into_iter().chain(worst.iter().map(row)).collect();
    format!("\n{title}:\n\n{}", table(&rows))
}
