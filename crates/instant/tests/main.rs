//! Predictions against exact sums and drawn tables.

mod boxes;
mod drawn;
mod exact;
