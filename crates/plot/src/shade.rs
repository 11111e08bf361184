//! How many records are suppressed, in a few steps from light to dark.

use super::scene::Tone;

/// A step from nothing suppressed to most of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shade(usize);

/// The largest share of each step but the last, its words, and its sign in a terminal.
const STEPS: [(f64, &str, char); 6] = [
    (0.0, "none suppressed", '.'),
    (0.001, "up to 0.1 %", ':'),
    (0.01, "up to 1 %", '-'),
    (0.1, "up to 10 %", '+'),
    (0.5, "up to 50 %", '%'),
    (1.0, "more", '#'),
];

impl Shade {
    pub(super) const ALL: [Self; 6] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    pub(super) fn for_share(part: u64, all: u64) -> Self {
        let share = part as f64 / all.max(1) as f64;
        Self(STEPS.iter().position(|(most, _, _)| share <= *most).unwrap_or(STEPS.len() - 1))
    }

    pub(super) fn tone(self) -> Tone {
        Tone::RAMP[self.0]
    }

    /// The tone of text that is readable on it.
    pub(super) fn ink(self) -> Tone {
        if self.0 < 4 { Tone::INK } else { Tone::WHITE }
    }

    pub(super) fn words(self) -> &'static str {
        STEPS[self.0].1
    }

    pub(super) fn sign(self) -> char {
        STEPS[self.0].2
    }
}
