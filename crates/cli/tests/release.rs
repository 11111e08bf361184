//! What goes into a release: completions for every shell and a man page for every command.

use crate::common::Folder;

const COMPLETIONS: [&str; 5] =
    ["haggle.bash", "haggle.fish", "_haggle", "_haggle.ps1", "haggle.elv"];

/// The commands that `--help` lists, with those below them: `hierarchy`, `hierarchy-show`.
fn commands(path: &[&str]) -> Vec<String> {
    let help = Folder::empty().haggle(&[path, &["--help"]].concat());
    let text = help.text();
    let lines = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let mut found = Vec::new();
    for name in names.filter(|name| *name != "help") {
        let path = [path, &[name]].concat();
        found.push(path.join("-"));
        found.extend(commands(&path));
    }
    found
}

#[test]
fn completions_and_man_pages_are_generated_for_every_command() {
    let folder = Folder::empty();
    folder.haggle(&["generate", "files"]).text();
    let read = |name: &str| String::from_utf8(folder.read(&format!("files/{name}"))).unwrap();
    let commands = commands(&[]);
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        let page = read(&format!("man/haggle-{command}.1"));
        assert!(page.contains(".SH NAME"), "{command}: {page}");
    }
    assert!(read("man/haggle.1").contains("haggle"));
    for file in COMPLETIONS {
        let text = read(&format!("completions/{file}"));
        for command in commands.iter().filter(|command| !command.contains('-')) {
            assert!(text.contains(command.as_str()), "{file} does not complete {command}");
        }
        assert!(text.contains("max-suppressed"), "{file} does not complete options");
    }
    let pages = std::fs::read_dir(folder.file("files/man")).unwrap().count();
    assert_eq!(pages, commands.len() + 1, "a page for every command, and no other");
}

#[test]
fn generating_is_not_listed_among_the_commands() {
    assert!(!commands(&[]).iter().any(|command| command == "generate"));
}
