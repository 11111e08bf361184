//! What thresholds and measures mean on a table, and which groups fail them.

pub mod criterion;
pub mod failing;
pub mod judging;
pub mod start;
