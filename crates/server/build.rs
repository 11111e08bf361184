//! Makes sure that the page's folder is there, empty before the page was built, so that a fresh clone
//! compiles.

fn main() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist");
    // Where the sources cannot be written to, the page is there already or its embedding says so.
    let _ = std::fs::create_dir_all(page);
    println!("cargo:rerun-if-changed={page}");
}
