//! `POkA` where it pays: on a lattice of over 200,000 schemes of which none is annotated beforehand,
//! against the exact front.

use std::fmt::Write;
use std::time::Instant as Clock;

use haggle::search::{GroundRule, PokaOptions};
use haggle::{Ask, Engine, FrontAxes, MeasureSpec, Options, Privacy, Project, Way};
use tempfile::TempDir;

use crate::census::Census;
use crate::table::save;

pub(crate) fn report(_: &Census) {
    let mut text = String::from("loss,method,schemes,evaluated,points,on_exact_front,seconds\n");
    let (_folder, project) = ten_attributes();
    for measure in ["lm", "discernibility"] {
        one(&mut text, &project, measure);
    }
    save("poka.csv", text.as_bytes());
}

/// The study's eight attributes, occupation and working hours: 322,560 schemes.
fn ten_attributes() -> (TempDir, Project) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = format!("{}/../../data", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(format!("{data}/adult-pareto/haggle.toml")).expect("there");
    let text = text.replace("\"../adult/", &format!("\"{data}/adult/"));
    let text = text.replace("\"hierarchies/", &format!("\"{data}/adult-pareto/hierarchies/"));
    let before = text.split("[[attribute]]\nname = \"occupation\"").next().expect("a beginning");
    let more = format!(
        "[[attribute]]\nname = \"occupation\"\nrole = \"quasi-identifier\"\nhierarchy = \"{data}/adult/hierarchies/occupation.csv\"\n\
         [[attribute]]\nname = \"hours-per-week\"\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20, 40] }}\n"
    );
    let file = folder.path().join("haggle.toml");
    std::fs::write(&file, format!("{before}{more}")).expect("it can be written");
    let project = Project::open(&file).expect("it is sound");
    (folder, project)
}

fn engine(project: &Project, way: Way) -> Engine {
    let options = Options { way, stored: false, ..Options::default() };
    Engine::open(project, &options).expect("its lattice")
}

fn one(text: &mut String, project: &Project, measure: &str) {
    let ask = Ask {
        privacy: vec![Privacy::varying("k-anonymity").expect("a model")],
        max_suppressed: Some("1%".parse().expect("an amount")),
        ..Ask::default()
    };
    let judge: MeasureSpec = measure.parse().expect("a measure");
    let start = Clock::now();
    let all = engine(project, Way::Full);
    let exact = all.front(&ask, &judge, FrontAxes::Loss).expect("a front");
    let seconds = start.elapsed().as_secs_f64();
    let schemes = all.cube().space().size().unwrap_or(0);
    let mut add = |method: &str, evaluated: usize, points: usize, found: usize, seconds: f64| {
        println!(
            "  {measure}: {method:<16} {evaluated:>7} of {schemes} evaluated, {points} points, {found} on the exact front; {seconds:.1} s"
        );
        let _ = writeln!(
            text,
            "{measure},{method},{schemes},{evaluated},{points},{found},{seconds:.1}"
        );
    };
    add("exact front", schemes, exact.points.len(), exact.points.len(), seconds);
    drop(all);
    let rules =
        [(GroundRule::Depth, Some(1)), (GroundRule::Depth, Some(2)), (GroundRule::Ceiling, None)];
    for (rule, depth) in rules {
        let start = Clock::now();
        let engine = engine(project, Way::OnDemand);
        let options = PokaOptions { rule, depth, ..PokaOptions::default() };
        let found = engine.poka(&ask, &judge, &options).expect("a front");
        let seconds = start.elapsed().as_secs_f64();
        let on_front = found.points.iter().filter(|point| {
            let same = |a: f64, b: f64| a.total_cmp(&b).is_eq();
            exact
                .points
                .iter()
                .any(|e| same(e.threshold, point.threshold) && same(e.loss, point.loss))
        });
        let name = depth.map_or("ceilings".into(), |depth| format!("depth {depth}"));
        add(&name, found.evaluated, found.points.len(), on_front.count(), seconds);
    }
}
