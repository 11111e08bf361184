//! What is kept on disk: publications for download, and what the next server should know. All of it is
//! readable by its owner only.

mod folder;
mod memory;
mod publications;
mod receipts;

pub(crate) use folder::PrivateFolder;
pub(crate) use memory::Memory;
pub(crate) use publications::{StoredPublication, StoredPublications};
pub(crate) use receipts::{Receipt, Receipts};
