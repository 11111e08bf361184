//! Manifests next to a published file, and private ones that publish again.

use std::path::Path;
use std::sync::LazyLock;

use haggle::Ask;
use haggle::publishing::{
    Inspection, Manifest, PrivateManifest, PublishOptions, PublishOutcome, RecordOrder,
};

use super::Verdict;
use crate::fixture::{ENGINE, SMALL, place};
use crate::properties::refused_by;

/// A publication: its file, its manifest and its private manifest.
struct Published {
    file: Box<Path>,
    manifest: Vec<u8>,
    private: Vec<u8>,
}

static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    let (file, folder) = (place("published.csv"), place("private"));
    let options = PublishOptions {
        order: RecordOrder::Random { seed: 7 },
        private: Some(folder.to_path_buf()),
        ..PublishOptions::new(&*file, Ask::default())
    };
    let outcome =
        haggle::publishing::publish(&ENGINE, &SMALL, &options).expect("it can be published");
    assert!(matches!(outcome, PublishOutcome::Published(_)), "it is published");
    let read = |path: Box<Path>| std::fs::read(path).expect("it was just written");
    let manifest = read(manifest(&file));
    Published { manifest, private: read(folder.join("policy.json").into()), file }
});

fn manifest(file: &Path) -> Box<Path> {
    let mut name = file.as_os_str().to_owned();
    name.push(".manifest.json");
    Path::new(&name).into()
}

/// The first byte says which manifest the others are.
pub(super) fn check(input: &[u8]) -> Verdict {
    match input.split_first() {
        Some((0, bytes)) => public(bytes),
        Some((_, bytes)) => private(bytes),
        None => Verdict::Refused,
    }
}

/// The manifests of a publication.
pub(super) fn generated() -> Vec<Vec<u8>> {
    [[&[0][..], &PUBLISHED.manifest].concat(), [&[1][..], &PUBLISHED.private].concat()].into()
}

/// A file is only that of its manifest if that states its digest.
fn public(bytes: &[u8]) -> Verdict {
    let file = &*PUBLISHED.file;
    std::fs::write(manifest(file), bytes).expect("there is room for a manifest");
    let verdict = Inspection::open(file, None, None, None, 64 << 20)
        .and_then(|inspection| inspection.verify(&["k-anonymity=2".parse()?]));
    let verdict = match verdict {
        Ok(verdict) => verdict,
        Err(error) => return refused_by(error, bytes),
    };
    let read: Manifest = serde_json::from_slice(bytes).expect("it was read");
    let original: Manifest = serde_json::from_slice(&PUBLISHED.manifest).expect("it was written");
    let same = read.output.sha256 == original.output.sha256;
    assert!(same || verdict.manifest_matches != Some(true), "another digest matches");
    let json = serde_json::to_vec(&read).expect("a manifest is plain data");
    assert_eq!(serde_json::from_slice::<Manifest>(&json).ok(), Some(read), "survives JSON");
    Verdict::Accepted
}

/// A policy is understood or refused before anything is written.
fn private(bytes: &[u8]) -> Verdict {
    let path = place("fuzzed-policy.json");
    std::fs::write(&path, bytes).expect("there is room for a policy");
    let policy = PrivateManifest::open(&path).and_then(|policy| {
        haggle::publishing::check_policy(&ENGINE, &policy)?;
        Ok(policy)
    });
    match policy {
        Ok(policy) => {
            let _ = (policy.mapping_csv(), policy.scheme(), policy.thresholds());
            Verdict::Accepted
        }
        Err(error) => refused_by(error, bytes),
    }
}
