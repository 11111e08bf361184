//! A shuffle is a permutation, the same for the same seed, wherever its records are held.

use std::collections::BTreeSet;

use super::{CHUNK_RECORDS, Chunk, Encoder, Shuffled, Sink};
use crate::Error;
use crate::sinks::{AsRows, TextRows};

/// Keeps the first field of every record.
struct Collecting<'a>(&'a mut Vec<String>);

impl Sink for Collecting<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(AsRows)
    }

    fn write(&mut self, chunk: Chunk) -> Result<(), Error> {
        let Chunk::Rows(rows) = chunk else { panic!("nothing was encoded") };
        let first = |position| rows.record(position).next().unwrap().to_owned();
        self.0.extend((0..rows.len()).map(first));
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Records 0, 1, 2, … in blocks of 1,000, in the order that comes out.
fn shuffled(records: usize, seed: u64, memory: usize) -> Vec<String> {
    let mut order = Vec::new();
    let mut sink = Shuffled::new(Box::new(Collecting(&mut order)), seed, memory);
    for start in (0..records).step_by(1000) {
        let mut rows = TextRows::default();
        for number in start..records.min(start + 1000) {
            rows.field(&number.to_string());
            rows.field("ä, \"and\" more");
            rows.end();
        }
        sink.write(Chunk::Rows(rows)).unwrap();
    }
    sink.finish().unwrap();
    drop(sink);
    order
}

/// In memory, in piles, and in piles of piles.
const MEMORY: [usize; 3] = [usize::MAX, 100_000, 2_000];

#[test]
fn every_record_comes_out_once_in_an_order_that_the_seed_repeats() {
    let all: BTreeSet<String> = (0..25_500).map(|number| number.to_string()).collect();
    assert!(all.len() > 2 * CHUNK_RECORDS);
    for memory in MEMORY {
        let order = shuffled(all.len(), 7, memory);
        assert_eq!(order.len(), all.len(), "{memory}");
        assert!(order.iter().cloned().collect::<BTreeSet<_>>() == all, "{memory}");
        assert!(order == shuffled(all.len(), 7, memory), "{memory}: the seed repeats it");
        assert!(order != shuffled(all.len(), 8, memory), "{memory}: another seed does not");
        let moved = order.iter().enumerate().filter(|(i, record)| i.to_string() != **record);
        assert!(moved.count() > all.len() - 20, "{memory}: hardly any keeps its place");
    }
}

#[test]
fn every_record_is_as_likely_at_every_place() {
    for memory in MEMORY {
        // How often each of ten parts of the table ends in each of ten parts of the file.
        let (records, mut counts) = (20_000, [[0_u32; 10]; 10]);
        for (place, record) in shuffled(records, 3, memory).iter().enumerate() {
            let number: usize = record.parse().unwrap();
            counts[number * 10 / records][place * 10 / records] += 1;
        }
        // 200 expected each; chi-square with 81 degrees of freedom exceeds 140 once in 20,000 times.
        let cells = counts.iter().flatten().map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0);
        let chi_square: f64 = cells.sum();
        assert!(chi_square < 140.0, "{memory}: {chi_square}");
    }
}
