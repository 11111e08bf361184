//! An Apache Spark server for one test program: Spark Connect on loopback, on a free port, ended with it.

use std::path::PathBuf;
use std::process::Command;

use crate::process::RunLimited;
use crate::sail::{ConnectServer, free_port};

/// The Python with pyspark that `make test-spark` installs, if the tests are to run on Apache Spark.
pub fn python() -> Option<PathBuf> {
    std::env::var_os("HAGGLE_SPARK").map(PathBuf::from)
}

/// Starts Apache Spark; panics if there is none to start.
pub fn start(python: &std::path::Path) -> ConnectServer {
    let script = "import os, pyspark; print(os.path.dirname(pyspark.__file__))";
    let found = Command::new(python).args(["-c", script]).run_limited();
    let home = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
    assert!(home.is_dir(), "HAGGLE_SPARK names a Python with pyspark");
    let port = free_port();
    let mut command = Command::new(home.join("bin/spark-submit"));
    command
        .args(["--master", "local[2]", "--driver-memory", "2g"])
        .args(["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"])
        .args(["--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=4"])
        .args(["--conf", "spark.connect.grpc.binding.address=127.0.0.1"])
        .args(["--conf", &format!("spark.connect.grpc.binding.port={port}")])
        .env("SPARK_HOME", &home)
        .env("SPARK_LOCAL_IP", "127.0.0.1");
    ConnectServer::start(&command, port)
}
