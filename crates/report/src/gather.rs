//! From a publication to a report: what the public form holds, and what the private one adds.

use std::collections::BTreeMap;

use haggle_api::privacy::k_asked;
use haggle_api::risk::{ReidentificationRisk, SensitiveRisk};
use haggle_api::{Ask, Levels, MeasureSpec, Privacy, ReportForm, VERSION};
use haggle_assess::{PublishedAssociation, PublishedRecords};
use haggle_engine::Engine;
use haggle_model::{Error, Progress, Role};

use crate::answers::answers;
use crate::private::private_part;
use crate::subject::{ReportAsk, Subject, subject};
use crate::types::{
    AttackCount, PublicationDossier, PublishedValues, ReportRisk, ReportedAssociation,
};
use crate::words::{questions, rounded};

/// These attacks use the table or earlier publications, which readers do not have.
const NEED_THE_TABLE: [&str; 2] = ["minimality", "composition"];

/// The losses that follow from the sizes of groups.
const BY_SIZES: [&str; 2] = ["average-class-size", "discernibility"];

/// Gathers what is said about a publication.
pub fn gather(
    engine: &Engine,
    ask: &ReportAsk,
    progress: &dyn Progress,
) -> Result<PublicationDossier, Error> {
    engine.needs_recorded("a report")?;
    let subject = subject(engine, ask, progress)?;
    let mut report = public_part(engine, &subject)?;
    report.form = ask.form;
    if ask.form == ReportForm::Private {
        let answers = answers(engine, ask, &subject, progress)?;
        let queries_named = ask.queries.is_some();
        report.private = Some(private_part(engine, &subject, answers, queries_named)?.into());
    }
    Ok(report)
}

/// What follows from the published records and from what the curator stated. Nothing here may look
/// at the table: the engine is asked only for what the project states.
fn public_part(engine: &Engine, subject: &Subject) -> Result<PublicationDossier, Error> {
    let Subject { request, published, file, .. } = subject;
    let project = engine.project();
    let found = published.attained(&request.privacy)?;
    let risk = published.risk();
    let sensitive_risk = published.attacks(k_asked(&request.privacy))?;
    let (loss, loss_reason) = losses(published, request);
    let mut report = PublicationDossier {
        form: ReportForm::Public,
        haggle: VERSION,
        project: project.map_or_else(|| "a lattice".into(), haggle_project::Project::name),
        quasi_identifiers: published_values(published),
        sensitive: engine.cube().sensitive().map(|(_, watched)| watched.name.clone()).collect(),
        identifiers: project.map_or_else(Vec::new, |project| project.named(Role::Identifier)),
        privacy_words: request.privacy_words(),
        maximum_levels: maximum_levels(engine, request),
        privacy: request.privacy.iter().map(Privacy::spelled_out).collect(),
        scheme: published.levels().cloned(),
        records: published.records(),
        groups: published.groups(),
        proof: file.as_ref().map(|file| file.proof(published, &found)),
        attained: found.attained.into_iter().collect(),
        loss,
        loss_reason,
        associations: published.associations().into_iter().map(association).collect(),
        risk: reported_risk(&risk),
        whole: subject.whole.clone(),
        attacks: attacks(&sensitive_risk),
        questions: Vec::new(),
        private: None,
    };
    report.questions = questions(&report, &risk, &sensitive_risk);
    Ok(report)
}

/// Lists the published values of each quasi-identifier.
fn published_values(published: &PublishedRecords) -> Vec<PublishedValues> {
    let listed = published.values().into_iter().enumerate();
    let listed = listed.map(|(position, (attribute, values))| PublishedValues {
        attribute: attribute.to_owned(),
        level: published.levels().map(|levels| levels.level(position).into()),
        values,
    });
    listed.collect()
}

/// The maximum levels that the request states.
fn maximum_levels(engine: &Engine, request: &Ask) -> BTreeMap<String, u8> {
    match &request.levels {
        None => BTreeMap::new(),
        Some(Levels::ByName(levels)) => levels.clone(),
        Some(Levels::InOrder(levels)) => {
            let names = engine.attributes().into_iter().map(String::from);
            names.zip(levels.iter().copied()).collect()
        }
    }
}

/// By measure, what is lost over the published records, and why that is not known.
fn losses(
    published: &PublishedRecords,
    request: &Ask,
) -> (BTreeMap<String, f64>, BTreeMap<String, String>) {
    let by_sizes = BY_SIZES.iter().filter_map(|measure| measure.parse::<MeasureSpec>().ok());
    let specs = [MeasureSpec::plain()].into_iter().chain(request.optimize.clone()).chain(by_sizes);
    let (mut losses, mut reasons) = (BTreeMap::new(), BTreeMap::new());
    for spec in specs {
        match published.loss(&spec) {
            Ok(loss) => {
                losses.insert(spec.to_string(), rounded(loss));
            }
            Err(reason) => {
                reasons.insert(spec.to_string(), reason);
            }
        }
    }
    (losses, reasons)
}

fn association(found: PublishedAssociation) -> ReportedAssociation {
    let PublishedAssociation { attribute, with, cramers_v, .. } = found;
    ReportedAssociation { attribute, with, cramers_v: rounded(cramers_v) }
}

fn reported_risk(risk: &ReidentificationRisk) -> ReportRisk {
    ReportRisk {
        highest: rounded(risk.prosecutor.highest),
        mean: rounded(risk.prosecutor.mean),
        marketer: rounded(risk.marketer),
        unique: risk.unique,
    }
}

fn attacks(sensitive: &[SensitiveRisk]) -> Vec<AttackCount> {
    let of = |one: &SensitiveRisk| {
        let readers = one.attacks.iter().filter(|a| !NEED_THE_TABLE.contains(&a.attack));
        let count = readers.map(|attack| AttackCount {
            on: one.attribute.clone(),
            attack: attack.attack,
            definition: attack.definition,
            exposed: attack.exposed,
        });
        count.collect::<Vec<_>>()
    };
    sensitive.iter().flat_map(of).collect()
}
