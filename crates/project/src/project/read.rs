//! From the text of a project file to its parts, with every problem noted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use haggle_api::{Amount, Ask, Levels, Privacy};
use haggle_data::{CsvOptions, Encoding, Missing, OnMissing};
use haggle_model::{ANY, Problem, Role};
use rustc_hash::FxHashSet;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::remote::remote;
use super::strict::{LineEnds, Section, number};
use super::{Attribute, DataFile, PublishSettings};

/// How many errors of syntax are listed: a file that is not TOML has one on every line.
const SPELLED_OUT: usize = 5;

/// What a project file holds; complete only if no problem was noted.
#[derive(Default)]
pub(super) struct Parsed {
    pub(super) data: Option<DataFile>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) qi: Option<Vec<String>>,
    pub(super) defaults: Ask,
    pub(super) publish: PublishSettings,
}

pub(super) fn project(text: &str, problems: &mut Vec<Problem>) -> Parsed {
    let (table, errors) = DeTable::parse_recoverable(text);
    let lines = &LineEnds::of(text);
    for error in errors.iter().take(SPELLED_OUT) {
        let line = error.span().map_or(1, |span| lines.line(span.start));
        let fix = "correct the TOML syntax, if this is the project file";
        problems.push(Problem::new(error.message().to_owned()).line(line).fix(fix));
    }
    if errors.len() > SPELLED_OUT {
        let more = errors.len() - SPELLED_OUT;
        problems.push(Problem::new(format!("and {more} more places that are not TOML")));
    }
    if !errors.is_empty() {
        return Parsed::default();
    }
    let mut file = Section::new("the project", table.get_ref(), 1, lines, problems);
    let data = file.take("data", "a section [data]", DeValue::as_table);
    let attributes = file.take("attribute", "a list of sections [[attribute]]", tables);
    let request = file.take("request", "a section [request]", DeValue::as_table);
    let publish = file.take("publish", "a section [publish]", DeValue::as_table);
    let data_line = file.line_of_key("data");
    let request_line = file.line_of_key("request");
    let publish_line = file.line_of_key("publish");
    file.finish();
    if data.is_none() {
        let fix = "add [data] with path = \"table.csv\"";
        problems.push(Problem::new("the project names no data").line(1).fix(fix));
    }
    let data =
        data.and_then(|table| read_data(Section::new("[data]", table, data_line, lines, problems)));
    let attributes = attributes.unwrap_or_default().into_iter().filter_map(|(at, table)| {
        let line = lines.line(at);
        read_attribute(Section::new("[[attribute]]", table, line, lines, problems))
    });
    let attributes: Vec<Attribute> = attributes.collect();
    check_attributes(&attributes, data.as_ref(), problems);
    let (qi, defaults) = request.map_or((None, Ask::default()), |table| {
        let section = Section::new("[request]", table, request_line, lines, problems);
        read_request(section, &attributes)
    });
    let publish = publish.map_or_else(PublishSettings::default, |table| {
        read_publish(Section::new("[publish]", table, publish_line, lines, problems))
    });
    Parsed { data, attributes, qi, defaults, publish }
}

fn tables<'a>(value: &'a DeValue<'a>) -> Option<Vec<(usize, &'a DeTable<'a>)>> {
    let table = |v: &'a Spanned<DeValue<'a>>| Some((v.span().start, v.get_ref().as_table()?));
    value.as_array()?.iter().map(table).collect()
}

