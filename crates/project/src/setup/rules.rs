//! Hierarchies as data and as rules: what an editor changes becomes a checked rule.

use std::path::PathBuf;
use std::str::FromStr;

use haggle_api::setup::{HierarchyRule, LabelledGroup, PaddingSide, TreeNode};
use haggle_model::{
    Bounds, Builder, DateFormat, DateUnit, Dates, Decimal, Error, Groups, Intervals, Node,
    OpenEnds, Pad, Prefix, Problem, Tree, ValueGroup,
};

use crate::project::{Definition, write};

/// A definition as data.
pub(super) fn of_definition(definition: &Definition) -> HierarchyRule {
    match definition {
        Definition::File(path) => HierarchyRule::File { path: path.to_string_lossy().into() },
        Definition::Rule(rule) => of_rule(rule),
    }
}

/// A rule as data.
pub(super) fn of_rule(rule: &Builder) -> HierarchyRule {
    match rule {
        Builder::Intervals(rule) => HierarchyRule::Intervals {
            widths: numbers(rule.widths()),
            origin: number(rule.origin()),
            below: rule.ends().below.map(number),
            above: rule.ends().above.map(number),
            decimals: rule.has_decimals(),
        },
        Builder::Bounds(rule) => HierarchyRule::Bounds {
            levels: rule.levels().iter().map(|level| numbers(level)).collect(),
            decimals: rule.has_decimals(),
        },
        Builder::Prefix(rule) => HierarchyRule::Prefix {
            hidden: rule.hidden().to_vec(),
            pad: if rule.pad() == Pad::Left { PaddingSide::Left } else { PaddingSide::Right },
            length: rule.length(),
        },
        Builder::Dates(rule) => HierarchyRule::Dates {
            units: rule.units().iter().map(|unit| unit.name().to_owned()).collect(),
            format: rule.format().map(ToString::to_string),
        },
        Builder::Groups(rule) => HierarchyRule::Groups {
            levels: rule.levels().iter().map(|level| level.iter().map(group).collect()).collect(),
            order: rule.order().map(<[String]>::to_vec),
            rest: rule.rest().map(str::to_owned),
        },
        Builder::Tree(rule) => HierarchyRule::Tree {
            branches: rule.below_top().iter().map(node).collect(),
            rest: rule.rest().map(str::to_owned),
        },
    }
}

/// The value of the key `hierarchy` in a project file.
pub(super) fn to_toml(rule: &HierarchyRule) -> Result<String, Error> {
    Ok(match to_definition(rule)? {
        Definition::File(path) => write::text(&path.to_string_lossy()),
        Definition::Rule(rule) => write::rule(&rule),
    })
}

fn to_definition(rule: &HierarchyRule) -> Result<Definition, Error> {
    Ok(Definition::Rule(match rule {
        HierarchyRule::File { path } => return Ok(Definition::File(PathBuf::from(path))),
        HierarchyRule::Intervals { widths, origin, below, above, decimals: has_decimals } => {
            let ends = OpenEnds {
                below: below.map(decimal).transpose()?,
                above: above.map(decimal).transpose()?,
            };
            let rule = Intervals::new(decimals(widths)?, decimal(*origin)?, ends)?;
            if *has_decimals { rule.with_decimals() } else { rule }.into()
        }
        HierarchyRule::Bounds { levels, decimals: has_decimals } => {
            let levels: Result<Vec<_>, Error> = levels.iter().map(|l| decimals(l)).collect();
            let rule = Bounds::new(levels?)?;
            if *has_decimals { rule.with_decimals() } else { rule }.into()
        }
        HierarchyRule::Prefix { hidden, pad, length } => {
            let pad = if *pad == PaddingSide::Left { Pad::Left } else { Pad::Right };
            let rule = Prefix::new(hidden.clone(), pad)?;
            length.iter().copied().fold(rule, Prefix::with_length).into()
        }
        HierarchyRule::Dates { units, format } => dates(units, format.as_deref())?.into(),
        HierarchyRule::Groups { levels, order, rest } => {
            let level = |level: &Vec<LabelledGroup>| level.iter().map(value_group).collect();
            Groups::new(levels.iter().map(level).collect(), order.clone(), rest.clone())?.into()
        }
        HierarchyRule::Tree { branches, rest } => {
            Tree::new(branches.iter().map(tree_node).collect(), rest.clone())?.into()
        }
    }))
}

