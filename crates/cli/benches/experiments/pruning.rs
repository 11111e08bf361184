//! How many schemes a search from the top prunes, and how many one from the bottom: section 7 of
//! the paper, before its figures.

use std::fmt::Write;

use haggle::Ask;

use crate::census::Census;
use crate::figures::{engine, k, l};
use crate::table::save;

pub(crate) fn report(census: &Census) {
    let mut text =
        String::from("records,model,schemes,feasible,pruned_top_down,pruned_bottom_up\n");
    for records in [100_000, 300_000, 500_000] {
        let engine = engine(&census.project(records), 7);
        let space = engine.cube().space();
        let strides = space.strides();
        let models = [20.0, 60.0, 100.0].map(|n| ("k", n, k(n)));
        for (name, threshold, privacy) in models.into_iter().chain([("l", 3.0, l(3.0))]) {
            let max_suppressed = Some("0".parse().expect("an amount"));
            let ask = Ask { privacy: vec![privacy], max_suppressed, ..Ask::default() };
            let suppressed = engine.suppressed(&ask).expect("it is annotated");
            let passes = |index: usize| suppressed[index] == 0;
            let (mut top_down, mut bottom_up, mut feasible) = (0, 0, 0);
            for index in 0..suppressed.len() {
                let scheme = space.scheme(index);
                let levels = scheme.levels().iter().zip(space.top().levels()).enumerate();
                let (mut below_failing, mut above_passing) = (false, false);
                for (i, (level, top)) in levels {
                    below_failing |= level < top && !passes(index + strides[i]);
                    above_passing |= level.index() > 0 && passes(index - strides[i]);
                }
                top_down += u32::from(below_failing);
                bottom_up += u32::from(above_passing);
                feasible += u32::from(passes(index));
            }
            let all = suppressed.len();
            println!(
                "  {records} {name} = {threshold}: of {all} pruned {top_down} from the top, {bottom_up} from the bottom"
            );
            let _ = writeln!(
                text,
                "{records},{name} = {threshold},{all},{feasible},{top_down},{bottom_up}"
            );
        }
    }
    save("pruning.csv", text.as_bytes());
}
