//! A report as sections, before it becomes a page or Markdown.

use haggle_api::{BeforeAfter, RiskAsk, Threshold};
use haggle_model::numerals::{grouped, number, thousands};

use crate::types::{PrivatePart, PublicationDossier, ReportForm};
use crate::words::share;

/// How many values of one attribute are listed.
const LISTED: usize = 40;
/// How many points of the front are listed.
const POINTS: usize = 12;

/// A part of a section.
pub(crate) enum Element {
    Paragraph(String),
    /// Names with values.
    Facts(Vec<(String, String)>),
    Table {
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
    /// A picture as SVG.
    Picture(String),
}

/// A section with its heading.
pub(crate) struct ReportSection {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) blocks: Vec<Element>,
}

fn section(id: &'static str, title: &'static str, blocks: Vec<Element>) -> ReportSection {
    ReportSection { id, title, blocks }
}

fn paragraph(text: impl Into<String>) -> Element {
    Element::Paragraph(text.into())
}

fn table(head: &[&str], rows: Vec<Vec<String>>) -> Element {
    Element::Table { head: head.iter().map(|&cell| cell.to_owned()).collect(), rows }
}

fn fact(name: &str, value: impl Into<String>) -> (String, String) {
    (name.into(), value.into())
}

/// The title of a report.
pub(crate) fn title(report: &PublicationDossier) -> String {
    format!("Anonymization of {}", report.project)
}

/// One sentence below the title.
pub(crate) fn subtitle(report: &PublicationDossier) -> String {
    let form = match report.form {
        ReportForm::Public => "Public report: it holds nothing that helps an attacker.",
        ReportForm::Private => {
            "PRIVATE report, for the curator and the data-protection officer. Do not publish it."
        }
    };
    format!("{form} Written by haggle {}.", report.haggle)
}

/// Returns all sections in order.
pub(crate) fn sections(report: &PublicationDossier) -> Vec<ReportSection> {
    let public = [
        summary(report),
        data(report),
        scheme(report),
        guarantees(report),
        loss(report),
        queries(report),
        mining(report),
        risk(report),
        attacks(report),
        front(report),
        values(report),
    ];
    let private = report.private.iter().flat_map(|private| private_sections(private));
    public.into_iter().chain(private).collect()
}

