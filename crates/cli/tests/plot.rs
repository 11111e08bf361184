//! Pictures as files: well-formed, complete, and never half written.

use crate::common::{Folder, Run};
use haggle_testkit::titled;
use insta::assert_snapshot;
use roxmltree::{Document, Node};
use serde_json::Value;

const THREE: &str = "age,race,workclass";

/// A command that draws, the class of its marks, and how many marks its own JSON promises.
struct Case {
    arguments: Vec<&'static str>,
    class: &'static str,
    marks: fn(&Value) -> usize,
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            arguments: vec!["pareto", "demo:adult", "--qi", THREE, "--max-suppressed", "1%"],
            class: "point",
            marks: |json| json["points"].as_array().unwrap().len(),
        },
        Case {
            arguments: vec!["study", "demo:adult", "--qi", THREE, "--k", "3"],
            class: "bar",
            marks: |json| 3 * json["heights"].as_array().unwrap().len(),
        },
        Case {
            arguments: vec!["study", "demo:adult", "--qi", THREE, "--k", "3", "--scheme", "1,0,1"],
            class: "step",
            marks: |json| json["bins"].as_array().unwrap().len(),
        },
        Case {
            arguments: vec![
                "ask",
                "demo:adult",
                "--qi",
                THREE,
                "--k",
                "10",
                "--max-suppressed",
                "321",
                "--levels",
                "2,1,1",
            ],
            class: "scheme",
            marks: |_| 60,
        },
    ]
}

fn drawn(folder: &Folder, arguments: &[&str], file: &str) -> Run {
    folder.haggle(&[arguments, &["--json", "--force", "--plot", file]].concat())
}

fn of_class<'a>(document: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

