//! Tables whose domains are so large that their codes fill whole machine words.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Attribute, Table};

/// Tables with one attribute for each number of bits that its values' codes shall take, and some
/// sensitive attributes of two values.
///
/// Records use few values of each domain, among them such as differ in the highest or lowest bit
/// alone. Every third attribute has
/// a level between its values and the top, the others have none, so that the schemes stay few.
///
/// ```
/// use haggle_testkit::generate;
///
/// generate::check(2, &generate::wide_tables(&[10, 12], 1), |table| {
///     assert_eq!(table.attributes[1].rows.len(), 4096);
///     Ok(())
/// });
/// ```
pub fn wide_tables(widths: &[u32], sensitive: usize) -> impl Strategy<Value = Table> + use<> {
    let attributes: Vec<Attribute> =
        widths.iter().enumerate().map(|(i, &bits)| attribute(i, bits)).collect();
    let widths = widths.to_vec();
    let draws = vec(any::<u8>(), widths.len() + sensitive);
    vec((draws, 1..4_usize), 20..80).prop_map(move |draws| {
        let records = draws
            .iter()
            .flat_map(|(draws, times)| std::iter::repeat_n(record(&widths, draws), *times));
        Table {
            attributes: attributes.clone(),
            sensitive: (0..sensitive).map(|i| format!("sensitive {i}")).collect(),
            records: records.collect(),
        }
    })
}

fn attribute(position: usize, bits: u32) -> Attribute {
    let row = |value: u32| {
        let mut row = vec![format!("v{value}")];
        if position.is_multiple_of(3) {
            row.push(format!("g{}", value.wrapping_mul(2_654_435_761) % 5));
        }
        row
    };
    Attribute { name: format!("attribute {position}"), rows: (0..1 << bits).map(row).collect() }
}

fn record(widths: &[u32], draws: &[u8]) -> Vec<String> {
    let (values, secrets) = draws.split_at(widths.len());
    let values = values.iter().zip(widths).map(|(&draw, &bits)| {
        let half = 1_u32 << (bits - 1);
        let choices = [0, 0, 0, 1, half, half, half + 1, half + (half - 1)];
        format!("v{}", choices[usize::from(draw) % choices.len()])
    });
    values.chain(secrets.iter().map(|draw| (draw % 2).to_string())).collect()
}