fn summary(report: &PublicationDossier) -> ReportSection {
    let answers = report.questions.iter();
    let rows = answers.map(|one| vec![one.question.to_owned(), one.answer.clone()]).collect();
    let how = match &report.scheme {
        Some(scheme) => format!("under the scheme {scheme}"),
        None => "as the file has them".to_owned(),
    };
    let promise = format!(
        "{} records in {} groups are published {how}, which promises {}.",
        thousands(report.records),
        thousands(report.groups),
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
    let levels = report.maximum_levels.iter().map(|(name, level)| format!("{name} {level}"));
    let facts = vec![
        fact("Quasi-identifiers, generalized", names(&quasi)),
        fact("Sensitive attributes", names(&report.sensitive)),
        fact("Identifiers, never published", names(&report.identifiers)),
        fact("Privacy asked for", report.privacy_words.clone()),
        fact("Maximum levels", names(&levels.collect::<Vec<_>>())),
    ];
    section("data", "Data, roles and request", vec![Element::Facts(facts)])
}

fn scheme(report: &PublicationDossier) -> ReportSection {
    let rows = report.quasi_identifiers.iter().map(|one| {
        let what = match one.level {
            Some(level) if level == one.top => "fully generalized: nothing is said".to_owned(),
            Some(0) => "as recorded".to_owned(),
            _ => format!("{} values such as {}", one.values.len(), example(&one.values)),
        };
        let level = one.level.map_or("mixed".to_owned(), |l| format!("{l} of {}", one.top));
        vec![one.attribute.clone(), level, what]
    });
    let head = ["attribute", "level", "published as"];
    section("scheme", "The scheme in words", vec![table(&head, rows.collect())])
}

fn example(values: &[String]) -> String {
    values.get(values.len() / 2).cloned().unwrap_or_default()
}

fn threshold(threshold: &Threshold) -> String {
    match serde_json::to_value(threshold) {
        Ok(serde_json::Value::Number(value)) => value.as_f64().map_or(value.to_string(), number),
        Ok(value) => value.to_string().replace(['"', '{', '}'], "").replace(':', " = "),
        Err(_) => String::new(),
    }
}

fn guarantees(report: &PublicationDossier) -> ReportSection {
    let rows = report.attained.iter().map(|(model, value)| {
        let proved = report.proof.as_ref().and_then(|proof| proof.attained.get(model));
        let proved = proved.map_or("not measured".to_owned(), threshold);
        vec![model.clone(), threshold(value), proved]
    });
    let head = ["model", "attained", "measured in the file"];
    let mut blocks = vec![
        paragraph(format!("Promised: {}.", report.privacy_words)),
        table(&head, rows.collect()),
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
    if let Some(why) = &report.loss_reason {
        let unknown = paragraph(format!("The loss of the file is not known: {why}."));
        return section("loss", "What is lost", vec![unknown]);
    }
    let rows = report.loss.iter().map(|(measure, loss)| {
        let title = haggle_loss::find(measure.split(':').next().unwrap_or_default());
        let (title, range) = title.map_or(("", ""), |found| (found.title, found.range));
        vec![measure.clone(), format!("{loss:.3}"), title.to_owned(), range.to_owned()]
    });
    let head = ["measure", "loss", "what it is", "range"];
    section("loss", "What is lost", vec![table(&head, rows.collect())])
}

fn queries(report: &PublicationDossier) -> ReportSection {
    let queries = &report.queries;
    let about = format!(
        "{} {}: how far the number of records that an analyst finds is from the true one, relative \
         to it. Non-corrected answers count every record that may satisfy the query; corrected ones weigh \
         each group by the probability that its records do, from the table's distribution of the \
         quasi-identifiers or, independently corrected, from that of each alone.",
        thousands(queries.queries),
        queries.about
    );
    let rows = queries.relative_count.iter().map(|(answer, error)| {
        let shares = [error.mean, error.median, error.percentile_95].map(share);
        std::iter::once(answer.replace('_', "-")).chain(shares).collect()
    });
    let head = ["answer", "mean error", "median", "95th percentile"];
    section("queries", "Queries", vec![paragraph(about), table(&head, rows.collect())])
}

fn pair(pair: BeforeAfter) -> [String; 2] {
    [pair.before, pair.after].map(|value| format!("{value:.3}"))
}

fn mining(report: &PublicationDossier) -> ReportSection {
    let Some(mining) = &report.mining else {
        let none = "Models and rules are computed for schemes, where a sensitive attribute or another \
                    column is there to be predicted; here they are not.";
        return section("mining", "Data mining", vec![paragraph(none)]);
    };
    let associations = mining
        .associations
        .iter()
        .map(|one| std::iter::once(one.attribute.clone()).chain(pair(one.cramers_v)).collect());
    let head = ["attribute", "Cramér's V in the table", "in the publication"];
    let about = format!("How strongly each quasi-identifier is associated with {}:", mining.target);
    let mut blocks = vec![paragraph(about), table(&head, associations.collect())];
    match (&mining.encoding, &mining.reason) {
        (Some(encoding), _) => {
            let rows = mining.scores.iter().map(|score| {
                let cells = score.accuracy.map_or(["none".into(), "none".into()], |both| {
                    [both.before, both.after].map(share)
                });
                std::iter::once(score.model.to_owned()).chain(cells).collect()
            });
            blocks.push(paragraph(format!(
                "How many held-out original records get the right {} from models, trained with \
                 recorded and with published values:",
                mining.target
            )));
            let head = ["model", "trained with recorded", "with published"];
            blocks.push(table(&head, rows.collect()));
            blocks.push(paragraph(*encoding));
        }
        (None, reason) => {
            let why = reason.as_deref().unwrap_or("they were not trained");
            blocks.push(paragraph(format!("There are no models: {why}.")));
        }
    }
    blocks.push(paragraph(format!(
        "Of {} association rules that imply {} in the table, {} can still be found, with the same \
         or with more general values.",
        thousands(mining.rules),
        mining.target,
        thousands(mining.rules_kept)
    )));
    section("mining", "Data mining", blocks)
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
        "How many records an attacker who knows all quasi-identifiers would expose. Below, 1 - delta is \
         {}.",
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

fn front(report: &PublicationDossier) -> ReportSection {
    let Some(front) = &report.front else {
        let why = report.front_reason.as_deref().unwrap_or_default();
        return section("front", "Privacy against loss", vec![paragraph(format!("None: {why}."))]);
    };
    let optimal = if front.chosen.optimal {
        "no other scheme with this threshold loses less"
    } else {
        "another scheme with this threshold loses less"
    };
    let chosen = format!(
        "This publication: {} = {}, {} {:.3}; {optimal}.",
        front.parameter,
        number(front.chosen.threshold),
        front.loss,
        front.chosen.loss
    );
    let step = front.points.len().div_ceil(POINTS).max(1);
    let shown = front.points.iter().step_by(step).map(|point| {
        let threshold = if point.threshold >= 1000.0 {
            grouped(point.threshold, 0)
        } else {
            number(point.threshold)
        };
        let scheme = point.scheme.as_ref().map(ToString::to_string);
        [Some(threshold), Some(format!("{:.3}", point.loss)), scheme]
            .into_iter()
            .flatten()
            .collect()
    });
    let shown: Vec<Vec<String>> = shown.collect();
    let head = [front.parameter, "loss", "scheme"];
    let width = shown.first().map_or(2, Vec::len);
    let mut blocks = vec![paragraph(chosen)];
    blocks.extend(front.picture.clone().map(Element::Picture));
    blocks.push(table(&head[..width], shown));
    section("front", "Privacy against loss", blocks)
}

/// The first values, and how many more there are.
fn listed(values: &[String]) -> String {
    let first = values.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match values.len().saturating_sub(LISTED) {
        0 => first,
        more => format!("{first} and {} more", thousands(more as u64)),
    }
}

fn values(report: &PublicationDossier) -> ReportSection {
    let rows = report.quasi_identifiers.iter();
    let rows = rows.map(|one| vec![one.attribute.clone(), listed(&one.values)]).collect();
    section("values", "Published values", vec![table(&["attribute", "values"], rows)])
}

fn private_sections(private: &PrivatePart) -> Vec<ReportSection> {
    vec![account(private), suppression(private), columns(private), worst(private), mapping(private)]
}

fn account(private: &PrivatePart) -> ReportSection {
    let account = &private.account;
    let count = |name: &str, records: u64| fact(name, thousands(records));
    let limit = private.asked.max_suppressed.map_or(String::new(), |limit| limit.to_string());
    let mut facts = vec![
        fact("Project", private.location.clone()),
        count("Records read", account.read),
        count("Dropped for a missing value", account.dropped),
        fact("Suppressed", account.suppressed.map_or("not known".into(), thousands)),
        fact("Published", account.published.map_or("not known".into(), thousands)),
        fact("At most suppressed", limit),
    ];
    facts.extend(private.input_sha256.iter().map(|hash| fact("SHA-256 of an input", hash.clone())));
    let models = private.utility.as_ref().and_then(|utility| utility.models.as_ref());
    facts.extend(models.map(|models| {
        let chosen = if models.chosen_without_held_out { "chosen" } else { "named, not chosen" };
        let text = format!(
            "{} records held out; {} trained with, under {} ({chosen} without the others)",
            thousands(models.held_out),
            thousands(models.training),
            models.scheme.as_ref().map_or_else(|| "another recoding".into(), ToString::to_string)
        );
        fact("Models", text)
    }));
    section("account", "Private: account of the records", vec![Element::Facts(facts)])
}

fn suppression(private: &PrivatePart) -> ReportSection {
    let Some(why) = &private.why else {
        let none = "Subgroups are listed for schemes, and the file is not what one leads to.";
        let title = "Private: suppression by subgroup";
        return section("suppression", title, vec![paragraph(none)]);
    };
    let vanished = if private.vanished.is_empty() {
        "No published value loses all of its records.".to_owned()
    } else {
        format!("These values vanish: {}.", private.vanished.join(", "))
    };
    let rows = why.kinds.iter().map(|kind| {
        let part = share(kind.suppressed as f64 / kind.records.max(1) as f64);
        let counts = [thousands(kind.suppressed), thousands(kind.records), part];
        [kind.attribute.clone(), kind.value.clone()].into_iter().chain(counts).collect()
    });
    let head = ["attribute", "value", "suppressed", "of", "share"];
    let about = "The values hit hardest, for each attribute:";
    let blocks = vec![paragraph(vanished), paragraph(about), table(&head, rows.collect())];
    section("suppression", "Private: suppression by subgroup", blocks)
}

fn columns(private: &PrivatePart) -> ReportSection {
    let Some(columns) = &private.risk.columns else {
        let none = paragraph("The data was not examined column by column.");
        return section("columns", "Private: columns of the data as it is", vec![none]);
    };
    let rows = columns.ranking.iter().map(|one| {
        let role = if one.quasi_identifier { "quasi-identifier" } else { "" };
        vec![one.column.clone(), role.into(), share(one.share), thousands(one.keys)]
    });
    let when = if private.why.is_some() { "before generalization" } else { "of the file" };
    let about = format!(
        "Sets of up to {} columns single out {} records {when}.",
        columns.largest,
        thousands(columns.records)
    );
    let head = ["column", "role", "share of the score", "minimal sets"];
    let blocks = vec![paragraph(about), table(&head, rows.collect())];
    section("columns", "Private: columns of the data as it is", blocks)
}

fn worst(private: &PrivatePart) -> ReportSection {
    let attacks = private.risk.sensitive.iter().flat_map(|one| &one.attacks);
    let rows = attacks.map(|attack| {
        let exposed = attack.exposed.map_or("not checked".into(), thousands);
        let group = attack.worst.first();
        let group = group.map(|worst| format!("[{}]: {}", worst.values.join(", "), worst.why));
        let note = attack.note.clone().or_else(|| attack.reason.clone());
        vec![attack.attack.into(), exposed, group.or(note).unwrap_or_default()]
    });
    let head = ["attack", "records exposed", "worst group, or note"];
    section("worst", "Private: attacks in detail", vec![table(&head, rows.collect())])
}

fn mapping(private: &PrivatePart) -> ReportSection {
    let rows = private.mapping.iter();
    let rows =
        rows.map(|one| vec![one.attribute.clone(), one.published.clone(), listed(&one.recorded)]);
    let head = ["attribute", "published", "recorded"];
    section("mapping", "Private: recorded and published values", vec![table(&head, rows.collect())])
}
