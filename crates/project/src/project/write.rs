//! Parts of a project file as text: names, values and rules, so that reading gives them back.

use std::fmt::Display;

use haggle_model::{
    Bounds, Builder, Dates, Groups, Intervals, Node, Pad, Prefix, Tree, ValueGroup,
};

/// Lines of a long list are at most about this long.
const WIDTH: usize = 88;
/// About the length of what precedes a list on its first line.
const PREFIX_LENGTH: usize = 24;

/// A rule as a project states it, such as `{ intervals = [5, 10, 20], origin = 17 }`.
pub(crate) fn rule(rule: &Builder) -> String {
    let keys = match rule {
        Builder::Intervals(rule) => intervals(rule),
        Builder::Bounds(rule) => bounds(rule),
        Builder::Prefix(rule) => prefix(rule),
        Builder::Dates(rule) => dates(rule),
        Builder::Groups(rule) => groups(rule),
        Builder::Tree(rule) => tree(rule),
    };
    format!("{{ {} }}", keys.join(", "))
}

fn intervals(rule: &Intervals) -> Vec<String> {
    let mut keys = vec![format!("intervals = {}", list(rule.widths()))];
    let origin = Some(rule.origin()).filter(|origin| *origin != 0.into());
    let optional = [("origin", origin), ("below", rule.ends().below), ("above", rule.ends().above)];
    keys.extend(
        optional.iter().filter_map(|(key, number)| Some(format!("{key} = {}", (*number)?))),
    );
    keys.extend(decimals(rule.has_decimals()));
    keys
}

fn bounds(rule: &Bounds) -> Vec<String> {
    let levels = format!("bounds = {}", list(rule.levels().iter().map(list)));
    std::iter::once(levels).chain(decimals(rule.has_decimals())).collect()
}

fn decimals(stated: bool) -> Option<String> {
    stated.then(|| "decimals = true".to_owned())
}

fn prefix(rule: &Prefix) -> Vec<String> {
    let pad = (rule.pad() == Pad::Left).then(|| "pad = \"left\"".to_owned());
    let length = rule.length().map(|length| format!("length = {length}"));
    let hidden = format!("prefix = {}", list(rule.hidden()));
    std::iter::once(hidden).chain(pad).chain(length).collect()
}

fn dates(rule: &Dates) -> Vec<String> {
    let units = list(rule.units().iter().map(|unit| text(unit.name())));
    let format = rule.format().map(|format| format!("format = {}", text(&format.to_string())));
    std::iter::once(format!("dates = {units}")).chain(format).collect()
}

fn groups(rule: &Groups) -> Vec<String> {
    let levels: Vec<String> = rule.levels().iter().map(|groups| level_of_groups(groups)).collect();
    let mut keys = vec![format!("groups = {}", list(levels))];
    keys.extend(rule.order().map(|order| format!("order = {}", texts(order))));
    keys.extend(rule.rest().map(|rest| format!("rest = {}", text(rest))));
    keys
}

/// A list of labels without members, or a table of labels with their members.
fn level_of_groups(groups: &[ValueGroup]) -> String {
    if groups.iter().all(ValueGroup::is_alone) {
        return texts(groups.iter().map(|group| &group.label));
    }
    let group = |group: &ValueGroup| format!("{} = {}", key(&group.label), texts(&group.members));
    format!("{{ {} }}", groups.iter().map(group).collect::<Vec<_>>().join(", "))
}

fn tree(rule: &Tree) -> Vec<String> {
    let below_top: Vec<String> = rule.below_top().iter().map(node).collect();
    let mut keys = vec![format!("tree = {{ {} }}", below_top.join(", "))];
    keys.extend(rule.rest().map(|rest| format!("rest = {}", text(rest))));
    keys
}

/// A branch with its label; below it a list, with further branches as tables.
fn node(node: &Node) -> String {
    match node {
        Node::Leaf(value) => text(value),
        Node::Branch { label, below } => {
            let item = |child: &Node| match child {
                Node::Leaf(value) => text(value),
                branch @ Node::Branch { .. } => format!("{{ {} }}", self::node(branch)),
            };
            format!("{} = {}", key(label), list(below.iter().map(item)))
        }
    }
}

/// A list of texts.
pub(crate) fn texts(items: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    list(items.into_iter().map(|item| text(item.as_ref())))
}

/// A list, broken into lines where it is long.
fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let mut lines = String::from("[");
    let mut length = PREFIX_LENGTH;
    for (i, item) in items.into_iter().enumerate() {
        let item = item.to_string();
        length += item.len() + 2;
        if i > 0 {
            lines.push(',');
            lines.push_str(if length > WIDTH { "\n    " } else { " " });
            length = if length > WIDTH { item.len() } else { length };
        }
        lines.push_str(&item);
    }
    lines.push(']');
    lines
}

/// A text in quotes.
pub(crate) fn text(value: &str) -> String {
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.extend(format!("\\u{:04X}", u32::from(c)).chars()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// The url of a database without the password that it may hold, before the host or as a parameter.
pub(crate) fn without_password(url: &str) -> String {
    let (place, parameters) = url.split_once('?').unwrap_or((url, ""));
    let (scheme, rest) = place.split_once("://").unwrap_or(("", place));
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or_default()),
        None => rest.to_owned(),
    };
    let is_public = |parameter: &&str| !parameter.to_lowercase().contains("password");
    let parameters: Vec<&str> =
        parameters.split('&').filter(|p| !p.is_empty()).filter(is_public).collect();
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("{scheme}{rest}{question}{}", parameters.join("&"))
}

