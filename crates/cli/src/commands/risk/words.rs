//! A report on risk in words.

use haggle::inference::{
    AttackReport, BeliefReport, ColumnRisk, ExposedTargets, ReidentificationRisk, RiskReport,
    SensitiveRisk, TargetReport,
};
use haggle::reports::WholeRecords;

use crate::columns::unique;
use crate::text::{counted, percent, table, thousands};

/// How many columns, sets and values are printed; all are in the JSON.
const SHOWN: usize = 8;

pub(super) fn words(report: &RiskReport) -> String {
    let scheme = report.scheme.as_ref().map_or(String::new(), |scheme| format!(" under {scheme}"));
    let suppressed = match report.suppressed {
        None | Some(0) => String::new(),
        Some(n) => format!(", {} suppressed", thousands(n)),
    };
    let mut text = format!(
        "{} in {}{scheme}{suppressed}, over {}.\n\nRe-identification\n\n",
        counted(report.records, "record"),
        counted(report.groups, "group"),
        report.quasi_identifiers.join(", "),
    );
    text += &risk(&report.risk, report.records);
    text += &report.whole.as_ref().map_or(String::new(), whole);
    text += &report.columns.as_ref().map_or(String::new(), columns);
    for one in &report.sensitive {
        text += &sensitive(one, report.records);
    }
    text
}

/// How far all published columns that are not sensitive single people out.
fn whole(whole: &WholeRecords) -> String {
    let unchanged = match whole.unchanged.as_slice() {
        [] => String::new(),
        names => format!("Published unchanged: {}.\n", names.join(", ")),
    };
    format!("\n{unchanged}{}", unique(whole))
}

