//! The native part of the Python package `haggle`: requests and answers as JSON, frames as Arrow streams.
//!
//! The package in `python/haggle` gives it its shape; nothing here decides what an answer looks like.

mod catalogs;
mod engine;
mod files;
mod frame;
mod page;
mod problem;
mod project;
mod publication;
mod questions;
mod work;

use pyo3::prelude::*;

/// The native part of haggle.
#[pymodule]
mod _haggle {
    #[pymodule_export]
    use crate::catalogs::{catalog, privacy, version};
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::files::{assess, query_file, risk, verify};
    #[pymodule_export]
    use crate::frame::Frame;
    #[pymodule_export]
    use crate::page::Page;
    #[pymodule_export]
    use crate::project::{Project, suggest};
}
