//! Attacks and beliefs as they are reported.

use haggle_api::risk::{
    AttackReport, BeliefReport, ExposedTargets, RiskAsk, SensitiveRisk, TargetReport, ValueBelief,
    WorstBelief, WorstGroup,
};
use haggle_inference::attacks::{self, Attack, AttackLimits, CATALOG, Situation, describe};
use haggle_inference::belief::{Attacker, BeliefLimits, Exposure, GroupExposure, Prior, exposure};
use haggle_model::{Error, QuasiIdentifier};
use haggle_privacy::Facts;

use super::knowledge::Informed;
use super::priors::PriorSources;

/// How many of the groups in which beliefs moved furthest are reported.
const WORST: usize = 5;

/// A target with its recorded codes, and the records that have them.
pub(super) type Targets = Vec<(Vec<u32>, u64)>;

/// The limits that are asked for.
pub(super) fn limits(ask: &RiskAsk, k: Option<u64>) -> Result<AttackLimits, Error> {
    if ask.target.is_empty() && !(ask.alpha.is_empty() && ask.rule_out.is_empty()) {
        let what = "something is known of a person, and no person is named";
        return Err(Error::new(what, "name the quasi-identifiers of the person"));
    }
    let RiskAsk { delta, epsilon, rho1, rho2, moved, .. } = *ask;
    let belief = BeliefLimits { delta, epsilon, rho1, rho2, moved };
    belief.check()?;
    for (name, value) in
        [("similar", ask.similar), ("width", ask.width), ("threshold", ask.threshold)]
    {
        if !(value > 0.0 && value.is_finite()) {
            let what = format!("{name} = {value} is not possible");
            return Err(Error::new(what, format!("choose {name} above 0")));
        }
    }
    Ok(AttackLimits {
        k: ask.least_group.or(k).unwrap_or(2),
        belief,
        rule_out: ask.known_values,
        similar: ask.similar,
        width: ask.width,
    })
}

