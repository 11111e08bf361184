//! Another driver of ADBC behind the same code: that of Arrow Flight SQL, on Sail's server of that protocol.

use haggle_testkit::sail;

use super::project::{TwoProjects, records_in};
use crate::table::records_of_csv;

#[test]
fn flight_sql_counts_and_publishes_as_from_a_file() {
    let server = sail::start_flight();
    let projects = TwoProjects::hostile();
    projects.edit_engine(|text| {
        let text = text.replace(&super::CLUSTER.url(), "adbc:flightsql");
        let library = super::driver().replace("adbc_driver_spark", "adbc_driver_flightsql");
        let text = text.replace(&super::driver(), &library);
        let text = text.replace("url = ", "dialect = \"spark\"\nurl = ");
        let options =
            format!("\n[data.options]\nuri = \"grpc://{}\"\n\n[[attribute]]", server.address());
        text.replacen("\n[[attribute]]", &options, 1)
    });
    projects.same_answer("study", &["--k", "3"]);
    projects.same_answer("ask", &["--k", "2", "--max-suppressed", "50%"]);
    let publish = ["--k", "3", "--max-suppressed", "100%"];
    projects.run("publish", &projects.file, &[&publish[..], &["-o", "file.csv"]].concat()).text();
    let folder = projects.folder.path().join("flight");
    let output = format!("parquet:{}", folder.display());
    let target = ["-o", &output, "--manifest", "flight.json"];
    projects.run("publish", "engine.toml", &[&publish[..], &target].concat()).text();
    assert_eq!(records_in(&folder), records_of_csv(&projects.folder.path().join("file.csv")));
}
