//! The lines that a program writes: open, ask, optimize, accept, front, publish, verify.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use haggle::inference::{RiskAsk, RiskInputs, risk};
use haggle::queries::{QueriedPublication, QueryAsk, SuppressedRecords};
use haggle::report::{ReportAsk, ReportForm, gather};
use haggle::utility::UtilityAsk;
use haggle::{
    AcceptableRelaxation, Choice, Engine, ErrorKind, Progress, Project, Publication, Request,
    Scheme, Silent, percent, verify,
};

const THREE: [&str; 3] = ["age", "race", "workclass"];

fn engine() -> Engine {
    Engine::builder(&Project::demo()).qi(THREE).memory_gb(2).open().unwrap()
}

#[test]
fn each_verb_is_one_line() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.csv");
    let engine = engine();
    let request = Request::k(10).max_suppressed(32).levels([2, 1, 1]);
    let answer = engine.ask(&request)?;
    let agreed = answer.relaxations()?.suppression()?.accept;
    let best = engine.ask(&agreed.clone().optimize("lm")?)?;
    assert!(best.exact()?.loss["lm"] > 0.0);
    assert!(engine.pareto(&request, "lm")?.points.len() > 2);
    let report = Publication::of(&agreed).to(&out).publish(&engine)?;
    assert_eq!(report.suppressed(), 55);
    let verdict = verify(&out).against(&request).run()?;
    assert!(verdict.is_yes());
    Ok(())
}

/// The published figures of (10, 32, [2,1,1]) on Adult: 55 suppressed, k = 7, and [3,1,0].
#[test]
fn what_is_accepted_is_what_is_answered() {
    let engine = engine();
    let requests = [
        Request::k(10).max_suppressed(32).levels([2, 1, 1]),
        Request::k(10).max_suppressed(32).level("age", 2).level("race", 1).level("workclass", 1),
    ];
    for request in requests {
        let answer = engine.ask(&request).unwrap();
        let relaxations = answer.relaxations().unwrap();
        assert_eq!(relaxations.suppression().unwrap().offer.suppressed, 55);
        assert_eq!(relaxations.privacy().unwrap().offer.suppressed, 31);
        assert_eq!(relaxations.height().unwrap().offer.scheme, Scheme::new([3, 1, 0]));
        assert_eq!(relaxations.attribute("age").unwrap().offer.scheme, Scheme::new([4, 0, 0]));
        let all = relaxations.all();
        assert!(all.len() >= 4, "{all:?}");
        for AcceptableRelaxation { kind, offer, accept, .. } in all {
            let agreed = engine.ask(&accept).unwrap();
            let exact = agreed.exact().unwrap();
            assert!(exact.height <= offer.height, "{kind:?}: {exact:?} for {offer:?}");
            assert!(exact.suppressed <= offer.suppressed.max(32), "{kind:?}: {exact:?}");
        }
        let accepted = relaxations.privacy().unwrap().accept;
        assert_eq!(accepted.privacy[0].to_string(), "k-anonymity:k=7");
        // Levels are raised, and none is lowered.
        let raised = Request::default().level("age", 3).level("race", 1).level("workclass", 1);
        assert_eq!(relaxations.height().unwrap().accept.levels, raised.levels);
    }
}

#[test]
fn a_met_request_has_nothing_to_relax_and_an_unmet_one_no_scheme() {
    let engine = engine();
    let met = engine.ask(&Request::k(10).max_suppressed(321).levels([2, 1, 1])).unwrap();
    assert_eq!(met.exact().unwrap().suppressed, 170);
    assert_eq!(met.relaxations().unwrap_err().kind(), ErrorKind::BadInput);
    let unmet = engine.ask(&Request::k(10).max_suppressed(32).levels([2, 1, 1])).unwrap();
    assert!(unmet.exact().is_err());
    assert!(unmet.relaxations().unwrap().attribute("no such").is_err());
}

#[test]
fn models_and_measures_are_checked_when_they_are_named() {
    assert!(Request::k(10).and("t-closness=0.2").is_err());
    assert!(Request::k(10).and("t-closeness:u=0.2").is_err());
    assert!(Request::k(10).optimize("no such").is_err());
    let request = Request::l(3).and("k-anonymity=5").unwrap().max_suppressed(percent(0.5));
    assert_eq!(request.privacy.len(), 2);
}

