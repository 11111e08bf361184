//! Every measure of the catalog against its definition on records: alone, behind histograms, as what
//! the best schemes are chosen by, and as one side of the front of privacy and loss.

mod agreement;
mod declared;
mod examples;
mod front;
mod noise;
mod optimum;
mod recodings;
mod sides;
mod two;
