//! Projects whose data is in an engine with an ADBC driver: counted, negotiated and published there. The
//! engine is Sail, or Apache Spark if `HAGGLE_SPARK` names a Python with pyspark (`make test-spark`).

mod counting;
mod faults;
mod interrupted;
mod others;
mod project;
mod publishing;

use std::sync::LazyLock;

use haggle_testkit::sail::ConnectServer;
use haggle_testkit::{sail, spark};

/// The one server of this program.
pub(crate) static CLUSTER: LazyLock<ConnectServer> = LazyLock::new(start);

/// A server of the kind that is tested.
pub(crate) fn start() -> ConnectServer {
    spark::python().map_or_else(sail::start, |python| spark::start(&python))
}

/// The driver of Spark Connect in the Python environment of the tests.
pub(crate) fn driver() -> String {
    let lib = sail::python().parent().unwrap().parent().unwrap().join("lib");
    let versions = std::fs::read_dir(lib).expect("an environment has libraries");
    let library = versions
        .map(|version| version.unwrap().path().join("site-packages/adbc_driver_spark"))
        .map(|package| package.join("libadbc_driver_spark.so"))
        .find(|library| library.is_file());
    library.expect("adbc-driver-spark is installed by `make test`").display().to_string()
}