/// Counts steps, and is shared by everything that reports them.
#[derive(Default)]
struct Steps(AtomicU64);

impl Progress for Steps {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, steps: u64) {
        self.0.fetch_add(steps, Ordering::Relaxed);
    }

    fn finish(&self) {}
}

#[test]
fn one_sink_is_shared_by_opening_and_publishing_in_threads() {
    let steps = Arc::new(Steps::default());
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for name in ["a.csv", "b.csv"] {
            let (steps, output) = (steps.clone(), folder.path().join(name));
            scope.spawn(move || {
                let project = Project::demo();
                let builder = Engine::builder(&project).qi(["age", "race"]);
                let engine = builder.progress(steps.clone()).open().unwrap();
                let opened = steps.0.load(Ordering::Relaxed);
                assert!(opened > 0);
                let publication = Publication::of(&Request::k(5)).to(output);
                publication.progress(&*steps).publish(&engine).unwrap();
                assert!(steps.0.load(Ordering::Relaxed) > opened);
            });
        }
    });
}

#[test]
fn a_refused_publication_is_an_error_or_an_outcome_and_writes_nothing() {
    let (engine, folder) = (engine(), tempfile::tempdir().unwrap());
    let output = folder.path().join("out.csv");
    let request = Request::k(10).max_suppressed(0).levels([0, 0, 0]);
    let error = Publication::of(&request).to(&output).publish(&engine).unwrap_err();
    assert!(error.to_string().starts_with("not published"), "{error}");
    let outcome = Publication::of(&request).to(&output).outcome(&engine).unwrap();
    assert!(outcome.into_report().unwrap_err().answer.is_some());
    assert!(!output.exists());
}

#[test]
fn a_publication_is_repeated_from_its_private_manifest() {
    let (engine, folder) = (engine(), tempfile::tempdir().unwrap());
    let (first, again) = (folder.path().join("first.csv"), folder.path().join("again.csv"));
    let private = folder.path().join("private");
    let request = Request::k(10).max_suppressed(percent(2.0));
    let choice = Choice::Strategy("mondrian".into());
    let publication = Publication::of(&request).choose(choice).to(first).private(&private);
    let report = publication.publish(&engine).unwrap();
    let manifest = haggle::publishing::PrivateManifest::open(&private.join("policy.json")).unwrap();
    let repeated = Publication::repeat(&manifest).to(again).publish(&engine).unwrap();
    assert_eq!((repeated.result, repeated.groups), (report.result, report.groups));
}

#[test]
fn a_question_is_about_one_recoding() {
    let engine = engine();
    let (request, strategy) = (Request::k(10), Some("mondrian".to_owned()));
    let found = UtilityAsk { strategy: strategy.clone(), ..UtilityAsk::default() };
    let (form, utility) = (ReportForm::Private, found.clone());
    let ask = ReportAsk { request: request.clone(), utility, form, ..ReportAsk::default() };
    let error = gather(&engine, &ask, &Silent).err().unwrap();
    assert!(error.to_string().starts_with("a report is about a scheme"), "{error}");
    let scheme = Some(Scheme::new([1, 1, 0]));
    let both = UtilityAsk { scheme: scheme.clone(), ..found };
    let error = both.choice().unwrap_err();
    assert!(error.to_string().starts_with("a scheme and a strategy are named"), "{error}");
    let query = QueryAsk::default();
    for (recoding, why) in [
        (Choice::Answer, "a query is asked of a scheme"),
        (Choice::Anatomy, "before it is published, a scheme"),
    ] {
        let (ask, suppressed) = (request.clone(), SuppressedRecords::Drop);
        let publication = QueriedPublication { recoding, ask, suppressed };
        let error = haggle::queries::query(&engine, &publication, &query, &Silent).err().unwrap();
        assert!(error.to_string().starts_with(why), "{error}");
    }
    let both = RiskAsk { scheme, strategy, ..RiskAsk::default() };
    let error = risk(&engine, &request, &both, &RiskInputs::default()).err().unwrap();
    assert!(error.to_string().starts_with("a scheme and a strategy are named"), "{error}");
}

#[test]
fn a_project_is_opened_from_any_path() {
    assert!(Project::open("demo:adult").is_ok());
    assert!(Project::open(std::path::Path::new("demo:adult")).is_ok());
    assert!(Project::open(std::path::PathBuf::from("no/such/folder")).is_err());
}
