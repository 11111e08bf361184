//! The field's algorithms against brute force on records, and every one of them against its promise.

mod cuts;
mod levels;
mod promises;
mod sides;
