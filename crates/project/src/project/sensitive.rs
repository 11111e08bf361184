//! What a project states of a sensitive attribute in addition to its role.

use std::path::PathBuf;

use haggle_privacy::{
    ClassFunction, DistanceKind, DontCare, NeverRuleOut, Stated, StatedConditional, Transform,
};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::hierarchy::{in_order, texts};
use super::strict::{Section, number};

/// The keys of a sensitive attribute; files that they name are not read yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sensitive {
    pub(crate) stated: Stated,
    /// The file of the distance matrix.
    pub matrix: Option<PathBuf>,
}

impl Sensitive {
    /// Whether nothing is stated.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

pub(super) fn read(section: &mut Section<'_, '_>, name: &str) -> Sensitive {
    let expected = "a table of lists such as { terminal = [\"AIDS\", \"cancer\"] }";
    let categories = section.take("categories", expected, |value| {
        let category =
            |(label, members): (&str, &DeValue<'_>)| Some((label.to_owned(), texts(members)?));
        in_order(value.as_table()?).into_iter().map(category).collect::<Option<Vec<_>>>()
    });
    let expected = "a table of probabilities such as { flu = 0.7, cancer = 0.3 }, or \
                    { given = \"sex\", values = { female = { flu = 0.8, cancer = 0.2 }, … } }";
    let prior = section.take("prior", expected, |value| conditional(value.as_table()?));
    let expected = "a table of factors such as { cancer = 0.5 }, or \
                    { given = \"sex\", values = { female = { \"prostate cancer\" = 0 } } }";
    let alpha = section.take("alpha", expected, |value| conditional(value.as_table()?));
    let (prior_given, prior) = match prior {
        Some(mut prior) if prior.given.is_none() => (None, prior.rows.pop().map(|(_, row)| row)),
        prior => (prior, None),
    };
    let stated = Stated {
        order: section.take("order", "a list of values, the lowest first", texts),
        hierarchy: None,
        categories: categories.unwrap_or_default(),
        dont_care: section
            .take("dont_care", "a list of values, or { most_frequent = 3 }", dont_care)
            .unwrap_or_default(),
        never_rule_out: section
            .take("never_rule_out", "a list of values, or \"occurring\"", never_rule_out)
            .unwrap_or_default(),
        class_function: class_function(section, name),
        distance: None,
        matrix: None,
        prior,
        prior_given,
        alpha,
    };
    check(section, name, &stated);
    let distance = section.string("distance");
    let matrix =
        |path: &String| DistanceKind::named(path).is_none_or(|d| d == DistanceKind::Matrix);
    let file = distance.clone().filter(matrix).map(PathBuf::from);
    let distance = distance.map(|name| DistanceKind::named(&name).unwrap_or(DistanceKind::Matrix));
    Sensitive { stated: Stated { distance, ..stated }, matrix: file }
}

fn shares(table: &DeTable<'_>) -> Option<Vec<(String, f64)>> {
    let share = |(value, share): (&str, &DeValue<'_>)| Some((value.to_owned(), number(share)?));
    in_order(table).into_iter().map(share).collect()
}

/// Numbers by sensitive value: the same for everyone, or given a quasi-identifier.
fn conditional(table: &DeTable<'_>) -> Option<StatedConditional> {
    let Some(given) = table.get("given").and_then(|given| given.get_ref().as_str()) else {
        return shares(table).map(StatedConditional::for_everyone);
    };
    let values = table.get("values").filter(|_| table.len() == 2)?.get_ref().as_table()?;
    let row = |(label, numbers): (&str, &DeValue<'_>)| {
        Some((label.to_owned(), shares(numbers.as_table()?)?))
    };
    let rows = in_order(values).into_iter().map(row).collect::<Option<Vec<_>>>()?;
    (!rows.is_empty()).then(|| StatedConditional { given: Some(given.to_owned()), rows })
}

/// What is wrong whatever the data.
fn check(section: &mut Section<'_, '_>, name: &str, stated: &Stated) {
    if let Some(prior) = &stated.prior {
        let sum: f64 = prior.iter().map(|(_, share)| share).sum();
        if (sum - 1.0).abs() > 1e-6 {
            let line = section.line_of_key("prior");
            let what = format!("the prior of '{name}' adds up to {sum}, not to 1");
            section.problem(line, what, "give every value its probability; together they make 1");
        }
    }
    for key in ["order", "dont_care", "never_rule_out"] {
        let values = match key {
            "order" => stated.order.as_deref().unwrap_or_default(),
            "dont_care" => stated.dont_care.named(),
            _ => stated.never_rule_out.named(),
        };
        if let Some((_, twice)) = values.iter().enumerate().find(|(i, v)| values[..*i].contains(v))
        {
            let line = section.line_of_key(key);
            section.problem(line, format!("{key} names '{twice}' twice"), "name each value once");
        }
    }
}

fn dont_care(value: &DeValue<'_>) -> Option<DontCare> {
    let Some(table) = value.as_table() else { return texts(value).map(DontCare::Values) };
    let most = number(table.get("most_frequent").filter(|_| table.len() == 1)?.get_ref())?;
    let whole = most >= 1.0 && most.fract() == 0.0 && most < 1e9;
    whole.then_some(DontCare::MostFrequent { most_frequent: most as usize })
}

fn never_rule_out(value: &DeValue<'_>) -> Option<NeverRuleOut> {
    match value.as_str() {
        Some("occurring") => Some(NeverRuleOut::occurring()),
        Some(_) => None,
        None => texts(value).map(NeverRuleOut::Values),
    }
}

fn class_function(section: &mut Section<'_, '_>, name: &str) -> Option<ClassFunction> {
    let expected = "\"empirical\", { points = [[0, 0], [8000, 1]] } or \
                    { gompertz = { b = 0.1, eta = 2 } }, perhaps with a function of the value: \
                    of = \"log10\" or { distance_from = 37 }";
    let function = section.take("class_function", expected, |value| match value.as_str() {
        Some("empirical") => Some(ClassFunction::Empirical),
        Some(_) => None,
        None => function(value.as_table()?),
    })?;
    if let Err(problem) = function.check(name) {
        let line = section.line_of_key("class_function");
        section.problem(line, problem.what, problem.fix);
        return None;
    }
    Some(function)
}

fn function(table: &DeTable<'_>) -> Option<ClassFunction> {
    let entries: Vec<(&str, &DeValue<'_>)> = in_order(table);
    let function = entries.iter().find(|(key, _)| *key == "of").map(|(_, value)| transform(value));
    let others: Vec<_> = entries.into_iter().filter(|(key, _)| *key != "of").collect();
    let class = match others.as_slice() {
        [("points", value)] => ClassFunction::Points(points(value)?),
        [("empirical", value)] if value.as_bool()? => ClassFunction::Empirical,
        [("gompertz", shape)] => gompertz(shape.as_table()?)?,
        _ => return None,
    };
    match function {
        None => Some(class),
        Some(function) => Some(ClassFunction::Of { class: class.into(), function: function? }),
    }
}

fn gompertz(shape: &DeTable<'_>) -> Option<ClassFunction> {
    let of = |key: &str| number(shape.get(key)?.get_ref());
    (shape.len() == 2).then(|| Some(ClassFunction::Gompertz { b: of("b")?, eta: of("eta")? }))?
}

/// A function of the value that a class function is applied to.
fn transform(value: &DeValue<'_>) -> Option<Transform> {
    if let Some(name) = value.as_str() {
        return Transform::named(name);
    }
    match in_order(value.as_table()?).as_slice() {
        [("power", power)] => number(power).map(Transform::Power),
        [("distance_from", usual)] => number(usual).map(Transform::DistanceFrom),
        [("linear", both)] => pair(both).map(|(factor, offset)| Transform::Linear(factor, offset)),
        [("points", value)] => points(value).map(Transform::Points),
        _ => None,
    }
}

fn points(value: &DeValue<'_>) -> Option<Vec<(f64, f64)>> {
    value.as_array()?.iter().map(|point: &Spanned<DeValue<'_>>| pair(point.get_ref())).collect()
}

fn pair(value: &DeValue<'_>) -> Option<(f64, f64)> {
    let pair = value.as_array()?;
    let [first, second] = [pair.first()?, pair.get(1)?];
    let numbers = (number(first.get_ref())?, number(second.get_ref())?);
    (pair.len() == 2).then_some(numbers)
}