/// A share in per cent; what rounds to nothing has no sign.
fn share(value: f64) -> String {
    let percent = 100.0 * value;
    format!("{:.2} %", if percent.abs() < 0.005 { 0.0 } else { percent })
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn risk(risk: &ReidentificationRisk, records: u64) -> String {
    let above = format!("above {}", share(risk.threshold));
    let mut rows = vec![row(&["attacker", "highest", "mean", &above])];
    let attackers = [("prosecutor", Some(risk.prosecutor)), ("journalist", risk.journalist)];
    for (name, risk) in attackers.into_iter().filter_map(|(name, risk)| Some((name, risk?))) {
        let above = format!("{} ({})", thousands(risk.above), percent(risk.above, records));
        rows.push(row(&[name, &share(risk.highest), &share(risk.mean), &above]));
    }
    rows.push(row(&["marketer", "", &share(risk.marketer), ""]));
    let mut text = table(&rows);
    text += &format!("\n{} alone in their groups.\n", counted(risk.unique, "record"));
    if let Some(population) = risk.population {
        text += &format!("\nUnique in a population of {}, estimated:\n\n", thousands(population));
        let estimates = risk.population_uniques.iter().map(|one| {
            let found = one.uniques.map_or_else(
                || format!("none: {}", one.reason.unwrap_or_default()),
                |uniques| thousands(uniques.round() as u64),
            );
            row(&[one.estimator, &found, if one.chosen { "chosen (Dankar et al.)" } else { "" }])
        });
        text += &table(&estimates.collect::<Vec<_>>());
    }
    text += "\nWhat each quasi-identifier adds:\n\n";
    let mut rows = vec![row(&["attribute", "mean risk added", "alone", "without it"])];
    rows.extend(risk.contributions.iter().map(|one| {
        row(&[&one.attribute, &share(one.adds), &share(one.alone), &share(one.without)])
    }));
    text += &table(&rows);
    text += if risk.limited_knowledge.is_empty() { "" } else { "\n" };
    for known in &risk.limited_knowledge {
        let confidence = known.confidence.map_or(String::new(), |confidence| {
            format!(", and a sensitive value with up to {}", share(confidence))
        });
        text += &format!(
            "Knowing at most {} finds groups of {} ({}){confidence}.\n",
            counted(known.attributes as u64, "quasi-identifier"),
            thousands(known.smallest),
            known.by.join(", "),
        );
    }
    text
}

fn columns(columns: &ColumnRisk) -> String {
    let mut text = format!(
        "\nColumns of the data as it is: sets of up to {} single out {}.\n\n",
        columns.largest,
        counted(columns.records, "record")
    );
    let mut rows = vec![row(&["column", "", "share of the score", "minimal sets"])];
    rows.extend(columns.ranking.iter().take(SHOWN).map(|one| {
        let role = if one.quasi_identifier { "quasi-identifier" } else { "" };
        row(&[&one.column, role, &share(one.share), &thousands(one.keys)])
    }));
    text += &table(&rows);
    let sets = columns.sets.iter().take(SHOWN);
    let sets = sets.map(|set| row(&[&set.columns.join(", "), &thousands(set.records)]));
    let sets: Vec<Vec<String>> = sets.collect();
    if !sets.is_empty() {
        text += "\nSmallest sets that single people out:\n\n";
        text += &table(&sets);
    }
    text
}

fn sensitive(one: &SensitiveRisk, records: u64) -> String {
    let mut text = format!("\nAttacks on {}\n\n", one.attribute);
    text += &table(&one.attacks.iter().map(|attack| attacked(attack, records)).collect::<Vec<_>>());
    for attack in one.attacks.iter().filter(|attack| !attack.worst.is_empty()) {
        let worst = &attack.worst[0];
        let values = worst.values.join(", ");
        text += &format!("{}: worst in [{values}]: {}.\n", attack.attack, worst.why);
    }
    text + &belief(&one.belief)
}

fn attacked(attack: &AttackReport, records: u64) -> Vec<String> {
    let found = match (attack.exposed, &attack.reason) {
        (Some(0), _) => "none exposed".to_owned(),
        (Some(n), _) => format!("{} exposed ({})", thousands(n), percent(n, records)),
        (None, reason) => format!("not checked: {}", reason.as_deref().unwrap_or_default()),
    };
    row(&[attack.attack, &found, attack.note.as_deref().unwrap_or_default()])
}

fn belief(belief: &BeliefReport) -> String {
    let mut text = format!("\nBelief with the prior '{}'\n\n", belief.prior);
    match belief.alpha.as_deref() {
        None => {}
        Some("") => text += "With what the project states as alpha.\n\n",
        Some(given) => text += &format!("With what the project states as alpha, by {given}.\n\n"),
    }
    let compared = belief.prior != "marginal";
    let line = |name: &str, of: fn(&ExposedTargets) -> u64| {
        let marginal = if compared { thousands(of(&belief.marginal)) } else { String::new() };
        row(&[name, &thousands(of(&belief.exposed)), &marginal])
    };
    text += &table(&[
        row(&["targets", &belief.prior, if compared { "marginal" } else { "" }]),
        line("all", |exposed| exposed.targets),
        line("suppressed, keep their prior", |exposed| exposed.suppressed),
        line("belief above 1 - delta", |exposed| exposed.positive),
        line("belief below epsilon", |exposed| exposed.negative),
        line("(rho1, rho2)-breach", |exposed| exposed.breached),
        line("attack succeeds", |exposed| exposed.successful),
    ]);
    for worst in &belief.worst {
        text += &format!(
            "[{}]: the belief in a value moves from {} to {} ({}).\n",
            worst.values.join(", "),
            share(worst.before),
            share(worst.after),
            counted(worst.records, "record"),
        );
    }
    text + &belief.target.as_ref().map_or(String::new(), target)
}

fn target(target: &TargetReport) -> String {
    let groups = match target.groups {
        0 => "The target is suppressed and keeps the prior.".to_owned(),
        n => format!("The target may be in {}.", counted(n as u64, "group")),
    };
    if target.contradiction {
        return format!("\n{groups} What is known contradicts the publication.\n");
    }
    let mut rows = vec![row(&["value", "before", "after"])];
    rows.extend(target.values.iter().take(SHOWN).map(|one| {
        let after = if one.most - one.least < 1e-9 {
            share(one.most)
        } else {
            format!("{} to {}", share(one.least), share(one.most))
        };
        row(&[&one.value, &share(one.before), &after])
    }));
    format!("\n{groups}\n\n{}", table(&rows))
}
