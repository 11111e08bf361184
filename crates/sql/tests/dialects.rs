//! Every statement of every dialect is parsed by an independent parser, in that dialect where it has one
//! and else in its generic one (Trino); texts and names come out of it as they went in.

use std::fmt::Write;

use haggle_model::{Hierarchy, QuasiIdentifier, Recoder, Region, Scheme};
use haggle_sql::{
    CodedColumn, CountQuery, DbtModel, Dialect, ExpectedGroups, Gaps, Promise, Recode,
    RecodedColumn, Relation, RelationColumn, Script, Sql, SqlColumn, TableName, dialects, shown,
};
use proptest::prelude::*;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, SelectItem, SetExpr,
    Statement, Value,
};
use sqlparser::dialect::{
    BigQueryDialect, ClickHouseDialect, DatabricksDialect, Dialect as ParserDialect, DuckDbDialect,
    GenericDialect, PostgreSqlDialect, SnowflakeDialect, SparkSqlDialect,
};
use sqlparser::parser::Parser;

fn parser(dialect: &dyn Dialect) -> Box<dyn ParserDialect> {
    match dialect.id() {
        "bigquery" => Box::new(BigQueryDialect {}),
        "clickhouse" => Box::new(ClickHouseDialect {}),
        "databricks" => Box::new(DatabricksDialect {}),
        "duckdb" => Box::new(DuckDbDialect {}),
        // Redshift has grouping sets; the parser knows them in PostgreSQL's dialect only.
        "postgresql" | "redshift" => Box::new(PostgreSqlDialect {}),
        "snowflake" => Box::new(SnowflakeDialect),
        "spark" => Box::new(SparkSqlDialect {}),
        "trino" => Box::new(GenericDialect {}),
        other => panic!("no parser for {other}"),
    }
}

/// The statements of a script; how many there are is the parser's word.
fn parsed(dialect: &dyn Dialect, text: &str) -> Vec<Statement> {
    // BigQuery has no name with a backtick, and the parser does not know its escape.
    let text = if dialect.id() == "bigquery" { &text.replace("\\`", "_") } else { text };
    parse(dialect, text)
}

fn parse(dialect: &dyn Dialect, text: &str) -> Vec<Statement> {
    Parser::parse_sql(parser(dialect).as_ref(), text)
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", dialect.id()))
}

/// The one expression that is selected.
fn selected(dialect: &dyn Dialect, expression: &str) -> Expr {
    let mut statements = parse(dialect, &format!("SELECT {expression}"));
    assert_eq!(statements.len(), 1, "{expression}");
    let Statement::Query(query) = statements.remove(0) else { panic!("{expression}") };
    let SetExpr::Select(select) = *query.body else { panic!("{expression}") };
    let [SelectItem::UnnamedExpr(found)] = &select.projection[..] else { panic!("{expression}") };
    assert!(select.from.is_empty() && select.selection.is_none(), "{expression}");
    found.clone()
}

/// The text that an expression of literals, characters and concatenations stands for.
fn meaning(expression: &Expr) -> String {
    match expression {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => text.clone(),
            other => panic!("{other}"),
        },
        Expr::Nested(inner) => meaning(inner),
        Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
            meaning(left) + &meaning(right)
        }
        Expr::Function(function) => {
            let FunctionArguments::List(list) = &function.args else { panic!("{function}") };
            let arguments = list.args.iter().map(|argument| match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expression)) => expression,
                other => panic!("{other}"),
            });
            match function.name.to_string().as_str() {
                "concat" => arguments.map(meaning).collect(),
                "chr" | "char" => arguments
                    .map(|argument| {
                        let number: u32 = argument.to_string().parse().expect("a number");
                        char::from_u32(number).expect("a character")
                    })
                    .collect(),
                other => panic!("{other}"),
            }
        }
        other => panic!("{other}"),
    }
}

/// Texts with everything that has a meaning in some dialect.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("'".to_owned()),
        Just("\\".to_owned()),
        Just("\"".to_owned()),
        Just("`".to_owned()),
        Just("--".to_owned()),
        Just("/*".to_owned()),
        Just("';DROP TABLE x;--".to_owned()),
        Just("\\'".to_owned()),
        Just("\\n".to_owned()),
        Just("${x}".to_owned()),
        Just("{{ x }}{% endraw %}".to_owned()),
        Just("$$".to_owned()),
        Just("%_?:name".to_owned()),
        Just("\n\r\t".to_owned()),
        Just("Ünïcødé 漢字".to_owned()),
        "[ -~]{0,6}",
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// What begins an expression of a template; a literal has none.
const BRACE: char = '{';