fn read_data(mut section: Section<'_, '_>) -> Option<DataFile> {
    let remote = remote(&mut section);
    let paths = section.take("path", "a text in quotes or a list of them", paths);
    let paths = paths.filter(|_| remote.as_ref().is_none_or(|remote| !remote.reads_files()));
    let options = CsvOptions {
        separator: section.byte("separator"),
        quote: section.byte("quote"),
        escape: section.byte("escape"),
        encoding: encoding(&mut section),
        header: section.boolean("header"),
        columns: section.strings("columns"),
    };
    check_columns(&mut section, options.columns.as_deref().unwrap_or_default());
    if options.separator.is_some() && options.separator == options.quote {
        let line = section.line_of_key("quote");
        let what = "separator and quote are the same character".into();
        section.problem(line, what, "give each its own, or leave them out to be detected");
    }
    let unit = section.string("unit");
    let mut missing = Missing::default();
    if let Some(marks) = section.strings("missing") {
        missing.marks = marks.iter().map(|mark| mark.trim().to_owned()).collect();
    }
    if let Some(policy) = section.string("on_missing") {
        match policy.as_str() {
            "value" => missing.policy = OnMissing::Value,
            "drop" => missing.policy = OnMissing::Drop,
            "unmatched" => missing.policy = OnMissing::Unmatched,
            "error" => missing.policy = OnMissing::Error,
            other => {
                let line = section.line_of_key("on_missing");
                let what = format!("on_missing = \"{other}\" is unknown");
                section.problem(
                    line,
                    what,
                    "choose \"value\", \"drop\", \"unmatched\" or \"error\"",
                );
            }
        }
    }
    if missing.policy == OnMissing::Unmatched && missing.marks.iter().any(|mark| mark == ANY) {
        let line = section.line_of_key("missing");
        let what = "'*' means all values, so it cannot mean one that matches nothing".into();
        section.problem(line, what, "take '*' out of `missing`, or choose \"drop\"");
    }
    let both = paths.is_some() && remote.is_some();
    if both || (paths.is_none() && section.raw("path").is_none() && remote.is_none()) {
        let line = section.line();
        let what = if both { "[data] names a path and a url" } else { "[data] names no path" };
        let fix =
            "add path = \"table.csv\", or url = \"postgres://…\" with table = \"schema.name\"";
        section.problem(line, what.into(), fix);
    }
    if remote.is_some() && !missing.marks.iter().any(String::is_empty) {
        // A database says itself where a value is missing.
        missing.marks.push(String::new());
    }
    section.finish();
    let paths = if remote.is_some() { Some(Vec::new()) } else { paths };
    Some(DataFile { paths: paths?, remote, given: None, options, missing, unit })
}

/// One file or pattern, or a list of them.
fn paths(value: &DeValue<'_>) -> Option<Vec<PathBuf>> {
    if let Some(path) = value.as_str() {
        return Some(vec![path.into()]);
    }
    let paths = value.as_array()?.iter().map(|path| Some(path.get_ref().as_str()?.into()));
    paths.collect::<Option<Vec<_>>>().filter(|paths| !paths.is_empty())
}

fn encoding(section: &mut Section<'_, '_>) -> Option<Encoding> {
    let name = section.string("encoding")?;
    section.noted("encoding", name.parse())
}

fn check_columns(section: &mut Section<'_, '_>, columns: &[String]) {
    let mut known = FxHashSet::default();
    for name in columns {
        if !known.insert(name) {
            let line = section.line_of_key("columns");
            section.problem(line, format!("two columns are named '{name}'"), "rename one of them");
        }
    }
}

fn read_attribute(mut section: Section<'_, '_>) -> Option<Attribute> {
    let line = section.line();
    let name = section.string("name");
    let role = section.string("role");
    let hierarchy = super::hierarchy::read(&mut section);
    let sensitive = super::sensitive::read(&mut section, name.as_deref().unwrap_or_default());
    if name.is_none() {
        section.problem(line, "an attribute without a name".into(), "add name = \"…\"");
    }
    let known = role.as_deref().and_then(Role::named);
    if let (Some(role), None) = (&role, known) {
        let names: Vec<_> = Role::ALL.iter().map(|(_, name)| *name).collect();
        let at = section.line_of_key("role");
        section.problem(
            at,
            format!("there is no role '{role}'"),
            format!("choose from: {}", names.join(", ")),
        );
    }
    section.finish();
    let role = known.unwrap_or(Role::Insensitive);
    Some(Attribute { name: name?, role, hierarchy, sensitive, line })
}

