//! A mistake that was made once, on the embedded project; those on a few records are cases.

use insta::assert_snapshot;

use crate::common::Folder;

/// Leaving out an attribute is accepted by publishing just that scheme.
#[test]
fn leaving_out_an_attribute_is_accepted_by_its_scheme() {
    let folder = Folder::empty();
    let asked = ["--qi", "age,race,workclass", "--k", "10", "--max-suppressed", "32"];
    let reported =
        folder.haggle(&[&["ask", "demo:adult"], &asked[..], &["--levels", "2,1,1"]].concat());
    let line =
        reported.text().lines().map(str::trim).find(|l| l.starts_with("haggle publish")).unwrap();
    assert_snapshot!(line, @"haggle publish demo:adult --qi age,race,workclass --k 10 --scheme 4,0,0 --max-suppressed 32 -o FILE");
    assert_snapshot!(folder.shell(&line.replace("FILE", "out.csv")).printed(0));
}