/// The attacks that are asked for.
pub(super) fn chosen(names: &[String]) -> Result<Vec<&'static Attack>, Error> {
    if names.is_empty() {
        return Ok(CATALOG.to_vec());
    }
    let find = |name: &String| {
        attacks::find(name).ok_or_else(|| {
            let known: Vec<&str> = CATALOG.iter().map(|attack| attack.id).collect();
            let what = format!("there is no attack '{name}'");
            Error::new(what, format!("choose from: {}", known.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// Runs the attacks on a publication.
pub(super) fn attacked(
    situation: &Situation<'_>,
    attacks: &[&'static Attack],
) -> Vec<AttackReport> {
    attacks.iter().map(|attack| report(attack, (attack.run)(situation))).collect()
}

fn report(attack: &'static Attack, found: Result<attacks::Finding, String>) -> AttackReport {
    let Attack { id, definition, .. } = *attack;
    let nothing = AttackReport {
        attack: id,
        definition,
        exposed: None,
        groups: 0,
        worst: Vec::new(),
        note: None,
        reason: None,
    };
    match found {
        Err(reason) => AttackReport { reason: Some(reason), ..nothing },
        Ok(found) => AttackReport {
            exposed: Some(found.exposed),
            groups: found.groups,
            worst: found.worst.into_iter().map(worst).collect(),
            note: found.note,
            ..nothing
        },
    }
}

fn worst(group: attacks::WorstGroup) -> WorstGroup {
    let attacks::WorstGroup { values, exposed, records, why, .. } = group;
    WorstGroup { values, exposed, records, why }
}

/// Everything about one sensitive attribute: beliefs by the prior asked for, and by the marginal one.
pub(super) fn reported(
    situation: &Situation<'_>,
    attacks: &[&'static Attack],
    targets: &Targets,
    sources: &PriorSources<'_>,
    ask: &RiskAsk,
) -> Result<SensitiveRisk, Error> {
    let (prior, marginal, alpha) =
        (sources.prior(&ask.prior)?, sources.marginal(), sources.alpha()?);
    let priors = [prior.as_ref(), &marginal].map(|p| Informed { prior: p, alpha: alpha.as_ref() });
    let belief = believed(situation, targets, &priors, ask)?;
    Ok(SensitiveRisk {
        attribute: situation.facts.target.name.clone(),
        attacks: attacked(situation, attacks),
        belief,
    })
}

fn believed(
    situation: &Situation<'_>,
    targets: &Targets,
    [prior, marginal]: &[Informed<'_>; 2],
    ask: &RiskAsk,
) -> Result<BeliefReport, Error> {
    let facts = situation.facts;
    let concerns: Vec<bool> =
        facts.counts.iter().zip(&facts.dont_care).map(|(n, free)| *n > 0 && !free).collect();
    let over = |prior: &dyn Prior| {
        let targets = targets.iter().map(|(codes, records)| (codes.as_slice(), *records));
        let Situation { groups, column, limits, .. } = situation;
        exposure(groups, *column, prior, targets, &concerns, &limits.belief)
    };
    let exposed = over(prior)?;
    let worst = exposed.groups.iter().take(WORST).map(|group| moved(situation, group));
    Ok(BeliefReport {
        prior: ask.prior.clone(),
        alpha: facts.alpha.as_ref().map(|alpha| alpha.given.clone().unwrap_or_default()),
        worst: worst.collect(),
        exposed: counted(&exposed),
        marginal: counted(&over(marginal)?),
        target: if ask.target.is_empty() { None } else { Some(target(situation, prior, ask)?) },
    })
}

fn counted(found: &Exposure) -> ExposedTargets {
    ExposedTargets {
        targets: found.records,
        suppressed: found.suppressed,
        positive: found.positive,
        negative: found.negative,
        breached: found.breached,
        successful: found.successful,
    }
}

fn moved(situation: &Situation<'_>, group: &GroupExposure) -> WorstBelief {
    WorstBelief {
        values: describe(situation.groups, group.group),
        records: group.records,
        before: group.before,
        after: group.after,
    }
}

fn target(
    situation: &Situation<'_>,
    prior: &dyn Prior,
    ask: &RiskAsk,
) -> Result<TargetReport, Error> {
    let facts = situation.facts;
    let codes = codes_of(situation.groups.attributes(), ask)?;
    let knowledge = knowledge(facts, ask)?;
    let attacker = Attacker::new(situation.groups, situation.column, prior)?;
    let belief = attacker.belief(&codes, Some(&knowledge))?;
    let value = |code: usize| {
        let (least, most) = belief.bounds(code);
        let value = facts.values.value(code as u32).to_owned();
        ValueBelief { value, before: belief.prior[code], least, most }
    };
    let mut values: Vec<ValueBelief> = (0..belief.prior.len()).map(value).collect();
    values.sort_by(|a, b| b.most.total_cmp(&a.most).then(b.before.total_cmp(&a.before)));
    Ok(TargetReport {
        groups: belief.groups.len(),
        contradiction: belief.is_contradiction(),
        values,
    })
}

/// The recorded codes of a person, all of whose quasi-identifiers must be stated.
fn codes_of(attributes: &[QuasiIdentifier], ask: &RiskAsk) -> Result<Vec<u32>, Error> {
    if let Some(name) = ask.target.keys().find(|name| !attributes.iter().any(|a| a.name == **name))
    {
        let known: Vec<&str> = attributes.iter().map(|a| a.name.as_str()).collect();
        let what = format!("the target has a value of '{name}', which is not a quasi-identifier");
        return Err(Error::new(what, format!("state values of: {}", known.join(", "))));
    }
    let code = |attribute: &QuasiIdentifier| {
        let name = &attribute.name;
        let value = ask.target.get(name).ok_or_else(|| {
            let what = format!("the target's '{name}' is not stated");
            Error::new(what, "state a value of every quasi-identifier")
        })?;
        attribute.hierarchy.code(value).ok_or_else(|| {
            let what = format!("'{value}' is not a recorded value of '{name}'");
            Error::new(what, "state a value as it is recorded, not a general one")
        })
    };
    attributes.iter().map(code).collect()
}

/// The factor α of each value: 0 for values that are ruled out.
fn knowledge(facts: &Facts, ask: &RiskAsk) -> Result<Vec<f64>, Error> {
    let mut factors = vec![1.0; facts.values.len()];
    let stated = ask.alpha.iter().map(|(value, factor)| (value, *factor));
    for (value, factor) in stated.chain(ask.rule_out.iter().map(|value| (value, 0.0))) {
        let code = facts.values.code(value).ok_or_else(|| {
            let what = format!("'{value}' is not a value of '{}'", facts.target.name);
            Error::new(what, "name values that occur in the table")
        })?;
        if !(factor >= 0.0 && factor.is_finite()) {
            let what = format!("alpha = {factor} of '{value}' is out of range");
            return Err(Error::new(what, "choose a factor of at least 0; 0 rules the value out"));
        }
        factors[code as usize] = factor;
    }
    Ok(factors)
}
