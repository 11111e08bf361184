//! The text of a guessed project: TOML with a reason for everything.

use std::fmt::Write;

use haggle_model::Role;

use haggle_data::TableLocation;

use super::{Draft, Guess, RemoteTable};
use crate::project::write;

/// Comments are broken into lines of at most this length.
const WIDTH: usize = 96;

/// The project file.
pub(super) fn project(draft: &Draft) -> String {
    let mut text = head(draft);
    text += &data(draft);
    for guess in &draft.attributes {
        text += &attribute(guess);
    }
    text + &request(draft)
}

fn head(draft: &Draft) -> String {
    let mut text = comment(&format!(
        "Written by haggle from the data in {}: {} records, {} columns. Everything below is a \
         guess, with its reason.",
        looked_at(draft),
        draft.records,
        draft.attributes.len()
    ));
    if !draft.look_first.is_empty() {
        text += "#\n# Review first:\n";
        for note in &draft.look_first {
            text += &comment(note).replace("\n# ", "\n#   ").replacen("# ", "# - ", 1);
        }
    }
    text + "#\n# Then check this project, and ask it for a scheme.\n\n"
}

/// The file; of several the first name and how many there are, since a list says the rest.
fn looked_at(draft: &Draft) -> String {
    if let Some(remote) = &draft.remote {
        return format!("the table {}", remote.table);
    }
    match (&draft.data[..], draft.files) {
        ([only], 1) => only.display().to_string(),
        ([pattern], files) => format!("{} ({files} files)", pattern.display()),
        ([first, ..], files) => format!("{} and more ({files} files)", first.display()),
        ([], _) => String::new(),
    }
}

fn data(draft: &Draft) -> String {
    let paths: Vec<_> = draft.data.iter().map(|path| path.to_string_lossy()).collect();
    let path = match &paths[..] {
        [only] => write::text(only),
        several => write::texts(several),
    };
    let mut text = match &draft.remote {
        Some(RemoteTable { url, table }) => {
            let is_adbc = TableLocation::table(url, table).is_adbc();
            let why = comment(if is_adbc {
                "A secret belongs into the environment or a file, not into this one: under \
                 [data.options], password = { env = \"NAME\" }."
            } else {
                "A password belongs into PGPASSWORD or ~/.pgpass, not into this file."
            });
            let url = write::text(&write::without_password(url));
            format!("[data]\n{why}url = {url}\ntable = {}\n", write::text(table))
        }
        None => format!("[data]\npath = {path}\n"),
    };
    if let Some(encoding) = &draft.encoding {
        text += &comment("The file is not UTF-8. This is the likeliest other encoding.");
        let _ = writeln!(text, "encoding = {}", write::text(encoding));
    }
    if let Some(columns) = &draft.columns {
        text += &comment(if draft.header {
            "Some names in the first record are empty or occur twice, so the columns are named here."
        } else {
            "The first record looks like data, not like names. Give the columns the names they \
             deserve, here and below."
        });
        let _ = writeln!(text, "header = {}\ncolumns = {}", draft.header, write::texts(columns));
    }
    text += &missing(draft);
    if let Some(unit) = &draft.unit {
        text += &comment(&format!(
            "'{unit}' repeats. If it identifies persons, count persons instead of records, because \
             k records of one person are not k persons:"
        ));
        let _ = writeln!(text, "# unit = {}", write::text(unit));
    }
    text + "\n"
}

fn missing(draft: &Draft) -> String {
    let marks = match &draft.missing[..] {
        [] => comment("No missing values were found; an empty field would be one."),
        marks => {
            let columns: Vec<String> =
                draft.missing_in.iter().map(|(name, count)| format!("{name} ({count})")).collect();
            let why = format!(
                "These fields seem to mean \"not known\"; they occur in {}.",
                columns.join(", ")
            );
            format!("{}missing = {}\n", comment(&why), write::texts(marks))
        }
    };
    let why = match (draft.on_missing.as_str(), draft.dropped) {
        ("value", _) => {
            "Dropping the records with missing values would lose too many of them, so missing is a \
             value of its own; or \"drop\", \"unmatched\" (it matches nothing), or \"error\"."
        }
        _ => {
            "Records with a missing value that matters are left out; or \"value\" (of its own), \
              \"unmatched\" (it matches nothing), or \"error\"."
        }
    };
    format!("{marks}{}on_missing = {}\n", comment(why), write::text(&draft.on_missing))
}

