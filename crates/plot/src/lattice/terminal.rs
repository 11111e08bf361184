//! The lattice made of characters: a line per height, a sign for one or several schemes.

use super::{Lattice, MarkKind};
use crate::shade::Shade;

const WIDTH: usize = 60;

/// What the schemes of a height suppress, under the maximum levels and elsewhere; least first.
struct HeightRow {
    height: u32,
    inside: Vec<u64>,
    outside: Vec<u64>,
}

impl Lattice {
    pub(crate) fn text(&self) -> String {
        let top = self.schemes.iter().map(|(scheme, _)| scheme.height()).max().unwrap_or(0);
        let rows: Vec<HeightRow> = (0..=top).map(|height| self.row(height)).collect();
        let widest = rows.iter().map(|row| row.inside.len() + row.outside.len()).max();
        let each = widest.unwrap_or(1).div_ceil(WIDTH);
        let lines: String = rows.iter().rev().map(|row| self.line(row, each)).collect();
        let sign = if each == 1 { "scheme".into() } else { format!("{each} schemes") };
        format!("height\n{lines}\na sign for each {sign} of a height:\n{}", self.signs())
    }

    fn row(&self, height: u32) -> HeightRow {
        let row = self.schemes.iter().filter(|(scheme, _)| scheme.height() == height);
        let (inside, outside): (Vec<_>, Vec<_>) = row.partition(|(scheme, _)| self.inside(scheme));
        let sorted = |part: Vec<&(_, u64)>| {
            let mut part: Vec<u64> = part.into_iter().map(|(_, suppressed)| *suppressed).collect();
            part.sort_unstable();
            part
        };
        HeightRow { height, inside: sorted(inside), outside: sorted(outside) }
    }

    /// The signs in the middle, and the letters of what is offered at this height.
    fn line(&self, row: &HeightRow, each: usize) -> String {
        let (inside, outside) = (self.block(&row.inside, each), self.block(&row.outside, each));
        let framed = self.framed().is_some() && !inside.is_empty();
        let inside = if framed { format!("[{inside}]") } else { inside };
        let offers = self.offers.iter().filter(|offer| offer.scheme.height() == row.height);
        let letters: String = offers.map(|offer| format!(" {}", letter(offer.kind))).collect();
        let width = WIDTH + 4;
        let line = format!("{:>4} |{:^width$}{letters}", row.height, inside + &outside);
        line.trim_end().to_owned() + "\n"
    }

    fn block(&self, suppressed: &[u64], each: usize) -> String {
        let sign = |some: &[u64]| Shade::for_share(some[some.len() / 2], self.records).sign();
        suppressed.chunks(each).map(sign).collect()
    }

    /// Explains the signs and letters.
    fn signs(&self) -> String {
        let shades = Shade::ALL.map(|shade| format!("  {} {}", shade.sign(), shade.words()));
        let mut text = shades.concat() + "\n";
        if self.framed().is_some() {
            text += &format!("  [ ] under the maximum levels {}\n", self.caps);
        }
        for offer in &self.offers {
            text += &format!("  {} {}\n", letter(offer.kind), offer.words);
        }
        text
    }
}

fn letter(kind: MarkKind) -> char {
    match kind {
        MarkKind::Answer => 'A',
        MarkKind::Suppression => 'S',
        MarkKind::Privacy => 'P',
        MarkKind::Height => 'H',
        MarkKind::Attribute => 'L',
    }
}
