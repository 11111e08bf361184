//! The sections for everybody.

use haggle_api::RiskAsk;
use haggle_model::ANY;
use haggle_model::numerals::thousands;

use crate::sections::{Element, ReportSection, fact, listed, paragraph, section, table, threshold};
use crate::types::{PublicationDossier, PublishedValues};
use crate::words::share;

/// Returns the sections that follow from the published records.
pub(crate) fn sections(report: &PublicationDossier) -> Vec<ReportSection> {
    vec![
        summary(report),
        data(report),
        scheme(report),
        guarantees(report),
        loss(report),
        associations(report),
        risk(report),
        attacks(report),
        values(report),
    ]
}

fn summary(report: &PublicationDossier) -> ReportSection {
    let answers = report.questions.iter();
    let rows = answers.map(|one| vec![one.question.to_owned(), one.answer.clone()]).collect();
    let scheme = report.scheme.as_ref();
    let scheme = scheme.map_or_else(String::new, |scheme| format!(" under the scheme {scheme}"));
    let is_broken = report.proof.as_ref().is_some_and(|proof| !proof.holds);
    let promise = format!(
        "{} records in {} groups are published{scheme}. {}: {}.",
        thousands(report.records),
        thousands(report.groups),
        if is_broken { "This promise DOES NOT HOLD in the file" } else { "Promised" },
        report.privacy_words,
    );
    section("summary", "Summary", vec![paragraph(promise), table(&["question", "answer"], rows)])
}

fn data(report: &PublicationDossier) -> ReportSection {
    let names = |names: &[String]| {
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let quasi: Vec<String> =
        report.quasi_identifiers.iter().map(|one| one.attribute.clone()).collect();
    let none = Vec::new();
    let unchanged = report.whole.as_ref().map_or(&none, |whole| &whole.unchanged);
    let levels = report.maximum_levels.iter().map(|(name, level)| format!("{name} {level}"));
    let facts = vec![
        fact("Quasi-identifiers, generalized", names(&quasi)),
        fact("Sensitive attributes", names(&report.sensitive)),
        fact("Other columns, unchanged", names(unchanged)),
        fact("Identifiers, never published", names(&report.identifiers)),
        fact("Privacy asked for", report.privacy_words.clone()),
        fact("Maximum levels", names(&levels.collect::<Vec<_>>())),
    ];
    section("data", "Data, roles and request", vec![Element::Facts(facts)])
}

fn scheme(report: &PublicationDossier) -> ReportSection {
    let rows = report.quasi_identifiers.iter().map(|one| {
        let level = one.level.map_or_else(|| "differs by value".into(), |l| l.to_string());
        vec![one.attribute.clone(), level, looks(one)]
    });
    let head = ["attribute", "level", "published as"];
    section("scheme", "The scheme in words", vec![table(&head, rows.collect())])
}

/// What an attribute looks like.
fn looks(one: &PublishedValues) -> String {
    match (one.level, &one.values[..]) {
        (_, [only]) if only == ANY => "fully generalized: nothing is said".into(),
        (Some(0), _) => "as recorded".into(),
        (_, values) => {
            let example = values.get(values.len() / 2).map_or("none", String::as_str);
            format!("{} values such as {example}", values.len())
        }
    }
}

fn guarantees(report: &PublicationDossier) -> ReportSection {
    let rows = report.attained.iter();
    let rows = rows.map(|(model, value)| vec![model.clone(), threshold(value)]).collect();
    let about = "Measured in the published records alone. A model that compares groups with the \
                 whole table is measured against the published records; whether it holds against \
                 the table is in the private report.";
    let mut blocks = vec![
        paragraph(format!("Promised: {}.", report.privacy_words)),
        table(&["model", "attained"], rows),
        paragraph(about),
    ];
    blocks.push(match &report.proof {
        None => paragraph("No published file was named, so nothing was measured in one."),
        Some(proof) => Element::Facts(vec![
            fact("File", proof.file.clone()),
            fact("SHA-256", proof.sha256.clone()),
            fact("Records", thousands(proof.records)),
            fact("Groups", thousands(proof.groups)),
            fact("The promise", if proof.holds { "holds in the file" } else { "DOES NOT HOLD" }),
        ]),
    });
    section("guarantees", "Guarantees, attained and proved", blocks)
}

fn loss(report: &PublicationDossier) -> ReportSection {
    let row = |measure: &String, loss: String| {
        let title = haggle_loss::find(measure.split(':').next().unwrap_or_default());
        let (title, range) = title.map_or(("", ""), |found| (found.title, found.range));
        vec![measure.clone(), loss, title.to_owned(), range.to_owned()]
    };
    let known = report.loss.iter().map(|(measure, loss)| row(measure, format!("{loss:.3}")));
    let unknown = report.loss_reason.iter();
    let unknown = unknown.map(|(measure, why)| row(measure, format!("not known: {why}")));
    let about = "Over the published records, with the values that the project or the file names. \
                 What is lost of the table is in the private report.";
    let head = ["measure", "loss", "what it is", "range"];
    let blocks = vec![paragraph(about), table(&head, known.chain(unknown).collect())];
    section("loss", "What is lost", blocks)
}

fn associations(report: &PublicationDossier) -> ReportSection {
    let rows = report
        .associations
        .iter()
        .map(|one| vec![one.attribute.clone(), one.with.clone(), format!("{:.3}", one.cramers_v)]);
    let about = "How strongly each quasi-identifier is associated with each sensitive attribute in \
                 the published records:";
    let head = ["attribute", "with", "Cramér's V"];
    section("mining", "Associations", vec![paragraph(about), table(&head, rows.collect())])
}

fn risk(report: &PublicationDossier) -> ReportSection {
    let risk = &report.risk;
    let rows = vec![
        vec!["prosecutor, highest risk of a record".into(), share(risk.highest)],
        vec!["prosecutor, mean".into(), share(risk.mean)],
        vec!["marketer, expected share of records identified".into(), share(risk.marketer)],
        vec!["records alone in their group".into(), thousands(risk.unique)],
    ];
    let about = "A prosecutor knows that the person is in the table, a marketer wants to identify as \
                 many records as possible. Both know all quasi-identifiers.";
    section("risk", "Re-identification", vec![paragraph(about), table(&["", ""], rows)])
}

fn attacks(report: &PublicationDossier) -> ReportSection {
    if report.attacks.is_empty() {
        let none = paragraph("No sensitive attribute is stated.");
        return section("attacks", "Attacks", vec![none]);
    }
    let about = format!(
        "How many records an attacker who knows all quasi-identifiers, and nothing of the table but \
         the published records, would expose. Below, 1 - delta is {}.",
        1.0 - RiskAsk::default().delta
    );
    let mut blocks = vec![paragraph(about)];
    for on in &report.sensitive {
        let rows = report.attacks.iter().filter(|attack| attack.on == *on).map(|attack| {
            let exposed = attack.exposed.map_or("not checked".into(), thousands);
            vec![attack.attack.into(), exposed, attack.definition.into()]
        });
        let head = [&*format!("attack on {on}"), "records exposed", "when a record is exposed"];
        blocks.push(table(&head, rows.collect()));
    }
    section("attacks", "Attacks", blocks)
}

fn values(report: &PublicationDossier) -> ReportSection {
    let rows = report.quasi_identifiers.iter();
    let rows = rows.map(|one| vec![one.attribute.clone(), listed(&one.values)]).collect();
    section("values", "Published values", vec![table(&["attribute", "values"], rows)])
}