/// The sentences that a reader sees: title, request, key and names of axes, without numbers.
fn words(document: &Document<'_>) -> String {
    let is_prose = |node: &Node<'_, '_>| {
        matches!(node.attribute("class"), Some("title" | "asked" | "key-text" | "axis"))
    };
    let texts = document.descendants().filter(is_prose).filter_map(|node| node.text());
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn svg_is_well_formed_and_has_a_mark_for_each_datum() {
    let mut read = Vec::new();
    let folder = Folder::empty();
    for case in cases() {
        let json = drawn(&folder, &case.arguments, "picture.svg").json(0);
        let text = String::from_utf8(folder.read("picture.svg")).unwrap();
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(
            of_class(&document, case.class).count(),
            (case.marks)(&json),
            "{:?}",
            case.arguments
        );
        for class in ["title", "axis", "tick", "asked", "key-text"] {
            assert!(of_class(&document, class).count() > 0, "{class}: {:?}", case.arguments);
        }
        read.push((case.arguments.join(" "), words(&document)));
    }
    assert_snapshot!(titled(read));
}

#[test]
fn png_decodes_to_its_size_and_is_not_blank() {
    let folder = Folder::empty();
    for case in cases() {
        drawn(&folder, &case.arguments, "picture.png").json(0);
        let bytes = folder.read("picture.png");
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let (width, height) = (reader.info().width, reader.info().height);
        assert!((1600..2400).contains(&width) && (900..2600).contains(&height), "{width}×{height}");
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let dark = pixels.chunks(4).filter(|pixel| pixel[0] < 100).count();
        let light = pixels.chunks(4).filter(|pixel| pixel[0] > 250).count();
        assert!(dark > 2000 && light > dark, "{dark} dark, {light} light: {:?}", case.arguments);
    }
}

#[test]
fn the_lattice_marks_the_requests_part_and_the_relaxations() {
    let folder = Folder::empty();
    let request = ["--k", "10", "--max-suppressed", "32", "--levels", "2,1,1"];
    let arguments = [&["ask", "demo:adult", "--qi", THREE], &request[..]].concat();
    drawn(&folder, &arguments, "picture.svg").json(0);
    let text = String::from_utf8(folder.read("picture.svg")).unwrap();
    let document = Document::parse(&text).unwrap();
    assert_eq!(of_class(&document, "frame").count(), 1);
    assert_eq!(of_class(&document, "offer").count(), 4);
    assert_snapshot!(words(&document));
}

#[test]
fn terminals_get_characters() {
    let folder = Folder::empty();
    assert_snapshot!(titled(cases().iter().map(|case| {
        let run = folder.haggle(&[&case.arguments[..], &["--plot", "-"]].concat());
        (case.arguments.join(" "), run.printed(0))
    })));
    assert!(folder.listing().is_empty(), "nothing is written");
}

#[test]
fn the_front_is_drawn_below_its_table_once() {
    let folder = Folder::people();
    let table = folder.haggle(&["pareto", "."]);
    assert_snapshot!(table.printed(0));
    assert_eq!(folder.haggle(&["pareto", ".", "--plot", "-"]).text(), table.text());
}

#[test]
fn what_cannot_be_drawn_is_refused_and_leaves_nothing_behind() {
    let folder = Folder::people();
    folder.write("folder.svg/", "");
    let before = folder.listing();
    let cases: [&[&str]; 6] = [
        &["--plot", "picture.pdf"],
        &["--plot", "picture"],
        &["--plot", "no/such/picture.svg"],
        &["--plot", "people.csv/picture.png"],
        &["--plot", "folder.svg"],
        &["--plot", "-", "--json"],
    ];
    for command in [&["ask", ".", "--k", "2"][..], &["study", ".", "--k", "2"], &["pareto", "."]] {
        let refused = cases.map(|arguments| {
            (arguments.join(" "), folder.haggle(&[command, arguments].concat()).printed(2))
        });
        assert_snapshot!("what_cannot_be_drawn", titled(refused));
    }
    assert_eq!(folder.listing(), before);
}

#[test]
fn names_cannot_break_a_picture() {
    let folder = Folder::people();
    for file in ["people.csv", "haggle.toml"] {
        folder.edit(file, "age", "a&<g>'é語");
    }
    folder.edit("haggle.toml", "\"a&<g>'é語.csv\"", "\"age.csv\"");
    drawn(&folder, &["study", ".", "--k", "2"], "picture.svg").json(0);
    let text = String::from_utf8(folder.read("picture.svg")).unwrap();
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_snapshot!(words(&document), @"
    Records suppressed at each height
    k-anonymity with k = 2; 6 schemes
    quasi-identifiers: a&<g>'é語, sex
    least
    mean
    most of the schemes of a height
    records suppressed, of 4
    height (sum of the levels)
    ");
}

#[test]
fn an_old_picture_is_replaced_whole() {
    let folder = Folder::people();
    folder.write("picture.svg", "old ".repeat(100_000));
    drawn(&folder, &["study", ".", "--k", "2"], "picture.svg").json(0);
    let text = String::from_utf8(folder.read("picture.svg")).unwrap();
    assert!(text.starts_with("<svg") && text.ends_with("</svg>\n"), "{text}");
}

#[test]
fn the_number_next_to_nothing_can_be_drawn() {
    let folder = Folder::empty();
    let asked = ["pareto", "demo:adult", "--qi", "race,sex", "--privacy", "delta-disclosure"];
    let text = folder.haggle(&asked);
    assert_snapshot!(text.printed(0));
    let front = folder.haggle(&[&asked[..], &["--json"]].concat()).json(0);
    let least = front["points"].as_array().unwrap().iter().map(|p| p["threshold"].as_f64());
    assert_eq!(least.flatten().fold(1.0, f64::min).to_bits(), 5e-324_f64.to_bits(), "{front}");
    for file in ["front.svg", "front.png"] {
        folder.haggle(&[&asked[..], &["--plot", file]].concat()).text();
        assert!(!folder.read(file).is_empty());
    }
}