fn attribute(guess: &Guess) -> String {
    let different = match guess.values {
        1 => "1 value".into(),
        n if guess.estimated => format!("about {n} different values"),
        n => format!("{n} different values"),
    };
    let mut text = String::from("[[attribute]]\n");
    text += &comment(&format!("{different}: {}.", guess.why));
    let role = Role::ALL.iter().find(|(role, _)| *role == guess.role).map_or("", |(_, name)| name);
    let _ = writeln!(text, "name = {}\nrole = {}", write::text(&guess.name), write::text(role));
    if let Some(why) = &guess.hierarchy_why {
        text += &comment(&format!(
            "{}{}.",
            if guess.hierarchy.is_some() { "" } else { "No hierarchy: " },
            why
        ));
    }
    if let Some(hierarchy) = &guess.hierarchy {
        let _ = writeln!(text, "hierarchy = {hierarchy}");
    }
    text + "\n"
}

fn request(draft: &Draft) -> String {
    let mut text = comment("The default request.");
    text += "[request]\nk = 5\nmax_suppressed = \"1%\"\n";
    let all = draft.named(Role::QuasiIdentifier).len();
    let chosen = draft.quasi_identifiers.len();
    if chosen == 0 || chosen == all {
        return text;
    }
    text += &comment(&format!(
        "{chosen} of the {all} quasi-identifiers, the most telling ones, with {} schemes: few enough \
         to begin with. The others are not published until they are named here or in a request.",
        draft.schemes
    ));
    let _ = writeln!(text, "quasi_identifiers = {}", write::texts(&draft.quasi_identifiers));
    text
}

/// Returns what the user should review first.
pub(super) fn look_first(draft: &Draft) -> Vec<String> {
    let mut notes = Vec::new();
    if !draft.header {
        notes.push(
            "the columns: they have no names, so roles were guessed from values alone".into(),
        );
    }
    if let Some(encoding) = &draft.encoding {
        notes.push(format!("letters such as ä and é: the encoding was guessed as {encoding}"));
    }
    let quasi = draft.named(Role::QuasiIdentifier);
    notes.push(format!("the quasi-identifiers, which others may know: {}", quasi.join(", ")));
    notes.push(match draft.named(Role::Sensitive).as_slice() {
        [] => "what must not become known: no column seems sensitive".into(),
        names => format!("what must not become known: {}", names.join(", ")),
    });
    let doubtful: Vec<_> =
        draft.attributes.iter().filter(|g| g.doubtful).map(|g| g.name.as_str()).collect();
    if !doubtful.is_empty() {
        notes.push(format!("doubtful guesses: {}", doubtful.join(", ")));
    }
    if let Some(unit) = &draft.unit {
        notes.push(format!("whether '{unit}' identifies persons with several records (unit)"));
    }
    if draft.dropped > 0 {
        let share = 100.0 * draft.dropped as f64 / draft.records.max(1) as f64;
        let dropped = draft.dropped;
        notes.push(format!("missing values: {dropped} records ({share:.1} %) are left out"));
    }
    notes
}

/// A comment, broken into lines, without characters that TOML does not allow there.
fn comment(words: &str) -> String {
    let words = words.replace(char::is_control, " ");
    let mut text = String::new();
    let mut line = String::from("#");
    for word in words.split_whitespace() {
        if line.chars().count() + 1 + word.chars().count() > WIDTH && line.len() > 1 {
            text += &line;
            text.push('\n');
            line = String::from("#");
        }
        line.push(' ');
        line += word;
    }
    text + &line + "\n"
}