fn check_attributes(
    attributes: &[Attribute],
    data: Option<&DataFile>,
    problems: &mut Vec<Problem>,
) {
    let mut known = FxHashSet::default();
    for attribute in attributes {
        if !known.insert(&attribute.name) {
            let what = format!("the attribute '{}' is described twice", attribute.name);
            problems.push(Problem::new(what).line(attribute.line).fix("keep one of the two"));
        }
        // The data would be read as a hierarchy, and its problems would show records.
        let of_data = |file: &PathBuf| data.is_some_and(|data| data.paths.contains(file));
        if attribute.file().is_some_and(of_data) {
            let what = format!("the hierarchy of '{}' is the data file itself", attribute.name);
            let fix = "name its hierarchy file: one row per value, e.g. 37;30-39;*";
            problems.push(Problem::new(what).line(attribute.line).fix(fix));
        }
        let may_have_one = matches!(attribute.role, Role::QuasiIdentifier | Role::Sensitive);
        if attribute.hierarchy.is_some() && !may_have_one {
            let what = format!(
                "'{}' has a hierarchy but is neither a quasi-identifier nor sensitive",
                attribute.name
            );
            let fix = "give it role = \"quasi-identifier\", or leave the hierarchy out";
            problems.push(Problem::new(what).line(attribute.line).fix(fix));
        }
        if !attribute.sensitive.is_empty() && attribute.role != Role::Sensitive {
            let what = format!(
                "'{}' is described like a sensitive attribute, but is not one",
                attribute.name
            );
            let fix = "give it role = \"sensitive\", or leave out order, categories, dont_care, \
                       never_rule_out, class_function, distance, prior and alpha";
            problems.push(Problem::new(what).line(attribute.line).fix(fix));
        }
    }
    if !attributes.iter().any(|attribute| attribute.role == Role::QuasiIdentifier) {
        let what = "no attribute is a quasi-identifier, so there is nothing to generalize";
        let fix = "give at least one attribute role = \"quasi-identifier\"";
        problems.push(Problem::new(what).line(1).fix(fix));
    }
}

fn read_request(
    mut section: Section<'_, '_>,
    attributes: &[Attribute],
) -> (Option<Vec<String>>, Ask) {
    let mut ask = Ask::default();
    for (key, model) in [("k", "k-anonymity"), ("l", "distinct-l-diversity")] {
        let threshold = section.take(key, "a number", number);
        let privacy = threshold.map(|threshold| Privacy::new(model, threshold).checked());
        ask.privacy.extend(privacy.and_then(|privacy| section.noted(key, privacy)));
    }
    for text in section.strings("privacy").unwrap_or_default() {
        let privacy = text.parse().and_then(Privacy::checked);
        ask.privacy.extend(section.noted("privacy", privacy));
    }
    ask.max_suppressed = amount(&mut section, "max_suppressed");
    ask.levels = section.take("levels", "a list [2,1,0] or a table { age = 2 }", levels);
    ask.relax_height =
        section.string("relax_height").and_then(|text| section.noted("relax_height", text.parse()));
    let qi = section.strings("quasi_identifiers");
    let quasi = attributes.iter().filter(|a| a.role == Role::QuasiIdentifier);
    let quasi: FxHashSet<&str> = quasi.map(|a| a.name.as_str()).collect();
    for name in qi.iter().flatten() {
        if !quasi.contains(name.as_str()) {
            let line = section.line_of_key("quasi_identifiers");
            let what = format!("'{name}' in quasi_identifiers is not an attribute of that role");
            section.problem(line, what, "give it role = \"quasi-identifier\", or leave it out");
        }
    }
    section.finish();
    (qi, ask)
}

fn read_publish(mut section: Section<'_, '_>) -> PublishSettings {
    let mut publish = PublishSettings::default();
    publish.as_recorded = section.strings("as_recorded").unwrap_or_default();
    publish.keep = section.strings("keep").unwrap_or_default();
    publish.max_below_k = amount(&mut section, "max_below_k").unwrap_or(publish.max_below_k);
    let jointly = amount(&mut section, "max_below_k_jointly");
    publish.max_below_k_jointly = jointly.unwrap_or(publish.max_below_k_jointly);
    section.finish();
    publish
}

fn amount(section: &mut Section<'_, '_>, key: &'static str) -> Option<Amount> {
    let written = section.take(key, "a count such as 321 or a text such as \"1%\"", |value| {
        value.as_str().map(str::to_owned).or_else(|| value.as_integer().map(ToString::to_string))
    })?;
    section.noted(key, written.parse())
}

fn levels(value: &DeValue<'_>) -> Option<Levels> {
    let level = |value: &Spanned<DeValue<'_>>| value.get_ref().as_integer()?.as_str().parse().ok();
    if let Some(list) = value.as_array() {
        return list.iter().map(level).collect::<Option<Vec<u8>>>().map(Levels::InOrder);
    }
    let named = value.as_table()?.iter();
    let named = named.map(|(name, value)| Some((name.get_ref().to_string(), level(value)?)));
    named.collect::<Option<BTreeMap<_, _>>>().map(Levels::ByName)
}
