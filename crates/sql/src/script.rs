//! A publication as text for a database that haggle does not connect to: a script that writes,
//! proves and then shows a table, or a dbt model with a test.

use haggle_model::{Error, Problem};

use crate::dialect::{Dialect, Sql};
use crate::names::TableName;
use crate::promise::{Check, Promise};
use crate::recode::Recode;
use crate::relation::Relation;

/// What a staged table's name ends in.
pub(crate) const STAGED: &str = "__haggle_staged";

/// A script that recodes, suppresses and proves.
#[derive(Debug)]
pub struct Script<'a> {
    /// The dialect that it is written in.
    pub dialect: &'a dyn Dialect,
    /// What is published.
    pub recode: &'a Recode<'a>,
    /// What must hold.
    pub promise: &'a Promise,
    /// The table to be made.
    pub target: &'a TableName,
    /// What is promised, in words.
    pub words: &'a str,
}

impl Script<'_> {
    /// The statements, each without its semicolon.
    pub fn statements(&self) -> Vec<String> {
        let sql = Sql::of(self.dialect);
        let staged = self.target.with_suffix(STAGED).sql(&sql);
        let target = self.target.sql(&sql);
        let (begin, commit) = self.dialect.transaction().unzip();
        let mut all: Vec<String> = begin.map(str::to_owned).into_iter().collect();
        all.push(self.dialect.create_as(&staged, &with_relations(&sql, self.recode)));
        for check in self.promise.checks(&sql, &staged) {
            all.push(self.dialect.expect_none(&check.query, check.message));
        }
        all.extend(self.dialect.reveal(&staged, &target, &sql.identifier(self.target.last())));
        all.extend(commit.map(str::to_owned));
        all
    }

    /// The whole file.
    pub fn text(&self) -> String {
        let sql = Sql::of(self.dialect);
        let staged = self.target.with_suffix(STAGED).sql(&sql);
        let left = match self.dialect.transaction() {
            Some(_) => "If a statement fails, stop and roll back: nothing is left.".to_owned(),
            None => format!(
                "If a statement fails, stop: nothing but {staged} is left; DROP TABLE {staged} \
                 removes it."
            ),
        };
        let mut text = format!(
            "-- Recodes a table, proves what was promised, and only then shows the result.\n\
             -- Dialect: {}. Promise: {}.\n\
             -- Private: it holds values, groups and counts of the data. Keep it as secret as the data.\n\
             -- {left}\n",
            self.dialect.title(),
            one_line(self.words),
        );
        for statement in self.statements() {
            text += &format!("\n{statement};\n");
        }
        text
    }
}

/// A text that cannot end the comment it is in.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The query of the published records, with what it is joined with.
fn with_relations(sql: &Sql<'_>, recode: &Recode<'_>) -> String {
    let relation = |r: &Relation| format!("{} AS (\n{}\n)", r.name, sql.rows(r));
    let relations: Vec<String> = recode.relations().iter().map(relation).collect();
    format!("WITH {}\n{}", relations.join(",\n"), recode.query(sql))
}

/// A dbt model, and a test that fails if the promise does not hold.
#[derive(Debug)]
pub struct DbtModel<'a> {
    /// The dialect that it is written in.
    pub dialect: &'a dyn Dialect,
    /// What is published.
    pub recode: &'a Recode<'a>,
    /// What must hold.
    pub promise: &'a Promise,
    /// The model's name.
    pub name: &'a str,
}

impl DbtModel<'_> {
    /// Checks that names can stand in a template.
    pub fn check(&self) -> Result<(), Error> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            let fix = "use letters, digits and _ only";
            return Err(Error::new("this is not a name of a dbt model", fix));
        }
        let names = self.recode.columns.iter().map(|(_, title)| title);
        let mut names = names.chain(&self.recode.gaps.checked).chain([&self.recode.source]);
        match names.find(|name| name.contains('{')) {
            None => Ok(()),
            Some(name) => {
                let what = format!("'{name}' holds a '{{', which dbt would take for a template");
                Err(Problem::new(what).fix("rename the column or the table").into())
            }
        }
    }

    /// The model's file.
    pub fn model(&self) -> String {
        let query = with_relations(&Sql::templated(self.dialect), self.recode);
        format!(
            "{{{{ config(materialized='table') }}}}\n\
             -- Private: it holds values and groups of the data. Keep it as secret as the data.\n\
             {{% raw %}}\n{query}{}\n{{% endraw %}}\n",
            self.dialect.settings()
        )
    }

    /// The test's file: dbt fails if it returns a row.
    pub fn test(&self) -> String {
        let sql = Sql::templated(self.dialect);
        let checks = self.promise.checks(&sql, "haggle_published");
        let check = |check: &Check| {
            format!("SELECT '{}' AS problem FROM ({}) AS failing", check.message, check.query)
        };
        let checks: Vec<String> = checks.iter().map(check).collect();
        format!(
            "-- Private: it holds values and groups of the data. Keep it as secret as the data.\n\
             WITH haggle_published AS (SELECT * FROM {{{{ ref('{}') }}}})\n{{% raw %}}\n{}\n{{% endraw %}}\n",
            self.name,
            checks.join("\nUNION ALL\n")
        )
    }
}
