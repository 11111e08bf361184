//! The usual password file: lines of host, port, database, user and password.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use haggle_model::Progress;

use super::place;

/// The password for a connection, if the file has one.
pub(super) fn password(config: &tokio_postgres::Config, progress: &dyn Progress) -> Option<String> {
    let file = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pgpass")))?;
    let text = std::fs::read_to_string(private(&file, progress)?).ok()?;
    let (host, port) = place(config);
    let wanted = [host, port.to_string(), config.get_dbname()?.into(), config.get_user()?.into()];
    find(&text, &wanted)
}

/// Returns the file, if only its owner can read it; else ignores it with a warning, as libpq does.
fn private<'f>(file: &'f Path, progress: &dyn Progress) -> Option<&'f Path> {
    let Some(why) = unfit(&std::fs::metadata(file).ok()?) else { return Some(file) };
    let file = file.display();
    progress.warn(&format!("the password file {file} is ignored: {why}"));
    None
}

/// Why a password file is not used.
fn unfit(file: &Metadata) -> Option<&'static str> {
    if !file.is_file() {
        return Some("it is not a plain file");
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o077 != 0 {
        return Some("others can read or write it; set its permissions to 0600");
    }
    None
}

fn find(text: &str, wanted: &[String; 4]) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.map(fields).find_map(|fields| {
        let [host, port, database, user, password] = <[String; 5]>::try_from(fields).ok()?;
        let same = |(own, wanted): (&String, &String)| own == "*" || own == wanted;
        let own = [host, port, database, user];
        own.iter().zip(wanted).all(same).then_some(password)
    })
}

/// The fields of a line; a backslash takes the next letter as it is. What follows the fourth colon
/// is the password.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => fields.last_mut().expect("there is one").extend(letters.next()),
            ':' if fields.len() < 5 => fields.push(String::new()),
            _ => fields.last_mut().expect("there is one").push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_fits_counts() {
        let text = "# mine\nother:*:*:*:no\ndb:5432:*:anna:a\\:b:c\n*:*:*:*:last\n";
        let wanted = |user: &str| ["db", "5432", "census", user].map(String::from);
        assert_eq!(find(text, &wanted("anna")).as_deref(), Some("a:b:c"));
        assert_eq!(find(text, &wanted("bert")).as_deref(), Some("last"));
        assert_eq!(find("nonsense", &wanted("anna")), None);
    }
}
