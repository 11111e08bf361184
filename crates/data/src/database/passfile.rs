//! The usual password file: lines of host, port, database, user and password.

use std::path::PathBuf;

use super::place;

/// The password for a connection, if the file has one.
pub(super) fn password(config: &tokio_postgres::Config) -> Option<String> {
    let file = std::env::var_os("PGPASSFILE").map(PathBuf::from);
    let file = file.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pgpass")))?;
    let text = std::fs::read_to_string(file).ok()?;
    let (host, port) = place(config);
    let wanted = [host, port.to_string(), config.get_dbname()?.into(), config.get_user()?.into()];
    find(&text, &wanted)
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
