//! Numbers as they are reported, and the three questions of data protection.

use haggle_api::risk::{ReidentificationRisk, SensitiveRisk};
use haggle_model::numerals::{grouped, thousands};

use crate::types::{PublicationDossier, QuestionAnswered};

/// Rounds to three digits after the point.
pub(crate) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Formats a share as per cent.
pub(crate) fn share(value: f64) -> String {
    format!("{} %", grouped(100.0 * value, 1))
}

/// Answers whether people can be singled out, linked, or inferred about.
pub(crate) fn questions(
    report: &PublicationDossier,
    risk: &ReidentificationRisk,
    sensitive: &[SensitiveRisk],
) -> Vec<QuestionAnswered> {
    vec![
        QuestionAnswered {
            id: "singling-out",
            question: "Can a person be singled out?",
            answer: singling_out(report, risk),
        },
        QuestionAnswered {
            id: "linkability",
            question: "Can records of a person be linked?",
            answer: linkability(report),
        },
        QuestionAnswered {
            id: "inference",
            question: "Can something be inferred about a person?",
            answer: inference(report, sensitive),
        },
    ]
}

fn singling_out(report: &PublicationDossier, risk: &ReidentificationRisk) -> String {
    let smallest = (1.0 / risk.prosecutor.highest.max(f64::MIN_POSITIVE)).round() as u64;
    let names: Vec<&str> =
        report.quasi_identifiers.iter().map(|one| one.attribute.as_str()).collect();
    format!(
        "By {}: {} records are alone in their group, and the smallest group has {} records. {}",
        names.join(", "),
        thousands(risk.unique),
        thousands(smallest),
        by_all_columns(report),
    )
}

/// What columns that are published as recorded add.
fn by_all_columns(report: &PublicationDossier) -> String {
    match &report.whole {
        None => "Columns that are published as recorded are not part of this promise.".into(),
        Some(whole) => {
            let warning = whole.warning().map(|warning| format!("Warning: {warning}"));
            let plain = || format!("By all columns: {}.", whole.words());
            warning.unwrap_or_else(plain)
        }
    }
}

fn linkability(report: &PublicationDossier) -> String {
    format!(
        "An attacker who knows all quasi-identifiers of a person in the table picks the right record \
         with a chance of at most {}, on average {}; matching every record with a person of its group \
         is expected to be right for {} of the records.",
        share(report.risk.highest),
        share(report.risk.mean),
        share(report.risk.marketer),
    )
}

fn inference(report: &PublicationDossier, sensitive: &[SensitiveRisk]) -> String {
    if report.sensitive.is_empty() {
        return "No sensitive attribute is stated, so nothing was checked.".into();
    }
    let exposed = report.attacks.iter().filter_map(|attack| Some((attack, attack.exposed?)));
    let some: Vec<String> = exposed
        .filter(|(_, exposed)| *exposed > 0)
        .map(|(attack, exposed)| {
            format!("{} on {} exposes {} records", attack.attack, attack.on, thousands(exposed))
        })
        .collect();
    let checked = report.attacks.iter().filter(|attack| attack.exposed.is_some()).count();
    let believed: u64 = sensitive.iter().map(|one| one.belief.marginal.successful).sum();
    let found = if some.is_empty() { "none exposes any record".into() } else { some.join("; ") };
    format!(
        "Of {checked} attacks that were checked, {found} of {}. An attacker who knows only \
         the distribution in the published records comes to believe something dangerous about {} records.",
        thousands(report.records),
        thousands(believed),
    )
}
