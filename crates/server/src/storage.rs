//! What is kept on disk: publications for download, tables that are being set up, and what the next server should know. All of it is
//! readable by its owner only.

mod drafts;
mod folder;
mod memory;
mod publications;
mod receipts;

pub(crate) use drafts::{Drafts, StoredDraft, plain_name};
pub(crate) use folder::PrivateFolder;
pub(crate) use memory::Memory;
pub(crate) use publications::{StoredPublication, StoredPublications};
pub(crate) use receipts::{Receipt, Receipts};
