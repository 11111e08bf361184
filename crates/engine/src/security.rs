//! How well each sensitive value of a scheme's groups is hidden among the others: ψ.

use haggle_api::{Security, SecurityOptions, ValueSecurity};
use haggle_model::{Error, Scheme};
use haggle_privacy::security as security_of;

use crate::Engine;

/// The security estimate of each sensitive value in the groups of a scheme.
pub(crate) fn security(
    engine: &Engine,
    scheme: &Scheme,
    options: &SecurityOptions,
) -> Result<Security, Error> {
    let scheme = engine.scheme(scheme)?;
    if !(options.width > 0.0 && options.width.is_finite()) {
        return Err(Error::new("a suspicion has some width", "choose a width above 0"));
    }
    let mut matching = engine
        .facts()
        .iter()
        .filter(|facts| options.on.as_ref().is_none_or(|on| facts.target.name == *on));
    let (Some(facts), None) = (matching.next(), matching.next()) else {
        let names: Vec<_> = engine.facts().iter().map(|f| f.target.name.as_str()).collect();
        let fix = format!("name one with --on: {}", names.join(", "));
        return Err(Error::new("of which sensitive attribute?", fix));
    };
    let name = &facts.target.name;
    let classes = facts.classes.as_ref().ok_or_else(|| {
        let what = format!("the project states no class_function of '{name}'");
        Error::new(what, "add class_function = \"empirical\" to the attribute")
    })?;
    let mut found = vec![(0_u64, f64::INFINITY, 0.0, f64::NEG_INFINITY); classes.len()];
    engine.cube().for_each_group(&scheme, facts.target.position, |_, group| {
        for (code, psi) in security_of(classes, group, options.width, options.scale) {
            let (groups, least, sum, most) = &mut found[code as usize];
            (*groups, *least) = (*groups + 1, least.min(psi));
            (*sum, *most) = (*sum + psi, most.max(psi));
        }
    });
    let mut order: Vec<usize> = (0..classes.len()).filter(|&code| found[code].0 > 0).collect();
    order.sort_by_key(|&code| facts.ranks[code]);
    let value = |code: usize| {
        let (groups, least, sum, most) = found[code];
        let value = facts.values.value(code as u32).to_owned();
        let mean = sum / groups as f64;
        ValueSecurity { value, class: classes[code], groups, least, mean, most }
    };
    let values = order.into_iter().map(value).collect();
    Ok(Security { scheme, attribute: name.clone(), values })
}
