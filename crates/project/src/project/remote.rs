//! Where the data is if it is not in files: a url, what is read there, and how to connect.

use haggle_data::{EngineData, EngineFiles, OptionText, TableLocation};
use toml::de::{DeTable, DeValue};

use super::Remote;
use super::strict::Section;

impl Remote {
    /// Whether the database reads files by itself.
    pub(super) fn reads_files(&self) -> bool {
        matches!(self.location.data, EngineData::Files(_))
    }
}

/// A url and a table, a query or files, which go together.
pub(super) fn remote(section: &mut Section<'_, '_>) -> Option<Remote> {
    let url = section.string("url");
    let (driver, dialect) = (section.string("driver"), section.string("dialect"));
    let options = section.take("options", "a section [data.options]", DeValue::as_table);
    let options = options.map(|table| read_options(section, table)).unwrap_or_default();
    let data = data(section, url.as_deref());
    let Some((url, data)) = url.clone().zip(data) else {
        report_alone(section, url.is_some());
        return None;
    };
    let location = TableLocation { url, data, driver, dialect, options };
    if let Err(error) = location.check() {
        let line = section.line_of_key("url");
        for problem in error.into_problems() {
            section.problem(line, problem.what, problem.fix);
        }
    }
    Some(Remote { location, moment: None })
}

/// The only one of table, query and path that is given next to a url.
fn data(section: &mut Section<'_, '_>, url: Option<&str>) -> Option<EngineData> {
    let (table, query) = (section.string("table"), section.string("query"));
    let files = section.text_of("path").filter(|_| url.is_some());
    let files = files.filter(|path| EngineFiles::parse(path).is_some());
    let all =
        [table.map(EngineData::Table), query.map(EngineData::Query), files.map(EngineData::Files)];
    let mut given = all.into_iter().flatten();
    let data = given.next();
    if given.next().is_some() {
        let line = section.line();
        let what = "[data] names more than one of table, query and path".into();
        section.problem(line, what, "keep the one that is read");
    }
    data
}

/// Reports a url without something to read there, or what belongs to a url without one.
fn report_alone(section: &mut Section<'_, '_>, has_url: bool) {
    let line = section.line();
    let alone = ["table", "query", "driver", "dialect", "options"];
    let what = match alone.into_iter().find(|key| section.has(key)) {
        _ if has_url => "url without table".to_owned(),
        Some(key) => format!("{key} without url"),
        None => return,
    };
    let fix = "write both: url = \"postgres://user@host/database\" and table = \"schema.name\"; an \
               engine with an ADBC driver also takes query = \"SELECT …\" or path = \"parquet:/data/…\"";
    section.problem(line, what, fix);
}

/// The options of a driver: texts, or where a secret is kept.
fn read_options(section: &mut Section<'_, '_>, table: &DeTable<'_>) -> Vec<(String, OptionText)> {
    let mut options = Vec::new();
    for (key, value) in table {
        let Some(text) = option(value.get_ref()) else {
            let line = section.line_of_key("options");
            let what = format!("the option '{}' is not a text", key.get_ref());
            let fix = "write a text in quotes, { env = \"NAME\" } or { file = \"/path\" }";
            section.problem(line, what, fix);
            continue;
        };
        options.push((key.get_ref().to_string(), text));
    }
    options
}

fn option(value: &DeValue<'_>) -> Option<OptionText> {
    if let Some(text) = value.as_str() {
        return Some(OptionText::Plain(text.to_owned()));
    }
    let mut keys = value.as_table()?.iter();
    let (key, value) = keys.next().filter(|_| keys.next().is_none())?;
    let text = value.get_ref().as_str()?.to_owned();
    match key.get_ref().as_ref() {
        "env" => Some(OptionText::Variable(text)),
        "file" => Some(OptionText::File(text.into())),
        _ => None,
    }
}