/// A key, in quotes if need be.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.into() } else { text(name) }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use haggle_model::{DateUnit, Decimal, OpenEnds};
    use haggle_testkit::generate::check;
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;
    use crate::Project;
    use crate::origin::Origin;
    use crate::project::Definition;

    /// The rule that a project with this hierarchy has.
    fn read(hierarchy: &str) -> Option<Definition> {
        let text = format!(
            "[data]\npath = \"x.csv\"\n[[attribute]]\nname = \"x\"\nrole = \"quasi-identifier\"\n\
             hierarchy = {hierarchy}\n"
        );
        let origin = Origin::Folder(PathBuf::new());
        let project = Project::parse(&text, origin, "haggle.toml".into());
        project.unwrap_or_else(|error| panic!("{error}\n{text}")).attributes[0].hierarchy.clone()
    }

    fn written_and_read(builder: impl Into<Builder>) {
        let builder = builder.into();
        assert_eq!(read(&rule(&builder)), Some(Definition::Rule(builder)));
    }

    #[test]
    fn a_password_is_removed_from_an_url_wherever_it_is() {
        for (url, public) in [
            ("postgres://ada:s3:c@ret@host:5432/db", "postgres://ada@host:5432/db"),
            (
                "postgres://ada@host/db?password=x&sslmode=require",
                "postgres://ada@host/db?sslmode=require",
            ),
            ("postgresql://host/db", "postgresql://host/db"),
            ("postgres://host/db?Password=x", "postgres://host/db"),
        ] {
            assert_eq!(without_password(url), public);
        }
    }

    #[test]
    fn rules_of_numbers_are_read_as_written() {
        let ends = || prop::option::of(0..50_i32);
        let strategy = (btree_set(-90..90_i32, 1..9), 1..9_i32, -9..9_i32, ends(), 60..70_i32);
        check(200, &strategy, |(numbers, width, origin, below, above)| {
            let half: Decimal = "0.5".parse().unwrap();
            let widths = vec![half * i128::from(width), half * i128::from(width * 4)];
            let ends = OpenEnds { below: below.map(Into::into), above: Some(above.into()) };
            let intervals = Intervals::new(widths, origin.into(), ends).unwrap();
            written_and_read(intervals.clone().with_decimals());
            written_and_read(intervals);
            let bounds: Vec<Decimal> = numbers.into_iter().map(|n| half * i128::from(n)).collect();
            let bounds = Bounds::new(vec![bounds.clone(), bounds[..1].to_vec()]).unwrap();
            written_and_read(bounds.clone().with_decimals());
            written_and_read(bounds);
            Ok(())
        });
    }

    #[test]
    fn rules_of_characters_and_dates_are_read_as_written() {
        for pad in [Pad::Left, Pad::Right] {
            written_and_read(Prefix::new(vec![1, 3], pad).unwrap());
            written_and_read(Prefix::new(vec![1, 3], pad).unwrap().with_length(5));
        }
        for format in [None, Some("M/D/YYYY".parse().unwrap())] {
            written_and_read(Dates::new(vec![DateUnit::Month, DateUnit::Year], format).unwrap());
        }
    }

    /// Labels with everything that needs quotes.
    fn labels() -> impl Strategy<Value = Vec<String>> {
        btree_set("[a-c \"'\\\\.=\t\u{7}\u{7f}äß#]{1,5}", 2..40).prop_map(|labels| {
            let trimmed = labels.iter().map(|label| format!("<{label}>"));
            trimmed.collect()
        })
    }

    #[test]
    fn rules_of_labels_are_read_as_written() {
        check(300, &(labels(), vec(1..4_usize, 40), any::<bool>()), |(labels, sizes, rest)| {
            let rest = rest.then(|| labels[0].clone());
            let mut left = &labels[1..];
            let (mut groups, mut branches) = (Vec::new(), Vec::new());
            for (i, size) in sizes.iter().enumerate() {
                let (members, others) = left.split_at((*size).min(left.len()));
                left = others;
                if members.is_empty() {
                    break;
                }
                let label = format!("group \"{i}\"");
                branches.push(Node::with_values(&label, members.to_vec()));
                groups.push(ValueGroup { label, members: members.to_vec() });
            }
            let outer = Node::Branch { label: "outer".into(), below: branches.clone() };
            let mixed = Node::Branch {
                label: "mixed".into(),
                below: vec![Node::Leaf("alone".into()), Node::with_values("deep", ["below"])],
            };
            written_and_read(Tree::new(vec![outer, mixed], rest.clone()).unwrap());
            let order = labels[1..].to_vec();
            let order = (groups.iter().map(|g| g.members.len()).sum::<usize>() == order.len())
                .then_some(order);
            written_and_read(Groups::new(vec![groups], order, rest.clone()).unwrap());
            let alone = labels.iter().cloned().map(ValueGroup::alone).collect();
            written_and_read(Groups::new(vec![alone], None, rest).unwrap());
            Ok(())
        });
    }
}
