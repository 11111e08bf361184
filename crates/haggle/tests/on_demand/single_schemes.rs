//! Single schemes cost the same whether every scheme is annotated or only those asked for.

use haggle::{Ask, Engine, MeasureSpec, Options, Privacy, Project, Scheme, Way};

fn engine(way: Way) -> Engine {
    let project = Project::open("demo:adult").unwrap();
    let qi = Some(["age", "race", "workclass"].map(String::from).to_vec());
    Engine::open(&project, &Options { way, qi, stored: false, ..Options::default() }).unwrap()
}

/// One model, and two together, for which no table of losses exists.
fn requests() -> [Ask; 2] {
    let k = Privacy::new("k-anonymity", 10.0);
    let l = Privacy::new("distinct-l-diversity", 4.0);
    [vec![k.clone()], vec![k, l]].map(|privacy| Ask { privacy, ..Ask::default() })
}

fn schemes(engine: &Engine) -> Vec<Scheme> {
    let top = engine.top();
    let levels = |i: usize| 0..=u8::from(top.level(i));
    let scheme = |[a, b, c]: [u8; 3]| format!("{a},{b},{c}").parse::<Scheme>().unwrap();
    let all = levels(0).flat_map(|a| levels(1).map(move |b| (a, b)));
    all.flat_map(|(a, b)| levels(2).map(move |c| scheme([a, b, c]))).collect()
}

#[test]
fn what_single_schemes_cost_does_not_depend_on_how_they_are_annotated() {
    let (full, on_demand) = (engine(Way::Full), engine(Way::OnDemand));
    let all = schemes(&full);
    assert_eq!(all.len(), 60);
    for ask in requests() {
        for judge in ["lm", "lm:age=2", "discernibility"] {
            let judge: MeasureSpec = judge.parse().unwrap();
            let one = full.schemes(&ask, &all, &judge).unwrap();
            let other = on_demand.schemes(&ask, &all, &judge).unwrap();
            for (one, other) in one.schemes.iter().zip(&other.schemes) {
                assert_eq!((&one.scheme, one.suppressed), (&other.scheme, other.suppressed));
                let close = (one.loss - other.loss).abs() <= 1e-9 * one.loss.abs();
                assert!(close, "{}: {} and {}", one.scheme, one.loss, other.loss);
            }
        }
        for scheme in all.iter().step_by(7) {
            let (one, other) = (full.pinned(&ask, scheme), on_demand.pinned(&ask, scheme));
            let (one, other) = (one.unwrap(), other.unwrap());
            assert_eq!((one.suppressed, one.groups), (other.suppressed, other.groups));
            assert_eq!((one.attained, one.histogram), (other.attained, other.histogram));
            let judge = MeasureSpec::plain();
            let whys = [&full, &on_demand].map(|engine| engine.why(&ask, scheme, &judge).unwrap());
            assert_eq!(whys[0], whys[1]);
        }
    }
}

#[test]
fn losses_of_all_schemes_are_those_of_each() {
    let full = engine(Way::Full);
    let [one_model, two_models] = requests();
    let judge = MeasureSpec::plain();
    let losses = full.losses_of_all(&one_model, &judge).unwrap();
    for (scheme, loss) in schemes(&full).iter().zip(losses.iter()) {
        // From the groups themselves, not from the table of losses.
        let from_groups = full.why(&one_model, scheme, &judge).unwrap().loss;
        assert!((from_groups - loss).abs() <= 1e-9, "{scheme}: {from_groups} and {loss}");
    }
    assert!(full.losses_of_all(&two_models, &judge).is_err());
    assert!(engine(Way::OnDemand).losses_of_all(&one_model, &judge).is_err());
    assert!(engine(Way::OnDemand).suppressed(&one_model).is_err());
}

#[test]
fn cross_tables_add_up_to_the_account() {
    let engine = engine(Way::OnDemand);
    let [ask, _] = requests();
    let scheme: Scheme = "1,0,1".parse().unwrap();
    let suppressed = engine.pinned(&ask, &scheme).unwrap().suppressed;
    for by in [&["age"][..], &["race", "age"], &["hours-per-week"], &["hours-per-week", "race"]] {
        let table = engine.cross_table(&ask, &scheme, by).unwrap();
        assert_eq!(table.records.iter().sum::<u64>(), 30_162);
        assert_eq!(table.suppressed.iter().sum::<u64>(), suppressed);
        assert_eq!(table.account.suppressed, Some(suppressed));
        let cells: usize = table.axes.iter().map(|axis| axis.recorded.len()).product();
        assert_eq!((table.records.len(), table.suppressed.len()), (cells, cells));
        for axis in &table.axes {
            let stood_for: usize = axis.published.iter().map(|run| run.recorded).sum();
            assert_eq!(stood_for, axis.recorded.len(), "{}", axis.attribute);
        }
    }
    let numbers = engine.cross_table(&ask, &scheme, &["hours-per-week"]).unwrap();
    assert_eq!(numbers.axes[0].recorded.first().map(String::as_str), Some("1"));
    assert_eq!(numbers.axes[0].recorded.last().map(String::as_str), Some("99"));
    for by in [&[][..], &["nothing"], &["age", "race", "workclass"]] {
        assert!(engine.cross_table(&ask, &scheme, by).is_err(), "{by:?}");
    }
}
