//! The oracle itself, and the rules of the workspace and its documents.

mod definitions;
mod generators;
mod links;
mod verdicts;
mod words;
mod workspace;
