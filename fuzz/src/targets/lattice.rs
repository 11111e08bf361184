//! Lattice files with a valid checksum, as an attacker could write them.

use haggle::catalog::ESTIMATORS;
use haggle::search::Selection;
use haggle::{Ask, Engine, MeasureSpec, Options, Privacy, Scheme, Way};
use haggle_cube::store::{DecodedLattice, decode, encode, encode_partial};
use haggle_cube::{FullLattice, Lattice, PartialLattice};
use xxhash_rust::xxh3::xxh3_64;

use super::Verdict;
use super::request::is_an_answer;
use crate::fixture::{ENGINE, SMALL, place};
use crate::properties::refused_by;

/// Where the header's length and checksum are, and where the content starts.
const LENGTH: usize = 12;
const CHECKSUM: usize = 20;
const CONTENT: usize = 28;

/// More schemes than this are not asked about one by one.
const SCHEMES: usize = 500;

/// The input is the file's content; the header is made to fit.
pub(super) fn check(input: &[u8]) -> Verdict {
    let file = sealed(input);
    if let Ok(decoded) = decode(&file) {
        survives_writing(decoded);
    }
    let path = place("fuzzed.lattice");
    std::fs::write(&path, file).expect("there is room for a lattice");
    match Engine::open(&*path, &Options { memory: 32 << 20, ..Options::default() }) {
        Ok(engine) => ask_everything(&engine, input),
        Err(error) => refused_by(error, b""),
    }
}

/// The content of lattices that haggle wrote: a full one and a partial one.
pub(super) fn generated() -> Vec<Vec<u8>> {
    let (full, partial) = (place("full.lattice"), place("partial.lattice"));
    ENGINE.save(&full).expect("a lattice can be written");
    let selection = Selection::new(ESTIMATORS[0], 40.0).expect("a share of the schemes");
    let way = Way::Partial(selection);
    let some = Engine::open(&*SMALL, &Options { way, stored: false, ..Options::default() });
    some.and_then(|some| some.save(&partial)).expect("a partial lattice can be written");
    let content = |path| std::fs::read(path).expect("it was just written")[CONTENT..].to_vec();
    [full, partial].map(content).into()
}

fn sealed(content: &[u8]) -> Vec<u8> {
    let mut file = b"HAGGLELT".to_vec();
    file.extend(version());
    file.extend((content.len() as u64).to_le_bytes());
    file.extend(xxh3_64(content).to_le_bytes());
    debug_assert_eq!((file.len(), LENGTH + 16, CHECKSUM + 8), (CONTENT, CONTENT, CONTENT));
    file.extend(content);
    file
}

/// The version that this haggle writes.
fn version() -> [u8; 4] {
    static VERSION: std::sync::LazyLock<[u8; 4]> = std::sync::LazyLock::new(|| {
        let path = place("version.lattice");
        ENGINE.save(&path).expect("a lattice can be written");
        let file = std::fs::read(path).expect("it was just written");
        file[8..LENGTH].try_into().expect("four bytes")
    });
    *VERSION
}

/// What was accepted is written and read as the same again.
fn survives_writing(decoded: DecodedLattice) {
    let note = decoded.note().to_vec();
    let again = |written: &[u8]| {
        let again = decode(written).expect("what was accepted can be read again");
        assert_eq!(again.note(), note);
        again
    };
    if decoded.is_partial() {
        let Ok(one) = decoded.partial() else { return };
        let other = again(&encode_partial(&one, &note)).partial().expect("it is partial again");
        assert!(one.schemes().eq(other.schemes()));
        ask_some_histograms(&one);
    } else {
        let Ok(one) = decoded.full() else { return };
        let other = again(&encode(&one, &note)).full().expect("it is full again");
        assert_eq!(one.cube(), other.cube());
        ask_histograms(&one);
    }
}

fn ask_histograms(lattice: &FullLattice) {
    let all = lattice.space().all();
    let schemes = all.heights().flat_map(|height| all.at_height(height)).take(SCHEMES);
    schemes.for_each(|scheme| ask_histogram(lattice, lattice.tables().len(), &scheme));
}

fn ask_some_histograms(lattice: &PartialLattice) {
    for scheme in lattice.schemes().take(SCHEMES) {
        ask_histogram(lattice, lattice.tables().len(), scheme);
    }
}

fn ask_histogram(lattice: &dyn Lattice, columns: usize, scheme: &Scheme) {
    let annotation = lattice.annotate(scheme).expect("it is annotated");
    for histogram in (0..columns).map(|column| annotation.histogram(column)) {
        for threshold in [f64::NEG_INFINITY, 0.0, 2.0, 1e9, f64::INFINITY, f64::NAN] {
            assert!(histogram.suppressed(threshold) <= histogram.records());
            let _ = histogram.attained(threshold);
        }
        let records: u64 = histogram.bins().map(|bin| bin.records).sum();
        assert_eq!(records, histogram.records(), "bins hold all records");
        let _ = (histogram.strongest(0), histogram.strongest(u64::MAX));
    }
}

/// Asks an engine of a lattice file all that it can be asked.
fn ask_everything(engine: &Engine, input: &[u8]) -> Verdict {
    let sensitive = engine.cube().sensitive().next().map(|(_, watched)| watched.name.clone());
    let mut requests = vec![request("k-anonymity=3", None), request("k-anonymity=2", Some("lm"))];
    if let Some(name) = sensitive.filter(|name| !name.contains([',', '=', ':'])) {
        requests.push(request(&format!("distinct-l-diversity:l=2,on={name}"), None));
        requests.push(request(&format!("t-closeness:t=0.3,on={name}"), Some("discernibility")));
    }
    for ask in requests {
        let _ = match engine.ask(&ask) {
            Ok(answer) => is_an_answer(engine, &ask, &answer),
            Err(error) => refused_by(error, input),
        };
        let top = engine.top().clone();
        let results = [
            engine.study(&ask).err(),
            engine.pareto(&ask, MeasureSpec::plain()).err(),
            engine.why(&ask, &top, &MeasureSpec::plain()).err(),
            engine.histogram(&ask, &top).err(),
            engine.examples(&top).err(),
        ];
        for error in results.into_iter().flatten() {
            refused_by(error, b"");
        }
    }
    Verdict::Accepted
}

fn request(privacy: &str, optimize: Option<&str>) -> Ask {
    let privacy: Vec<Privacy> = privacy.parse().into_iter().collect();
    let optimize = optimize.map(|name| name.parse().expect("a measure"));
    Ask { privacy, optimize, ..Ask::default() }
}
