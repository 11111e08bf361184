//! Changes a project file as a plan says, and nothing else: comments and formatting are kept.

use haggle_api::Amount;
use haggle_api::setup::{HierarchyRule, PlannedColumn, SetupPlan};
use haggle_model::{Error, Problem, Role};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

use super::{rules, same};
use crate::Project;
use crate::project::write;

/// The comment next to what the curator chose instead of a guess.
const CHOSEN: &str = " # chosen on the page";

/// How the text that `haggle init` writes begins the reason for having no hierarchy.
const NO_HIERARCHY: &str = "# No hierarchy:";

/// The text with the changes from one plan to another. In a text that was guessed, changed roles and
/// hierarchies are marked as chosen.
pub(super) fn text(
    text: &str,
    stated: &Project,
    before: &SetupPlan,
    plan: &SetupPlan,
    guessed: bool,
) -> Result<String, Error> {
    let mut document: DocumentMut = text.parse().map_err(|_| {
        Error::new("the project file is not TOML", "correct the file, and open it again")
    })?;
    let mut edit = Edit { stated, before, plan, note: if guessed { CHOSEN } else { "" } };
    edit.attributes(&mut document)?;
    edit.data(section(&mut document, "data")?)?;
    edit.request(&mut document)?;
    Ok(document.to_string())
}

struct Edit<'a> {
    stated: &'a Project,
    before: &'a SetupPlan,
    plan: &'a SetupPlan,
    note: &'a str,
}

impl Edit<'_> {
    fn data(&mut self, data: &mut Table) -> Result<(), Error> {
        let Self { before, plan, .. } = self;
        if plan.missing != before.missing {
            set(data, "missing", &write::texts(&plan.missing), "")?;
        }
        if plan.on_missing != before.on_missing {
            set(data, "on_missing", &write::text(plan.on_missing.name()), "")?;
        }
        match &plan.unit {
            unit if *unit == before.unit => {}
            Some(unit) => set(data, "unit", &write::text(unit), "")?,
            None => drop(data.remove("unit")),
        }
        Ok(())
    }

    fn attributes(&mut self, document: &mut DocumentMut) -> Result<(), Error> {
        let item = document.entry("attribute").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        let Some(tables) = item.as_array_of_tables_mut() else {
            let what = "the attributes are not written as sections";
            return Err(Error::new(what, "write each as [[attribute]], and open the file again"));
        };
        let mut given = Vec::new();
        for column in &self.plan.columns {
            let named = |table: &Table| {
                table.get("name").and_then(Item::as_str) == Some(column.name.as_str())
            };
            let position = tables.iter().position(named);
            match position.and_then(|position| tables.get_mut(position)) {
                Some(table) => {
                    if self.attribute(table, column)? {
                        given.push(column.name.clone());
                    }
                }
                None if column.role == Role::Insensitive => {}
                None => {
                    let mut table = Table::new();
                    table.decor_mut().set_prefix("\n");
                    set(&mut table, "name", &write::text(&column.name), "")?;
                    set(&mut table, "role", &write::text(name_of(column.role)), self.note)?;
                    self.attribute(&mut table, column)?;
                    tables.push(table);
                }
            }
        }
        without_reasons(document, &given);
        Ok(())
    }

    /// Changes an attribute; says whether it has a hierarchy that it did not have.
    fn attribute(&self, table: &mut Table, column: &PlannedColumn) -> Result<bool, Error> {
        let stated = self.stated.attributes.iter().find(|a| a.name == column.name);
        if stated.is_none_or(|stated| stated.role != column.role) {
            set(table, "role", &write::text(name_of(column.role)), self.note)?;
            if column.role != Role::Sensitive {
                remove_sensitive(table);
            }
        }
        let may_have_one = matches!(column.role, Role::QuasiIdentifier | Role::Sensitive);
        // A hierarchy of a sensitive column means more than how it is generalized.
        let suits = column.role == Role::QuasiIdentifier
            || stated.is_some_and(|s| s.role == Role::Sensitive && s.hierarchy.is_some());
        let wanted = column.hierarchy.as_ref().filter(|_| may_have_one && suits);
        let before = stated.and_then(|stated| stated.hierarchy.as_ref());
        match wanted {
            rule if same(rule, before) => Ok(false),
            None => {
                table.remove("hierarchy");
                Ok(false)
            }
            // A client must not make haggle read a file that it names.
            Some(HierarchyRule::File { .. }) => {
                let what = format!("the hierarchy of '{}' names another file", column.name);
                Err(Error::new(what, "paste the content of the file instead"))
            }
            Some(rule) => {
                let rule = rules::to_toml(rule).map_err(|error| placed(error, &column.name))?;
                set(table, "hierarchy", &rule, self.note)?;
                Ok(before.is_none())
            }
        }
    }

    fn request(&mut self, document: &mut DocumentMut) -> Result<(), Error> {
        let Self { stated, before, plan, .. } = self;
        let mut negotiated = plan.negotiated();
        if negotiated.is_empty() {
            let what = "no quasi-identifier is negotiated, so there is nothing to generalize";
            let fix = "give a column the role quasi-identifier, or negotiate one that has it";
            return Err(Error::new(what, fix));
        }
        let order = stated.default_qi();
        negotiated.sort_by_key(|name| order.iter().position(|n| n == name).unwrap_or(usize::MAX));
        let quasi = plan.columns.iter().filter(|c| c.role == Role::QuasiIdentifier).count();
        let request = section(document, "request")?;
        if quasi == negotiated.len() && order != negotiated {
            request.remove("quasi_identifiers");
        } else if order != negotiated || quasi > stated.named(Role::QuasiIdentifier).len() {
            set(request, "quasi_identifiers", &write::texts(&negotiated), "")?;
        }
        if let Some(k) = plan.k.filter(|_| plan.k != before.k) {
            set(request, "k", &k.to_string(), "")?;
        }
        if let Some(limit) =
            plan.max_suppressed.as_ref().filter(|_| plan.max_suppressed != before.max_suppressed)
        {
            let limit: Amount = limit.parse()?;
            set(request, "max_suppressed", &write::text(&limit.to_string()), "")?;
        }
        Ok(())
    }
}

