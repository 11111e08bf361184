//! From answers to a report: what the public form may hold, rounded.

use haggle_api::{Ask, ErrorSummary, RiskReport, UtilityReport, VERSION, WorkloadReport};
use haggle_engine::Engine;
use haggle_model::{Error, Progress, Role};

use crate::answers::{ReportAsk, answers};
use crate::front::reported_front;
use crate::private::private_part;
use crate::published::published_values;
use crate::types::{
    AttackCount, PublicationDossier, ReportForm, ReportMining, ReportQueries, ReportRisk,
    ReportedAssociation, ReportedScore,
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
    let front = match &answers.front {
        Ok(front) => Ok(reported_front(engine, &answers, front, ask.form)?),
        Err(error) => Err(error.to_string()),
    };
    let (front, front_reason) = match front {
        Ok(front) => (Some(front), None),
        Err(_) if ask.form == ReportForm::Public => (None, Some("it could not be computed".into())),
        Err(why) => (None, Some(why)),
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
        groups: answers.risk.groups,
        attained: answers.pinned.attained.iter().cloned().collect(),
        proof: answers.checked.as_ref().map(|checked| checked.proof.clone()),
        loss: answers
            .pinned
            .loss
            .iter()
            .map(|(name, &loss)| (name.clone(), rounded(loss)))
            .collect(),
        queries: queries(&answers.workload, ask.queries.is_some()),
        mining: answers.utility.as_ref().map(mining),
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

fn sensitive(engine: &Engine) -> Vec<String> {
    engine.cube().sensitive().map(|(_, watched)| watched.name.clone()).collect()
}

fn maximum_levels(request: &Ask) -> std::collections::BTreeMap<String, u8> {
    match &request.levels {
        Some(haggle_api::Levels::ByName(levels)) => {
            levels.iter().map(|(name, level)| (name.clone(), *level)).collect()
        }
        _ => std::collections::BTreeMap::new(),
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
