//! What a project states of a sensitive attribute in addition to its role.

use std::path::PathBuf;

use haggle_privacy::{ClassFunction, Distance, Stated};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::hierarchy::{in_order, texts};
use super::read::number;
use super::strict::Section;

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
    let expected = "a table of probabilities such as { flu = 0.7, cancer = 0.3 }";
    let prior = section.take("prior", expected, |value| shares(value.as_table()?));
    let stated = Stated {
        order: section.take("order", "a list of values, the lowest first", texts),
        hierarchy: None,
        categories: categories.unwrap_or_default(),
        dont_care: section.take("dont_care", "a list of values", texts).unwrap_or_default(),
        never_rule_out: section
            .take("never_rule_out", "a list of values", texts)
            .unwrap_or_default(),
        class_function: class_function(section, name),
        distance: None,
        matrix: None,
        prior,
    };
    check(section, name, &stated);
    let distance = section.string("distance");
    let matrix = |path: &String| Distance::named(path).is_none_or(|d| d == Distance::Matrix);
    let file = distance.clone().filter(matrix).map(PathBuf::from);
    let distance = distance.map(|name| Distance::named(&name).unwrap_or(Distance::Matrix));
    Sensitive { stated: Stated { distance, ..stated }, matrix: file }
}

fn shares(table: &DeTable<'_>) -> Option<Vec<(String, f64)>> {
    let share = |(value, share): (&str, &DeValue<'_>)| Some((value.to_owned(), number(share)?));
    in_order(table).into_iter().map(share).collect()
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
            "dont_care" => &stated.dont_care,
            _ => &stated.never_rule_out,
        };
        if let Some((_, twice)) = values.iter().enumerate().find(|(i, v)| values[..*i].contains(v))
        {
            let line = section.line_of_key(key);
            section.problem(line, format!("{key} names '{twice}' twice"), "name each value once");
        }
    }
}

fn class_function(section: &mut Section<'_, '_>, name: &str) -> Option<ClassFunction> {
    let expected =
        "\"empirical\", { points = [[0, 0], [8000, 1]] } or { gompertz = { b = 0.1, eta = 2 } }";
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
    let entries = in_order(table);
    match entries.as_slice() {
        [("points", points)] => {
            let point = |pair: &Spanned<DeValue<'_>>| {
                let pair = pair.get_ref().as_array()?;
                let [value, class] = [pair.first()?, pair.get(1)?];
                let point = (number(value.get_ref())?, number(class.get_ref())?);
                (pair.len() == 2).then_some(point)
            };
            points.as_array()?.iter().map(point).collect::<Option<_>>().map(ClassFunction::Points)
        }
        [("gompertz", shape)] => {
            let shape = shape.as_table()?;
            let of = |key: &str| number(shape.get(key)?.get_ref());
            (shape.len() == 2)
                .then(|| Some(ClassFunction::Gompertz { b: of("b")?, eta: of("eta")? }))?
        }
        _ => None,
    }
}
