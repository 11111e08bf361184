//! The lattice made of characters: a line a height, a sign for one or several schemes.

use super::Lattice;
use crate::plot::shade::Shade;

const WIDTH: usize = 66;

impl Lattice {
    pub(in crate::plot) fn text(&self) -> String {
        let heights = self.schemes.iter().map(|(scheme, _)| scheme.height());
        let heights = 0..=heights.max().unwrap_or(0);
        let rows: Vec<_> = heights.map(|height| (height, self.row(height))).collect();
        let widest = rows.iter().map(|(_, (i, o))| i.len() + o.len()).max().unwrap_or(1);
        let each = widest.div_ceil(WIDTH);
        let line = |(height, (inside, outside)): &(u32, (Vec<u64>, Vec<u64>))| {
            let signs =
                format!("{}{}", self.block(inside, each, true), self.block(outside, each, false));
            format!("{height:>6} | {signs:^w$}{}", self.offers_at(*height), w = WIDTH + 4)
                .trim_end()
                .to_owned()
                + "\n"
        };
        let lines: String = rows.iter().rev().map(line).collect();
        let shades = Shade::ALL.map(|shade| format!("{} {}", shade.sign(), shade.words()));
        let sign = if each == 1 { "scheme".into() } else { format!("{each} schemes") };
        let frame = match self.framed() {
            Some(_) => format!("        [ ] under the maximum levels {}\n", self.caps),
            None => String::new(),
        };
        format!("height\n{lines}        a sign for each {sign}: {}\n{frame}", shades.join(", "))
    }

    /// What the schemes of a height suppress, under the maximum levels and elsewhere; least first.
    fn row(&self, height: u32) -> (Vec<u64>, Vec<u64>) {
        let row = self.schemes.iter().filter(|(scheme, _)| scheme.height() == height);
        let (inside, outside): (Vec<_>, Vec<_>) = row.partition(|(scheme, _)| self.inside(scheme));
        let sorted = |part: Vec<&(_, u64)>| {
            let mut part: Vec<u64> = part.into_iter().map(|(_, suppressed)| *suppressed).collect();
            part.sort_unstable();
            part
        };
        (sorted(inside), sorted(outside))
    }

    fn block(&self, suppressed: &[u64], each: usize, inside: bool) -> String {
        let sign = |some: &[u64]| Shade::of(some[some.len() / 2], self.records).sign();
        let signs: String = suppressed.chunks(each).map(sign).collect();
        if inside && self.framed().is_some() && !signs.is_empty() {
            return format!("[{signs}]");
        }
        signs
    }

    fn offers_at(&self, height: u32) -> String {
        let offers = self.offers.iter().filter(|offer| offer.scheme.height() == height);
        offers.map(|offer| format!("  < {}", offer.words)).collect()
    }
}