fn name_of(role: Role) -> &'static str {
    Role::ALL.iter().find(|(other, _)| *other == role).map_or("", |(_, name)| name)
}

/// Where a problem of a rule is: no file has it yet.
fn placed(error: Error, column: &str) -> Error {
    error.map_problems(|problem| {
        let what = format!("the hierarchy of '{column}': {}", problem.what);
        Problem::new(what).of_kind(problem.kind).fix(problem.fix)
    })
}

/// A section, which is added if it is not there.
fn section<'d>(document: &'d mut DocumentMut, name: &str) -> Result<&'d mut Table, Error> {
    let item = document.entry(name).or_insert_with(|| {
        let mut table = Table::new();
        table.decor_mut().set_prefix("\n");
        Item::Table(table)
    });
    item.as_table_mut().ok_or_else(|| {
        Error::new(
            format!("{name} is not a section"),
            format!("write [{name}] on a line of its own"),
        )
    })
}

/// Sets a key; what stands around an earlier value stays.
fn set(table: &mut Table, key: &str, value: &str, note: &str) -> Result<(), Error> {
    let mut value: Value = value.parse().map_err(|_| {
        Error::new(format!("{key} cannot be written"), "leave out unusual characters")
    })?;
    let earlier = table.get(key).and_then(Item::as_value).map(|v| v.decor().clone());
    let commented = |decor: &toml_edit::Decor| {
        decor.suffix().and_then(|s| s.as_str()).is_some_and(|suffix| suffix.contains('#'))
    };
    match earlier {
        Some(decor) if commented(&decor) => *value.decor_mut() = decor,
        _ => *value.decor_mut() = toml_edit::Decor::new(" ", note),
    }
    match table.get_mut(key) {
        Some(item) => *item = Item::Value(value),
        None => drop(table.insert(key, Item::Value(value))),
    }
    Ok(())
}

/// What only a sensitive attribute may state.
fn remove_sensitive(table: &mut Table) {
    for key in [
        "order",
        "categories",
        "dont_care",
        "never_rule_out",
        "class_function",
        "distance",
        "prior",
        "alpha",
    ] {
        table.remove(key);
    }
}

