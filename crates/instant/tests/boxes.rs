//! M-INSTANT on random tables: its boxes cover every value exactly once, counted boxes pass, and
//! the source counted the scans.

use std::cell::RefCell;

use haggle_cube::{Base, BoxCount, BoxSource, CountedBox, Cube, GroupBoxes, Overview, Proposed};
use haggle_instant::{
    Boxed, Boxing, Goal, PredictionOptions, Summary, SummaryInput, find, m_instant,
};
use haggle_model::{Level, Progress, Scheme, Silent, WithDeadline};
use haggle_testkit::effort::enough;
use haggle_testkit::generate::{Shape, check, tables_of};
use proptest::prelude::*;

const SHAPE: Shape = Shape { attributes: 3, schemes: 60, records: 200, sensitive: 1 };

fn summary(cube: &Cube, base: &Base, id: &str, sensitive: bool) -> Box<dyn Summary> {
    let domain = |a: &haggle_model::QuasiIdentifier| vec![0; a.hierarchy.len(Level::RECORDED)];
    let mut overview = Overview { records: base.all(), ..Overview::default() };
    overview.counts = cube.attributes().iter().map(domain).collect();
    if sensitive {
        overview.counts.push(vec![0; cube.watched()[0].values.len() + 1]);
    }
    for row in 0..base.len() {
        for value in base.values(row, 0) {
            let mut codes = base.codes(row).to_vec();
            codes.extend(sensitive.then_some(value.code));
            for (counts, &code) in overview.counts.iter_mut().zip(&codes) {
                counts[code as usize] += value.count;
            }
            (0..value.count).for_each(|_| overview.sample.extend_from_slice(&codes));
        }
    }
    let basis = SummaryInput {
        attributes: cube.attributes().to_vec(),
        sensitive: sensitive.then(|| cube.watched()[0].clone()),
        overview: Some(overview),
        statistics: None,
    };
    find(id).unwrap().build(&basis).unwrap()
}

/// Data that counts how often it was read.
struct Read<'b> {
    groups: GroupBoxes<'b>,
    times: u64,
}

impl BoxSource for Read<'_> {
    type Error = haggle_cube::Error;

    fn count(&mut self, boxes: &[Proposed]) -> Result<Vec<CountedBox>, Self::Error> {
        self.times += 1;
        self.groups.count(boxes)
    }

    fn scans(&self) -> u64 {
        self.groups.scans()
    }
}

#[test]
fn boxes_hold_everything_once_and_pass() {
    let seen = RefCell::new([0_u32; 4]);
    let inputs = (tables_of(SHAPE), 2..8_u64, 0..3_usize, any::<bool>(), any::<u8>());
    check(300, &inputs, |(table, k, which, diverse, draw)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let summary = summary(&cube, &base, ["histogram", "bayes", "sample"][which], diverse);
        let goal = if diverse { Goal::L(1.0 + k as f64 / 8.0) } else { Goal::K(k) };
        let threshold = [0.05, 0.5, 0.9][draw as usize % 3];
        // With little time, what is counted once must hold as well.
        let progress = WithDeadline::at(&Silent, (draw % 10 == 0).then(std::time::Instant::now));
        let boxing = Boxing {
            goal,
            threshold,
            how: PredictionOptions::default(),
            most_scans: 50,
            progress: &progress,
        };
        let passes = |count: &BoxCount| {
            let most = count.values[0].iter().map(|value| value.count).max().unwrap_or(0);
            match goal {
                Goal::K(k) => count.records >= k,
                Goal::L(l) => count.records as f64 >= l * most as f64,
            }
        };
        let tops = cube.space().top().clone();
        let caps =
            Scheme::new(tops.levels().iter().map(|&top| u8::from(top) - u8::from(draw > 200)));
        let mut source = Read { groups: GroupBoxes::new(&base, vec![0]), times: 0 };
        let boxed: Result<Boxed, Box<dyn std::error::Error>> =
            m_instant(summary.as_ref(), &mut source, &boxing, &caps, &passes, 2 * k);
        let boxed = boxed.unwrap();
        prop_assert_eq!((boxed.scans, source.times > 0), (source.times, true));
        prop_assert!(progress.deadline().is_none() || (boxed.scans, boxed.split) == (1, 0));
        prop_assert_eq!(boxed.records, base.all());
        let counted =
            boxed.boxes.iter().map(|sides| Proposed { sides: sides.clone(), splits: Vec::new() });
        let counted = source.count(&counted.collect::<Vec<_>>()).unwrap();
        prop_assert_eq!(counted.iter().map(|c| c.all.records).sum::<u64>(), base.all());
        for row in 0..base.len() {
            let holds = |sides: &&Vec<std::ops::Range<u32>>| {
                sides.iter().zip(base.codes(row)).all(|(side, code)| side.contains(code))
            };
            prop_assert_eq!(boxed.boxes.iter().filter(holds).count(), 1);
        }
        // Only a box without a sibling may fail: the whole, or a cell of the maximum levels.
        let is_cap = |sides: &Vec<std::ops::Range<u32>>| {
            let cap = |(i, side): (usize, &std::ops::Range<u32>)| {
                let hierarchy = &cube.attributes()[i].hierarchy;
                let level = caps.level(i);
                hierarchy.leaves(hierarchy.ancestor(side.start, level), level) == *side
            };
            sides.iter().enumerate().all(cap)
        };
        for (sides, counted) in boxed.boxes.iter().zip(&counted) {
            prop_assert!(counted.all.records == 0 || passes(&counted.all) || is_cap(sides));
        }
        let mut seen = seen.borrow_mut();
        seen[0] += u32::from(boxed.merged > 0);
        seen[1] += u32::from(boxed.split > 0);
        seen[2] += u32::from(boxed.predicted > 1);
        seen[3] += u32::from(boxed.boxes.len() > 1);
        Ok(())
    });
    assert!(seen.borrow().iter().all(|&times| times >= enough(20)), "{seen:?}");
}

/// A box that is a cell of a scheme has the cell's probability, and its parts add up to it.
#[test]
fn boxes_are_as_likely_as_cells() {
    check(100, &(tables_of(SHAPE), 0..3_usize, any::<u16>()), |(table, which, draw)| {
        let cube = table.cube().unwrap();
        let base = Base::of(&cube);
        let summary = summary(&cube, &base, ["histogram", "bayes", "sample"][which], true);
        let space = cube.space();
        let scheme = space.scheme(draw as usize % space.size().unwrap());
        let codes: Vec<u32> = cube
            .attributes()
            .iter()
            .zip(scheme.levels())
            .map(|(a, &level)| u32::from(draw) % a.hierarchy.len(level) as u32)
            .collect();
        let sides: Vec<_> = cube
            .attributes()
            .iter()
            .zip(scheme.levels())
            .zip(&codes)
            .map(|((a, &level), &code)| a.hierarchy.leaves(code, level))
            .collect();
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let whole = summary.probability(&scheme, &codes, None);
        prop_assert!(near(summary.within(&sides, None, false)[0], whole));
        for attribute in 0..sides.len() {
            let along = summary.within(&sides, Some(attribute), false);
            prop_assert_eq!(along.len(), sides[attribute].len());
            prop_assert!(near(along.iter().sum(), whole));
        }
        let joint = summary.within(&sides, None, true);
        for (value, share) in (0..).zip(&joint) {
            prop_assert!(near(*share, summary.probability(&scheme, &codes, Some(value))));
        }
        Ok(())
    });
}
