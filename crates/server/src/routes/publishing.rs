//! Publishing, what was published, and its files.

pub(crate) mod publications;
pub(crate) mod publish;
pub(crate) mod published;