/// Removes the reason for having no hierarchy below attributes that have one now. It is written in
/// front of whatever follows the attribute.
fn without_reasons(document: &mut DocumentMut, given: &[String]) {
    let mut follows_given = false;
    if let Some(tables) = document.get_mut("attribute").and_then(Item::as_array_of_tables_mut) {
        for table in tables.iter_mut() {
            remove_reason(table, follows_given);
            let name = table.get("name").and_then(Item::as_str).unwrap_or_default();
            follows_given = given.iter().any(|one| one == name);
        }
    }
    if let Some(request) = document.get_mut("request").and_then(Item::as_table_mut) {
        remove_reason(request, follows_given);
    }
}

fn remove_reason(table: &mut Table, follows_given: bool) {
    let prefix = table.decor().prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
    if follows_given && prefix.trim_start().starts_with(NO_HIERARCHY) {
        let rest = prefix.split_once("\n\n").map_or("", |(_, rest)| rest);
        let rest = format!("\n{rest}");
        table.decor_mut().set_prefix(rest);
    }
}

#[cfg(test)]
mod tests {
    use haggle_api::setup::{HierarchyRule, SetupPlan};
    use haggle_model::{Role, Silent};

    use crate::TableSetup;

    /// A table of four columns; its sexes have no hierarchy, because there are two of them.
    fn setup(folder: &std::path::Path) -> TableSetup {
        let lines: String = (0..40)
            .map(|i| format!("{},{},{}\n", 20 + i, ["f", "m"][i % 2], ["flu", "cold"][i % 2]))
            .collect();
        let data = folder.join("people.csv");
        std::fs::write(&data, format!("age,sex,disease\n{lines}")).unwrap();
        TableSetup::of_file(&data, &Silent).unwrap()
    }

    fn changed(setup: &TableSetup, change: impl FnOnce(&mut SetupPlan)) -> String {
        let mut plan = setup.plan();
        change(&mut plan);
        setup.project(&plan).unwrap();
        setup.text(&plan).unwrap()
    }

    #[test]
    fn a_plan_that_changes_nothing_changes_no_byte() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path());
        assert_eq!(changed(&setup, |_| ()), setup.text);
    }

    #[test]
    fn the_reason_for_having_no_hierarchy_goes_when_there_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path());
        assert!(setup.text.contains("# No hierarchy: with 2 values"), "{}", setup.text);
        let text = changed(&setup, |plan| {
            let sex = plan.columns.iter_mut().find(|column| column.name == "sex").unwrap();
            sex.hierarchy = Some(HierarchyRule::Prefix {
                hidden: vec![1],
                pad: haggle_api::setup::PaddingSide::default(),
                length: None,
            });
        });
        assert!(text.contains("hierarchy = { prefix = [1] } # chosen on the page"), "{text}");
        assert!(!text.contains("# No hierarchy: with 2 values"), "{text}");
        assert!(text.contains("# The default request."), "{text}");
    }

    #[test]
    fn a_dropped_column_keeps_its_reason_and_loses_its_hierarchy() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path());
        let text = changed(&setup, |plan| {
            let age = plan.columns.iter_mut().find(|column| column.name == "age").unwrap();
            age.role = Role::Identifier;
        });
        assert!(text.contains("its name suggests an age"), "{text}");
        assert!(text.contains("role = \"identifier\" # chosen on the page"), "{text}");
        assert!(!text.contains("intervals"), "{text}");
    }

    #[test]
    fn what_is_negotiated_is_written_only_where_it_is_not_everything() {
        let folder = tempfile::tempdir().unwrap();
        let setup = setup(folder.path());
        let text = changed(&setup, |plan| {
            let sex = plan.columns.iter_mut().find(|column| column.name == "sex").unwrap();
            sex.negotiated = false;
        });
        assert!(text.contains("quasi_identifiers = [\"age\"]"), "{text}");
        let text = changed(&setup, |plan| plan.unit = Some("disease".into()));
        assert!(
            text.contains("unit = \"disease\"") && !text.contains("quasi_identifiers"),
            "{text}"
        );
    }
}
