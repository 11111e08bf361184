//! From answers to a report: what the public form may hold, rounded.

use std::collections::BTreeMap;

use haggle_api::{Ask, ErrorSummary, RiskReport, UtilityReport, VERSION, WorkloadReport};
use haggle_engine::Engine;
use haggle_model::{Error, Progress, Role};

use crate::answers::{Answers, ReportAsk, answers};
use crate::front::reported_front;
use crate::private::private_part;
use crate::published::published_values;
use crate::types::{
    AttackCount, PublicationDossier, ReportForm, ReportFront, ReportMining, ReportQueries,
    ReportRisk, ReportedAssociation, ReportedScore,
};
use crate::words::{questions, rounded};

/// These attacks use the table or earlier publications, which readers do not have.
const NEED_THE_TABLE: [&str; 2] = ["minimality", "composition"];

/// Gathers what is said about a publication.
pub fn gather(
    engine: &Engine,
    ask: &ReportAsk,
    progress: &dyn Progress,
) -> Result<PublicationDossier, Error> {
    engine.needs_recorded("a report")?;
    let answers = answers(engine, ask, progress)?;
    let request = engine.asked(&answers.request)?;
    let (front, front_reason) = match front(engine, &answers, ask.form)? {
        Ok(front) => (Some(front), None),
        Err(why) => (None, Some(why)),
    };
    let (loss, loss_reason) = match &answers.loss {
        Ok(loss) => (loss.clone(), None),
        Err(why) => (BTreeMap::new(), Some((*why).to_owned())),
    };
    let project = engine.project();
    let mut report = PublicationDossier {
        form: ask.form,
        haggle: VERSION,
        project: project.map_or_else(|| "a lattice".into(), haggle_project::Project::name),
        quasi_identifiers: published_values(engine, &answers)?,
        sensitive: sensitive(engine),
        identifiers: project.map_or_else(Vec::new, |project| project.named(Role::Identifier)),
        privacy_words: answers.request.privacy_words(),
        maximum_levels: maximum_levels(&request),
        privacy: request.privacy.clone(),
        scheme: answers.scheme.clone(),
        records: answers.risk.records,
        groups: answers.groups,
        attained: answers.attained.iter().cloned().collect(),
        proof: answers.checked.as_ref().map(|checked| checked.proof.clone()),
        loss: loss.into_iter().map(|(name, loss)| (name, rounded(loss))).collect(),
        loss_reason,
        queries: queries(&answers.workload, ask.queries.is_some()),
        mining: answers.plan.as_ref().and_then(|plan| plan.utility.as_ref()).map(mining),
        risk: reported_risk(&answers.risk),
        attacks: attacks(&answers.risk),
        front,
        front_reason,
        questions: Vec::new(),
        private: None,
    };
    report.questions = questions(&report, &answers.risk);
    if ask.form == ReportForm::Private {
        report.private = Some(private_part(engine, answers, request)?.into());
    }
    Ok(report)
}

/// The front of the schemes, or why there is none.
fn front(
    engine: &Engine,
    answers: &Answers,
    form: ReportForm,
) -> Result<Result<ReportFront, String>, Error> {
    let Some(plan) = &answers.plan else {
        return Ok(Err("it compares schemes, and the file is not what one leads to".into()));
    };
    match &plan.front {
        Ok(front) => reported_front(engine, answers, plan, front, form).map(Ok),
        Err(_) if form == ReportForm::Public => Ok(Err("it could not be computed".into())),
        Err(error) => Ok(Err(error.to_string())),
    }
}

fn sensitive(engine: &Engine) -> Vec<String> {
    engine.cube().sensitive().map(|(_, watched)| watched.name.clone()).collect()
}

fn maximum_levels(request: &Ask) -> BTreeMap<String, u8> {
    match &request.levels {
        Some(haggle_api::Levels::ByName(levels)) => {
            levels.iter().map(|(name, level)| (name.clone(), *level)).collect()
        }
        _ => BTreeMap::new(),
    }
}

fn queries(workload: &WorkloadReport, named: bool) -> ReportQueries {
    let about = if named {
        "queries of the curator's choice"
    } else {
        "random ranges over two quasi-identifiers, each of about 5 % of all combinations"
    };
    let summary = |errors: ErrorSummary| ErrorSummary {
        mean: rounded(errors.mean),
        median: rounded(errors.median),
        percentile_95: rounded(errors.percentile_95),
    };
    let errors = workload.errors.iter();
    let errors = errors.map(|(answer, errors)| (answer.clone(), summary(errors.relative_count)));
    ReportQueries {
        queries: workload.queries,
        about: about.into(),
        relative_count: errors.collect(),
    }
}

fn mining(utility: &UtilityReport) -> ReportMining {
    let both = |pair: haggle_api::BeforeAfter| haggle_api::BeforeAfter {
        before: rounded(pair.before),
        after: rounded(pair.after),
    };
    let with_target = utility.pairs.iter().filter(|pair| pair.attributes[1] == utility.target);
    let associations = with_target.map(|pair| ReportedAssociation {
        attribute: pair.attributes[0].clone(),
        cramers_v: both(pair.cramers_v),
    });
    let scores = utility.models.iter().flat_map(|models| &models.scores);
    let scores = scores
        .map(|score| ReportedScore { model: score.model, accuracy: score.accuracy.map(both) });
    ReportMining {
        target: utility.target.clone(),
        associations: associations.collect(),
        scores: scores.collect(),
        encoding: utility.models.as_ref().map(|models| models.encoding),
        reason: utility.models_reason.clone(),
        rules: utility.rules.as_ref().map_or(0, |rules| rules.before),
        rules_kept: utility.rules.as_ref().map_or(0, |rules| rules.kept + rules.generalized),
    }
}

fn reported_risk(report: &RiskReport) -> ReportRisk {
    ReportRisk {
        highest: rounded(report.risk.prosecutor.highest),
        mean: rounded(report.risk.prosecutor.mean),
        marketer: rounded(report.risk.marketer),
        unique: report.risk.unique,
    }
}

fn attacks(report: &RiskReport) -> Vec<AttackCount> {
    let of = |one: &haggle_api::risk::SensitiveRisk| {
        let on = one.attribute.clone();
        let readers = one.attacks.iter().filter(|a| !NEED_THE_TABLE.contains(&a.attack));
        let count = readers.map(|attack| AttackCount {
            on: on.clone(),
            attack: attack.attack,
            definition: attack.definition,
            exposed: attack.exposed,
        });
        count.collect::<Vec<_>>()
    };
    report.sensitive.iter().flat_map(of).collect()
}