proptest! {
    #![proptest_config(ProptestConfig { cases: haggle_testkit::effort::cases(400), failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_text_means_itself(text in hostile()) {
        for dialect in dialects::CATALOG {
            for sql in [Sql::of(*dialect), Sql::templated(*dialect)] {
                let written = sql.text(&text);
                prop_assert_eq!(meaning(&selected(*dialect, &written)), text.clone(), "{} {}", dialect.id(), written);
            }
            let templated = Sql::templated(*dialect).text(&text);
            prop_assert!(!templated.contains(BRACE), "{}", templated);
        }
    }

    #[test]
    fn every_name_means_itself(name in hostile()) {
        // No engine has a column without a name.
        prop_assume!(!name.is_empty());
        for dialect in dialects::CATALOG {
            // These read escapes in names, which the parser does not.
            if ["bigquery", "clickhouse"].contains(&dialect.id()) && name.contains(['\\', '`']) {
                continue;
            }
            let written = Sql::of(*dialect).identifier(&name);
            let Expr::Identifier(found) = selected(*dialect, &written) else {
                return Err(TestCaseError::fail(format!("{} {written}", dialect.id())));
            };
            prop_assert_eq!(found.value, name.clone(), "{}", dialect.id());
        }
    }
}

const NASTY: [&str; 3] = ["Women's \\ \"x\"", "`${a}` -- {{b}}", "Ünï\n; DROP TABLE t"];

fn attributes() -> Vec<QuasiIdentifier> {
    let paths = NASTY.map(|value| vec![value.to_owned(), format!("{value} or so"), "*".to_owned()]);
    let hierarchy = Hierarchy::from_paths("a", paths).unwrap();
    ["first \"name", "second`name"]
        .map(|name| QuasiIdentifier { name: name.into(), hierarchy: hierarchy.clone() })
        .to_vec()
}

/// A publication with every kind of column.
fn recode<'a>(
    recoder: &'a Recoder<'a>,
    failing: &'a [Box<[u32]>],
    marks: &'a [String],
) -> Recode<'a> {
    let generalized = |column: &str, position| {
        (RecodedColumn::Recoded { column: column.into(), position }, column.to_owned())
    };
    let relation = shown(3, [("flu", "illness's"), ("\\", "`")].into_iter());
    Recode {
        source: "census".into(),
        columns: vec![
            generalized("first \"name", 0),
            generalized("second`name", 1),
            (RecodedColumn::AsRecorded { column: "kept'".into(), is_text: true }, "kept'".into()),
            (RecodedColumn::AsRecorded { column: "number".into(), is_text: false }, "n".into()),
            (RecodedColumn::Mapped { column: "disease".into(), relation }, "disease".into()),
            (RecodedColumn::Flag, "flag".into()),
        ],
        recoder,
        failing: failing.iter().map(AsRef::as_ref).collect(),
        keeps_stars: false,
        gaps: Gaps { marks, label: "?'", checked: vec!["disease".into()], are_values: true },
        is_shuffled: true,
    }
}

fn promise() -> Promise {
    let labels = |value: &str| vec![value.to_owned(), "*".to_owned()];
    let with = |value: &str| [labels(value), vec!["it's".into()]].concat();
    Promise {
        quasi_identifiers: vec!["first \"name".into(), "second`name".into()],
        least_records: Some(5),
        least_values: vec![("disease".into(), 2)],
        groups: vec![
            ExpectedGroups { also: None, rows: NASTY.map(|v| (labels(v), 7)).to_vec() },
            ExpectedGroups {
                also: Some("disease".into()),
                rows: NASTY.map(|v| (with(v), 7)).to_vec(),
            },
        ],
    }
}

