//! Changing data: updated lattices, and what they refuse.

use haggle_testkit::titled;
use insta::assert_snapshot;

use crate::common::{Folder, untimed};

#[test]
fn an_updated_lattice_answers_and_publishing_waits_for_the_data() {
    let folder = Folder::people();
    folder.haggle(&["build", "."]).text();
    folder.write("added.csv", "name,age,sex,disease\nEve,34,f,gout\nFay,36,f,flu\n");
    folder.write("deleted.csv", "name,age,sex,disease\nDan,47,m,gout\n");
    let update = ["update", ".", "--add", "added.csv", "--delete", "deleted.csv", "--json"];
    let updated = folder.haggle(&update).json(0);
    assert_eq!((&updated["added"], &updated["deleted"]), (&2.into(), &1.into()));
    assert_eq!((&updated["records"], &updated["base_groups"]), (&5.into(), &3.into()));
    let ask = ["ask", ".", "--k", "2", "--max-suppressed", "1", "--json"];
    let run = folder.haggle(&ask);
    assert_snapshot!(run.notes(), @"note: the lattice is the data with 2 records added and 1 deleted");
    let answer = run.json(0);
    // The same as of a table that was so from the beginning.
    let anew = Folder::people();
    let records = "name,age,sex,disease\nAda,34,f,flu\nBea,36,f,asthma\nCid,41,m,flu\n\
                   Eve,34,f,gout\nFay,36,f,flu\n";
    anew.write("people.csv", records);
    assert_eq!(untimed(answer), untimed(anew.haggle(&ask).json(0)));
    let publish = ["publish", ".", "--k", "2", "--scheme", "1,1", "-o", "out.csv"];
    assert_snapshot!(folder.haggle(&publish).printed(2), @"
    note: the lattice is the data with 2 records added and 1 deleted
    error: a publication is made from the data, and the lattice counts other records: 2 records added and 1 deleted
        fix: make these changes in the data, too; the lattice is then built anew
    ");
    assert!(!folder.file("out.csv").exists());
    folder.write("people.csv", records);
    let run =
        folder.haggle(&["publish", ".", "--k", "2", "--max-suppressed", "1", "-o", "out.csv"]);
    assert_eq!(run.code, Some(0), "{run:#?}");
}

#[test]
fn changes_that_cannot_be_made_change_nothing() {
    let folder = Folder::people();
    folder.write("x.csv", "name,age,sex,disease\nAda,34,m,flu\n");
    let refused = |title: &str, arguments: &[&str]| {
        let refusal = folder.haggle(&[&["update", "."], arguments].concat()).printed(2);
        assert!(!refusal.contains("Ada"), "no record is ever printed: {refusal}");
        (title.to_owned(), refusal)
    };
    let mut refusals = vec![refused("no lattice", &["--add", "x.csv"])];
    folder.haggle(&["build", "."]).text();
    let before = std::fs::read(folder.file("haggle.lattice")).unwrap();
    refusals.push(refused("nothing", &[]));
    refusals.push(refused("no such record", &["--delete", "x.csv"]));
    refusals.push(refused("all records", &["--delete", "people.csv"]));
    refusals.push(refused("no such file", &["--add", "none.csv"]));
    folder.write("x.csv", "name,age,sex,disease\nAda,99,m,flu\n");
    refusals.push(refused("an unknown value", &["--add", "x.csv"]));
    folder.write("x.csv", "age,disease\n34,flu\n");
    refusals.push(refused("no such column", &["--add", "x.csv"]));
    assert_eq!(std::fs::read(folder.file("haggle.lattice")).unwrap(), before);
    folder.write("x.csv", "name,age,sex,disease\nEve,34,f,flu\n");
    folder.haggle(&["update", ".", "--add", "x.csv", "-o", "other.lattice"]).text();
    assert_eq!(std::fs::read(folder.file("haggle.lattice")).unwrap(), before, "written elsewhere");
    folder.edit("people.csv", "Ada,34", "Ada,36");
    refusals.push(refused("other data", &["--add", "x.csv"]));
    assert_snapshot!(titled(refusals));
}

#[test]
fn changes_may_be_parquet() {
    let folder = Folder::people();
    let records = "Ada,34,f,flu\nBea,36,f,asthma\nCid,41,m,flu\nDan,47,m,gout\n";
    folder.write("people.csv", format!("name,age,sex,disease\n{records}{records}"));
    folder.haggle(&["publish", ".", "--k", "2", "--scheme", "0,0", "-o", "all.parquet"]).text();
    folder.haggle(&["build", "."]).text();
    let ask = |k: &str| folder.answer(&[".", "--k", k])["exact"].clone();
    let before = ask("4");
    let update = |change: &str| folder.haggle(&["update", ".", change, "all.parquet", "--json"]);
    let updated = update("--add").json(0);
    assert_eq!((&updated["added"], &updated["records"]), (&8.into(), &16.into()));
    assert_eq!(ask("4")["height"], 0, "four of each");
    assert_eq!(update("--delete").json(0)["changes"]["deleted"], 8);
    assert_eq!(ask("4"), before);
}

/// Records with gaps are in no group, but the account has them: as if the table had been so from the
/// beginning.
#[test]
fn a_file_whose_records_all_have_gaps_changes_only_the_account() {
    let folder = Folder::people();
    folder.edit("haggle.toml", "[data]", "[data]\non_missing = \"drop\"");
    folder.haggle(&["build", "."]).text();
    let answer = |folder: &Folder| folder.answer(&[".", "--k", "2"]);
    let before = answer(&folder);
    let gaps = "Eve,,f,flu\nFay,36,,flu\n";
    folder.write("x.csv", format!("name,age,sex,disease\n{gaps}"));
    let update = |change: &str| folder.haggle(&["update", ".", change, "x.csv", "--json"]);
    let updated = update("--add").json(0);
    assert_eq!((&updated["records"], &updated["dropped"]), (&4.into(), &2.into()), "{updated}");
    let anew = Folder::people();
    anew.edit("haggle.toml", "[data]", "[data]\non_missing = \"drop\"");
    anew.edit("people.csv", "Dan,47,m,gout\n", &format!("Dan,47,m,gout\n{gaps}"));
    assert_eq!(answer(&folder), answer(&anew));
    assert_eq!(answer(&folder)["account"]["read"], 6);
    let updated = update("--delete").json(0);
    assert_eq!((&updated["records"], &updated["dropped"]), (&4.into(), &2.into()), "{updated}");
    assert_eq!(answer(&folder), before);
    // They are gone, so they cannot be deleted again.
    assert_snapshot!(update("--delete").printed(2), @"
    error: 2 of the records to delete are not there
        fix: delete only records that were counted, and each at most as often; nothing was changed
    ");
    assert_eq!(answer(&folder), before);
}
