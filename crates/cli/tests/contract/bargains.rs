//! Every relaxation that is printed comes with the command that accepts it, and the command keeps
//! what was promised.

use serde_json::Value;

use crate::common::{Folder, PEOPLE};

/// Of the sets of attributes that could be left out, people see this many.
const SETS_SHOWN: usize = 3;

/// The commands that a person is offered, in order.
fn commands(text: &str) -> Vec<&str> {
    let is_command = |line: &&str| {
        ["    haggle ask ", "    haggle publish ", "    haggle why "]
            .iter()
            .any(|c| line.starts_with(c))
    };
    text.lines().filter(is_command).map(str::trim).collect()
}

/// The offers of an answer, in the order in which people see them.
fn offers(answer: &Value) -> Vec<Value> {
    let relaxations = answer["relaxations"].as_array().unwrap();
    let is_set = |one: &&Value| one["kind"] == "attributes";
    let others = relaxations.iter().filter(|one| !is_set(one));
    let shown = others.chain(relaxations.iter().filter(is_set).take(SETS_SHOWN));
    shown.map(|one| one["offer"].clone()).filter(|offer| !offer.is_null()).collect()
}

/// Thresholds in whatever order, as texts.
fn sorted(thresholds: &Value) -> Vec<String> {
    let mut list: Vec<String> =
        thresholds.as_array().unwrap().iter().map(ToString::to_string).collect();
    list.sort();
    list
}

/// Height, then records suppressed.
fn cost(offer: &Value) -> (u64, u64) {
    (offer["height"].as_u64().unwrap(), offer["suppressed"].as_u64().unwrap())
}

/// Accepts everything offered for a request; returns how many offers there were.
fn accept_all(folder: &Folder, request: &str) -> usize {
    let reported = folder.shell(&format!("haggle ask {request}"));
    let offers = offers(&folder.shell(&format!("haggle ask {request} --json")).json(0));
    let commands = commands(reported.text());
    assert_eq!(commands.len(), offers.len(), "{}", reported.stdout);
    for (command, offer) in commands.iter().zip(&offers) {
        if !command.starts_with("haggle ask") {
            let published = command.replace("FILE", "accepted.csv");
            let report = folder.shell(&format!("{published} --json")).json(0);
            assert_eq!(report["scheme"], offer["scheme"], "{command}");
            assert_eq!(report["suppressed"], offer["suppressed"], "{command}");
            continue;
        }
        let accepted = folder.shell(&format!("{command} --json")).json(0);
        assert_eq!(accepted["outcome"], "exact", "{command}");
        let exact = &accepted["exact"];
        assert!(cost(exact) <= cost(offer), "{command}: {exact} for {offer}");
        assert_eq!(exact["privacy"], offer["privacy"], "{command}");
        assert_eq!(
            sorted(&accepted["asked"]["privacy"]),
            sorted(&offer["thresholds"]),
            "{command}"
        );
    }
    offers.len()
}

#[test]
fn every_offer_on_the_embedded_data_can_be_accepted() {
    let folder = Folder::empty();
    let three = "demo:adult --qi age,race,workclass";
    let asked = [
        "--k 10 --max-suppressed 32 --levels 2,1,1",
        "--k 10 --max-suppressed 0.1% --levels 2,1,1 --relax-height closest",
        "--k 10 --max-suppressed 0.1% --levels age=2,race=1,workclass=1 --relax-height published",
        "--k 50 --levels 1,0,0",
        "--privacy k-anonymity:k=25 --max-suppressed 10 --levels workclass=0,age=1",
        "--l 5 --levels 1,1,1 --max-suppressed 20",
        "--privacy distinct-l-diversity:l=8,on=hours-per-week --levels 2,1,1 --max-suppressed 1",
        "--k 20000 --levels 3,1,1 --max-suppressed 5%",
        "--k 30163",
        "--only --l 5 --levels 1,1,1 --max-suppressed 20",
        "--k 4 --max-suppressed 0 --levels 1,1,1",
        "--l 1000000 --levels 2,1,1",
    ];
    let offered: usize =
        asked.iter().map(|asked| accept_all(&folder, &format!("{three} {asked}"))).sum();
    assert!(offered >= 30, "only {offered} offers were made");
}

#[test]
fn offers_on_the_six_of_the_study_can_be_accepted() {
    let asked =
        "six.lattice --k 10 --max-suppressed 321 --levels 2,2,2,1,1,2 --relax-height published";
    assert!(accept_all(&crate::contract::six(), asked) >= 4);
}

#[test]
fn offers_can_be_accepted_whatever_things_are_called() {
    let named = |text: &str| {
        let text = text
            .replace("\"age\"", "\"age; in $years\"")
            .replace("name,age", "name,age; in $years");
        text.replace("\"disease\"", "\"patient's disease\"")
            .replace("sex,disease", "sex,patient's disease")
    };
    let files: Vec<_> = PEOPLE
        .iter()
        .map(|(name, text)| (format!("it's \"my\" $HOME/{name}"), named(text)))
        .collect();
    let folder = Folder::with(files.iter().map(|(name, text)| (name.as_str(), text)));
    let project = r#""it's \"my\" \$HOME" --qi 'sex,age; in $years'"#;
    assert!(accept_all(&folder, &format!("{project} --k 3 --levels 1,0")) > 0);
    let on = r#"--privacy "distinct-l-diversity:l=3,on=patient's disease" --levels 1,0"#;
    assert!(accept_all(&folder, &format!("{project} {on}")) > 0);
}

#[test]
fn defaults_of_the_project_are_part_of_the_bargain() {
    let folder = Folder::people();
    folder.edit(
        "haggle.toml",
        "[data]",
        "[request]\nk = 2\nlevels = [0, 0]\nmax_suppressed = 1\n[data]",
    );
    assert!(accept_all(&folder, ".") > 0);
    assert!(accept_all(&folder, "haggle.toml --k 3") > 0);
    folder.haggle(&["build", "."]).text();
    assert!(accept_all(&folder, "haggle.lattice") > 0);
}

#[test]
fn the_tour_shows_what_it_says() {
    let folder = Folder::empty();
    let tour = folder.haggle(&["tour"]);
    let shown: Vec<&str> = tour.text().lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert!(shown.len() >= 5, "{}", tour.stdout);
    for command in shown {
        assert_eq!(folder.shell(command).code, Some(0), "{command}");
    }
}
