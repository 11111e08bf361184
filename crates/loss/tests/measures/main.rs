//! Every measure of the catalog compared with its definition on records: alone, aligned with
//! histograms, as the objective of the best schemes, and as one side of the front of privacy and
//! loss.

mod agreement;
mod declared;
mod examples;
mod front;
mod noise;
mod optimum;
mod recodings;
mod relational;
mod sides;
mod two;