/// Recodings by value and by combination, with failing groups and without.
fn for_each_recode(mut visit: impl FnMut(&Recode<'_>)) {
    let attributes = attributes();
    let marks = ["?".to_owned(), String::new(), "n/a'\\".to_owned()];
    let by_levels = Recoder::levels(&Scheme::new([1, 2]), &attributes);
    let regions: Vec<Vec<Region>> = (0..2).map(|i| by_levels.regions(i).to_vec()).collect();
    let combination = |codes: [u32; 2]| (Box::from(codes), Box::from([codes[0], 0]));
    let combinations = [[0, 0], [1, 2], [2, 1]].map(combination).into_iter().collect();
    let together = Recoder::by_combination(&attributes, regions.into(), combinations);
    let failing: [Box<[u32]>; 2] = [Box::from([0, 0]), Box::from([2, 0])];
    for recoder in [&by_levels, &together] {
        for failing in [&failing[..], &[]] {
            visit(&recode(recoder, failing, &marks));
        }
    }
}

#[test]
fn every_script_is_parsed_as_the_statements_that_it_has() {
    let target = TableName::parse("census.\"adult's\"").unwrap();
    let promise = promise();
    for_each_recode(|recode| {
        for dialect in dialects::CATALOG {
            let words = "k-anonymity 5\n; DROP TABLE t";
            let script =
                Script { dialect: *dialect, recode, promise: &promise, target: &target, words };
            let statements = script.statements();
            // Made, then checked five times, then shown.
            assert!(statements.len() >= 7, "{}", dialect.id());
            let text = script.text();
            assert_eq!(parsed(*dialect, &text).len(), statements.len(), "{text}");
            for statement in &statements {
                assert_eq!(parsed(*dialect, statement).len(), 1, "{statement}");
            }
        }
    });
}

#[test]
fn every_dbt_model_is_one_query_once_its_templates_are_filled_in() {
    let promise = promise();
    for_each_recode(|recode| {
        for dialect in dialects::CATALOG {
            let model = DbtModel { dialect: *dialect, recode, promise: &promise, name: "adult" };
            model.check().unwrap();
            for (text, templates) in [
                (
                    model.model(),
                    &["{{ config(materialized='table') }}", "{% raw %}", "{% endraw %}"][..],
                ),
                (model.test(), &["{{ ref('adult') }}", "{% raw %}", "{% endraw %}"]),
            ] {
                let mut plain = text.clone();
                for template in templates {
                    assert_eq!(plain.matches(template).count(), 1, "{text}");
                    let table = if template.contains("ref") { "adult" } else { "" };
                    plain = plain.replace(template, table);
                }
                assert!(!plain.contains('{'), "{plain}");
                assert_eq!(parsed(*dialect, &plain).len(), 1, "{plain}");
            }
        }
    });
}

#[test]
fn a_name_that_a_template_would_read_is_refused() {
    let (promise, dialect) = (promise(), dialects::POSTGRESQL);
    for_each_recode(|recode| {
        let named = |name| DbtModel { dialect, recode, promise: &promise, name };
        for wrong in ["", "a b", "a') }}", "ä"] {
            assert!(named(wrong).check().is_err(), "{wrong}");
        }
        let column =
            (RecodedColumn::AsRecorded { column: "{% x".into(), is_text: true }, "{% x".to_owned());
        let columns = recode.columns.iter().cloned().chain([column]).collect();
        let hostile = Recode {
            columns,
            gaps: recode.gaps.clone(),
            source: "t".into(),
            failing: vec![],
            ..*recode
        };
        let model = DbtModel { dialect, recode: &hostile, promise: &promise, name: "adult" };
        insta::allow_duplicates!(insta::assert_snapshot!(model.check().unwrap_err(), @r"
        '{% x' holds a '{', which dbt would take for a template
            fix: rename the column or the table
        "));
    });
}

#[test]
fn every_counting_statement_is_parsed() {
    let columns = ["first \"name", "second`name", "kept'", "disease"]
        .map(|name| SqlColumn { name: name.into(), kind: "json".into() });
    let marks = ["?".to_owned(), "it's \\".to_owned()];
    let map = Relation::new(
        "haggle_map",
        vec![
            ("v".into(), RelationColumn::Text(NASTY.map(str::to_owned).to_vec())),
            ("c".into(), RelationColumn::Code(vec![0, 1, 2])),
        ],
    );
    for dialect in dialects::CATALOG {
        for (merges_gaps, is_labelled) in [(true, true), (false, false)] {
            let query = CountQuery {
                sql: Sql::of(*dialect),
                source: "census",
                columns: &columns,
                coded: vec![
                    CodedColumn { column: 0, is_labelled },
                    CodedColumn { column: 3, is_labelled: true },
                ],
                checked: &[0, 2],
                marks: &marks,
                label: "?",
                merges_gaps,
            };
            let mut all = query.groups();
            for more in [
                query.records(""),
                query.marginals(),
                query.generalized(std::slice::from_ref(&map)),
            ] {
                write!(all, ";\n{more}").unwrap();
            }
            assert_eq!(parsed(*dialect, &all).len(), 4, "{all}");
        }
    }
    // Samples are taken by engines that haggle connects to.
    for dialect in [dialects::POSTGRESQL, dialects::SPARK] {
        let sample = format!("SELECT * FROM t{}", dialect.sample(12.5, u64::MAX));
        assert_eq!(parsed(dialect, &sample).len(), 1);
    }
}

#[test]
fn an_unknown_dialect_is_refused_with_those_that_there_are() {
    insta::assert_snapshot!(dialects::named("oracle").unwrap_err(), @r"
    there is no SQL dialect 'oracle'
        fix: choose from: bigquery, clickhouse, databricks, duckdb, postgresql, redshift, snowflake, spark, trino
    ");
}