fn dates(units: &[String], format: Option<&str>) -> Result<Dates, Error> {
    let unit = |name: &String| {
        DateUnit::named(name).ok_or_else(|| {
            let fix = "choose day, week, month, quarter, year or decade";
            Error::new(format!("there is no unit '{name}'"), fix)
        })
    };
    let units: Result<Vec<_>, Error> = units.iter().map(unit).collect();
    let format = format.map(|text| {
        DateFormat::from_str(text).map_err(|error| {
            Error::from(Problem::new(error.to_string()).fix("write for example D.M.YYYY"))
        })
    });
    Dates::new(units?, format.transpose()?)
}

fn group(group: &ValueGroup) -> LabelledGroup {
    LabelledGroup { label: group.label.clone(), members: group.members.clone() }
}

fn value_group(group: &LabelledGroup) -> ValueGroup {
    let trimmed = |text: &String| text.trim().to_owned();
    ValueGroup {
        label: trimmed(&group.label),
        members: group.members.iter().map(trimmed).collect(),
    }
}

fn node(node: &Node) -> TreeNode {
    match node {
        Node::Leaf(value) => TreeNode { label: value.clone(), below: Vec::new() },
        Node::Branch { label, below } => {
            TreeNode { label: label.clone(), below: below.iter().map(self::node).collect() }
        }
    }
}

fn tree_node(node: &TreeNode) -> Node {
    let label = node.label.trim().to_owned();
    if node.below.is_empty() {
        return Node::Leaf(label);
    }
    Node::Branch { label, below: node.below.iter().map(tree_node).collect() }
}

fn number(number: Decimal) -> f64 {
    number.to_string().parse().unwrap_or_default()
}

fn numbers(numbers: &[Decimal]) -> Vec<f64> {
    numbers.iter().map(|one| number(*one)).collect()
}

fn decimal(number: f64) -> Result<Decimal, Error> {
    number.to_string().parse().map_err(|_| {
        let fix = "write a number with few digits, such as 0.5 or 65";
        Error::new(format!("{number} is not a number that a hierarchy can have"), fix)
    })
}

fn decimals(numbers: &[f64]) -> Result<Vec<Decimal>, Error> {
    numbers.iter().map(|one| decimal(*one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trip(rule: &HierarchyRule) -> HierarchyRule {
        of_definition(&to_definition(rule).unwrap())
    }

    #[test]
    fn every_rule_survives_the_way_to_a_project_and_back() {
        let group = |label: &str, members: &[&str]| LabelledGroup {
            label: label.into(),
            members: members.iter().map(|&m| m.into()).collect(),
        };
        let leaf = |label: &str| TreeNode { label: label.into(), below: Vec::new() };
        let rules = [
            HierarchyRule::Intervals {
                widths: vec![0.5, 5.0],
                origin: 0.5,
                below: Some(10.0),
                above: None,
                decimals: true,
            },
            HierarchyRule::Bounds { levels: vec![vec![18.0, 65.0], vec![65.0]], decimals: false },
            HierarchyRule::Prefix { hidden: vec![1, 2], pad: PaddingSide::Left, length: Some(5) },
            HierarchyRule::Dates {
                units: vec!["month".into(), "year".into()],
                format: Some("D.M.YYYY".into()),
            },
            HierarchyRule::Groups {
                levels: vec![vec![group("x", &["a", "b"])], vec![group("z", &["x"])]],
                order: None,
                rest: Some("Other".into()),
            },
            HierarchyRule::Tree {
                branches: vec![TreeNode { label: "x".into(), below: vec![leaf("a"), leaf("b")] }],
                rest: None,
            },
            HierarchyRule::File { path: "hierarchies/age.csv".into() },
        ];
        for rule in rules {
            assert_eq!(trip(&rule), rule);
            assert!(to_toml(&rule).is_ok());
        }
    }

    #[test]
    fn what_makes_no_hierarchy_is_refused_with_a_fix() {
        let bad = [
            HierarchyRule::Bounds { levels: vec![vec![f64::NAN]], decimals: false },
            HierarchyRule::Intervals {
                widths: vec![-1.0],
                origin: 0.0,
                below: None,
                above: None,
                decimals: false,
            },
            HierarchyRule::Dates { units: vec!["fortnight".into()], format: None },
            HierarchyRule::Dates { units: vec!["month".into()], format: Some("YY".into()) },
            HierarchyRule::Tree { branches: Vec::new(), rest: None },
        ];
        for rule in bad {
            let problems = to_toml(&rule).unwrap_err().into_problems();
            assert!(problems.iter().all(|problem| !problem.fix.is_empty()), "{rule:?}");
        }
    }
}
