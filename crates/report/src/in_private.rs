//! The sections for the curator and the data-protection officer.

use haggle_api::UtilityReport;
use haggle_model::numerals::{grouped, number, thousands};

use crate::sections::{
    Element, ReportSection, fact, listed, pair, paragraph, section, table, threshold,
};
use crate::types::PrivatePart;
use crate::words::share;

/// How many points of the front are listed.
const POINTS: usize = 12;

/// Returns the sections that need the table.
pub(crate) fn sections(private: &PrivatePart) -> Vec<ReportSection> {
    vec![
        account(private),
        guarantees(private),
        loss(private),
        queries(private),
        mining(private),
        front(private),
        suppression(private),
        columns(private),
        worst(private),
        mapping(private),
    ]
}

fn account(private: &PrivatePart) -> ReportSection {
    let account = &private.account;
    let count = |name: &str, records: u64| fact(name, thousands(records));
    let limit = private.asked.max_suppressed.map_or(String::new(), |limit| limit.to_string());
    let mut facts = vec![
        fact("Project", private.location.clone()),
        count("Records read", account.read),
        count("Dropped for a missing value", account.dropped),
        count("Suppressed", account.suppressed.unwrap_or_default()),
        count("Published", account.published.unwrap_or_default()),
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

fn guarantees(private: &PrivatePart) -> ReportSection {
    let measured = private.verification.as_ref();
    let found = |model: &String| {
        let found = measured.and_then(|verdict| verdict.attained.iter().find(|(m, _)| m == model));
        found.map_or("not measured".to_owned(), |(_, value)| threshold(value))
    };
    let blocks = match (&private.scheme, measured) {
        (Some(pinned), _) => {
            let about = format!("Under the scheme {}, compared with the table:", pinned.scheme);
            let rows = pinned.attained.iter();
            let rows =
                rows.map(|(model, value)| vec![model.clone(), threshold(value), found(model)]);
            let head = ["model", "attained by the scheme", "measured in the file"];
            vec![paragraph(about), table(&head, rows.collect())]
        }
        (None, verdict) => {
            let attained = verdict.iter().flat_map(|verdict| &verdict.attained);
            let rows = attained.map(|(model, value)| vec![model.clone(), threshold(value)]);
            vec![table(&["model", "measured in the file"], rows.collect())]
        }
    };
    section("table-guarantees", "Private: guarantees against the table", blocks)
}

fn loss(private: &PrivatePart) -> ReportSection {
    let title = "Private: what is lost of the table";
    if let Some(why) = &private.loss_reason {
        return section("table-loss", title, vec![paragraph(format!("Not known: {why}."))]);
    }
    let rows = private.loss.iter();
    let rows = rows.map(|(measure, loss)| vec![measure.clone(), format!("{loss:.3}")]).collect();
    let about = "Over the table, with suppressed records:";
    section("table-loss", title, vec![paragraph(about), table(&["measure", "loss"], rows)])
}

fn queries(private: &PrivatePart) -> ReportSection {
    let what = if private.queries_named {
        "queries of the curator's choice"
    } else {
        "random ranges over two quasi-identifiers, each of about 5 % of all combinations"
    };
    let about = format!(
        "{} {what}: how far the number of records that an analyst finds is from the true one, relative \
         to it. Non-corrected answers count every record that may satisfy the query; corrected ones weigh \
         each group by the probability that its records do, from the table's distribution of the \
         quasi-identifiers or, independently corrected, from that of each alone.",
        thousands(private.queries.queries),
    );
    let rows = private.queries.errors.iter().map(|(answer, errors)| {
        let error = &errors.relative_count;
        let shares = [error.mean, error.median, error.percentile_95].map(share);
        std::iter::once(answer.replace('_', "-")).chain(shares).collect()
    });
    let head = ["answer", "mean error", "median", "95th percentile"];
    section("queries", "Private: queries", vec![paragraph(about), table(&head, rows.collect())])
}

fn mining(private: &PrivatePart) -> ReportSection {
    let title = "Private: data mining";
    let Some(utility) = &private.utility else {
        let none = "Models and rules are computed for schemes, where a sensitive attribute or another \
                    column is there to be predicted; here they are not.";
        return section("table-mining", title, vec![paragraph(none)]);
    };
    let target = &utility.target;
    let with_target = utility.pairs.iter().filter(|pair| pair.attributes[1] == *target);
    let associations = with_target
        .map(|one| std::iter::once(one.attributes[0].clone()).chain(pair(one.cramers_v)).collect());
    let head = ["attribute", "Cramér's V in the table", "in the publication"];
    let about = format!("How strongly each quasi-identifier is associated with {target}:");
    let mut blocks = vec![paragraph(about), table(&head, associations.collect())];
    blocks.extend(models(utility));
    let rules = utility.rules.as_ref();
    let (before, kept) =
        rules.map_or((0, 0), |rules| (rules.before, rules.kept + rules.generalized));
    blocks.push(paragraph(format!(
        "Of {} association rules that imply {target} in the table, {} can still be found, with the same \
         or with more general values.",
        thousands(before),
        thousands(kept)
    )));
    section("table-mining", title, blocks)
}

/// How well models predict held-out records, or why there are none.
fn models(utility: &UtilityReport) -> Vec<Element> {
    let Some(models) = &utility.models else {
        let why = utility.models_reason.as_deref().unwrap_or("they were not trained");
        return vec![paragraph(format!("There are no models: {why}."))];
    };
    let rows = models.scores.iter().map(|score| {
        let cells = score
            .accuracy
            .map_or(["none".into(), "none".into()], |both| [both.before, both.after].map(share));
        std::iter::once(score.model.to_owned()).chain(cells).collect()
    });
    let about = format!(
        "How many held-out original records get the right {} from models, trained with recorded and \
         with published values:",
        utility.target
    );
    let head = ["model", "trained with recorded", "with published"];
    vec![paragraph(about), table(&head, rows.collect()), paragraph(models.encoding)]
}

fn front(private: &PrivatePart) -> ReportSection {
    let title = "Private: privacy against loss";
    let (Some(front), Some(chosen)) = (&private.front, &private.chosen) else {
        let why = private.front_reason.as_deref().unwrap_or_default();
        return section("front", title, vec![paragraph(format!("None: {why}."))]);
    };
    let optimal = if chosen.optimal {
        "no other scheme with this threshold loses less"
    } else {
        "another scheme with this threshold loses less"
    };
    let about = format!(
        "This publication: {} = {}, {} {:.3}; {optimal}.",
        front.parameter,
        number(chosen.threshold),
        front.loss,
        chosen.loss
    );
    let step = front.points.len().div_ceil(POINTS).max(1);
    let shown = front.points.iter().step_by(step).map(|point| {
        let threshold = if point.threshold >= 1000.0 {
            grouped(point.threshold, 0)
        } else {
            number(point.threshold)
        };
        vec![threshold, format!("{:.3}", point.loss), point.scheme.to_string()]
    });
    let mut blocks = vec![paragraph(about)];
    blocks.extend(private.picture.clone().map(Element::Picture));
    blocks.push(table(&[front.parameter, "loss", "scheme"], shown.collect()));
    section("front", title, blocks)
}

fn suppression(private: &PrivatePart) -> ReportSection {
    let title = "Private: suppression by subgroup";
    if private.why.is_none() {
        let none = "Computed for schemes only; the file is not what one leads to.";
        return section("suppression", title, vec![paragraph(none)]);
    }
    let vanished = if private.vanished.is_empty() {
        "No published value loses all of its records.".to_owned()
    } else {
        format!("These values vanish: {}.", private.vanished.join(", "))
    };
    let kinds = private.why.iter().flat_map(|why| &why.kinds);
    let rows = kinds.map(|kind| {
        let part = share(kind.suppressed as f64 / kind.records.max(1) as f64);
        let counts = [thousands(kind.suppressed), thousands(kind.records), part];
        [kind.attribute.clone(), kind.value.clone()].into_iter().chain(counts).collect()
    });
    let head = ["attribute", "value", "suppressed", "of", "share"];
    let about = "The values hit hardest, for each attribute:";
    let blocks = vec![paragraph(vanished), paragraph(about), table(&head, rows.collect())];
    section("suppression", title, blocks)
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
    let about = format!(
        "Sets of up to {} columns single out {} records before generalization.",
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
