//! Records read in small blocks are those that the CSV library reads in one piece.

use csv::{QuoteStyle, ReaderBuilder, Terminator, WriterBuilder};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::{CsvOptions, Input};

/// Collects what it visits.
#[derive(Default)]
struct Seen(Vec<(u64, Vec<String>)>);

impl Visit for Seen {
    fn record(&mut self, record: &impl Fields, line: u64) -> Result<(), Error> {
        let fields = (0..record.count()).map(|position| record.get(position).to_owned());
        self.0.push((line, fields.collect()));
        Ok(())
    }
}

/// How the tables below are to be read: nothing is guessed, and every record counts.
fn stated(separator: u8, fields: usize) -> CsvOptions {
    CsvOptions {
        separator: Some(separator),
        quote: Some(b'"'),
        escape: Some(b'"'),
        header: Some(false),
        columns: Some((0..fields).map(|i| i.to_string()).collect()),
        ..CsvOptions::default()
    }
}

/// The records with their lines, read in blocks of this many bytes.
fn read(text: &str, options: &CsvOptions, size: usize) -> Result<Vec<(u64, Vec<String>)>, Error> {
    let input = Input::memory("t.csv", text.as_bytes().to_vec());
    let table = Table::open(input, options)?.in_blocks_of(size);
    let reading = Reading::open(&table, 0..table.columns().len(), &haggle_model::Silent)?;
    let (mut seen, mut blocks) = (Seen::default(), 0);
    while let Some(block) = reading.next()? {
        assert_eq!(block.number(), blocks);
        block.visit(&mut seen)?;
        blocks += 1;
    }
    Ok(seen.0)
}

/// As the CSV library reads it, blanks around fields aside.
fn by_library(text: &str, separator: u8) -> Vec<Vec<String>> {
    let mut builder = ReaderBuilder::new();
    let builder = builder.has_headers(false).flexible(true).delimiter(separator);
    let records = builder.from_reader(text.as_bytes()).into_records();
    let fields = |record: csv::StringRecord| record.iter().map(|f| f.trim().to_owned()).collect();
    records.map(|record| fields(record.expect("text is UTF-8"))).collect()
}

fn fields_only(records: Vec<(u64, Vec<String>)>) -> Vec<Vec<String>> {
    records.into_iter().map(|(_, fields)| fields).collect()
}

/// How many lines a text has before what follows it: one for each LF, CR LF or lone CR.
fn lines(text: &str) -> u64 {
    let unix = text.replace("\r\n", "\n").replace('\r', "\n");
    unix.matches('\n').count() as u64
}

fn separators() -> impl Strategy<Value = u8> {
    select(&b",;\t|#"[..])
}

fn field() -> impl Strategy<Value = String> {
    let letters = vec![
        "a", "b", "\"", "\"\"", "'", ",", ";", "\t", "|", "#", "\n", "\r", "\r\n", " ", "\\", "é",
        "日本", "🎲", "\u{a0}",
    ];
    vec(select(letters), 0..6).prop_map(|letters| letters.concat())
}

fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1..6_usize).prop_flat_map(|columns| vec(vec(field(), columns), 1..12))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(haggle_testkit::effort::cases(3_000)))]

    #[test]
    fn written_by_the_library_and_read_in_blocks(
        records in table(),
        separator in separators(),
        always in any::<bool>(),
        windows in any::<bool>(),
        size in 1..100_usize,
    ) {
        let style = if always { QuoteStyle::Always } else { QuoteStyle::Necessary };
        let end = if windows { Terminator::CRLF } else { Terminator::Any(b'\n') };
        let (mut text, mut starts) = (String::new(), Vec::new());
        for record in &records {
            let mut writer = WriterBuilder::new()
                .delimiter(separator).quote_style(style).terminator(end).from_writer(Vec::new());
            writer.write_record(record).unwrap();
            starts.push(1 + lines(&text));
            text += &String::from_utf8(writer.into_inner().unwrap()).unwrap();
        }
        let expected: Vec<Vec<String>> = records
            .iter()
            .map(|record| record.iter().map(|field| field.trim().to_owned()).collect())
            .collect();
        prop_assert_eq!(&by_library(&text, separator), &expected);
        let found = read(&text, &stated(separator, records[0].len()), size).unwrap();
        prop_assert_eq!(found, starts.into_iter().zip(expected).collect::<Vec<_>>());
    }

    /// Quotes, line ends and separators anywhere: the library decides. Blanks are left out, because
    /// it takes quotes behind them for letters.
    #[test]
    fn any_text_without_blanks_is_read_as_the_library_reads_it(
        letters in vec(select(vec!["a", "é", "\"", ",", "\n", "\r", "\r\n"]), 1..40),
        size in 1..50_usize,
    ) {
        let text = letters.concat();
        let expected = by_library(&text, b',');
        prop_assume!(!expected.is_empty());
        match read(&text, &stated(b',', expected[0].len()), size) {
            Ok(found) => prop_assert_eq!(fields_only(found), expected),
            // The library ends a quoted field where the text ends.
            Err(error) => {
                prop_assert!(error.to_string().contains("never closed"), "{}", error);
                let closed = by_library(&format!("{text}\""), b',');
                prop_assert_eq!(closed.len(), expected.len());
            }
        }
    }

    #[test]
    fn the_size_of_blocks_changes_nothing(
        letters in vec(select(vec!["a", "é", "\"", "\\", ";", "\n", "\r", "\r\n", " ", "\t"]), 1..60),
        size in 1..50_usize,
    ) {
        let text = letters.concat();
        let options = CsvOptions { escape: Some(b'\\'), ..stated(b';', 1) };
        let fields = Table::first_fields(&Input::memory("t.csv", text.clone().into()), &options);
        prop_assume!(fields.is_ok());
        let options = CsvOptions { escape: Some(b'\\'), ..stated(b';', fields.unwrap().len()) };
        let (small, whole) = (read(&text, &options, size), read(&text, &options, 1 << 20));
        match (small, whole) {
            (Ok(small), Ok(whole)) => prop_assert_eq!(small, whole),
            (Err(small), Err(whole)) => prop_assert_eq!(small.to_string(), whole.to_string()),
            (small, whole) => prop_assert!(false, "{:?} but {:?}", small, whole),
        }
    }
}

#[test]
fn quotes_may_follow_blanks_and_be_escaped() {
    let options = CsvOptions { escape: Some(b'\\'), ..stated(b',', 3) };
    let text = "a, \"b, c\" , d\n \"e\"\"f\",\"g\\\"h\", i \"j\"\n";
    let records = fields_only(read(text, &options, 1).unwrap());
    assert_eq!(records, [["a", "b, c", "d"], ["e\"f", "g\"h", "i \"j\""]]);
}

#[test]
fn a_line_that_states_the_separator_is_not_a_record() {
    for size in [1, 100] {
        for text in ["sep=;\nx;y\n1;2\n", "sep=;\r\nx;y\r\n1;2\r\n"] {
            let records = read(text, &CsvOptions::default(), size).unwrap();
            assert_eq!(records, [(3, vec!["1".to_owned(), "2".to_owned()])], "{text:?}");
        }
    }
}

#[test]
fn blocks_are_numbered_through_all_files() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("1.csv", "x\n1\n2\n3\n"), ("2.csv", "\n\nx\n"), ("3.csv", "x\n4\n\n5\n")]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let input = Input::files(folder.path(), &["*.csv".into()]).unwrap();
    let table = Table::open(input, &CsvOptions::default()).unwrap().in_blocks_of(2);
    let reading = Reading::open(&table, [0], &haggle_model::Silent).unwrap();
    let (mut seen, mut numbers) = (Seen::default(), Vec::new());
    while let Some(block) = reading.next().unwrap() {
        numbers.push(block.number());
        block.visit(&mut seen).unwrap();
    }
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    let place = |line: u64| table.place(haggle_model::Problem::new("").line(line)).at;
    let file = |line| place(line).file.unwrap().file_stem().unwrap().display().to_string();
    let found = seen.0.iter().map(|(line, fields)| {
        format!("{} in {}:{}", fields[0], file(*line), place(*line).line.unwrap())
    });
    let found: Vec<String> = found.collect();
    assert_eq!(found, ["1 in 1:2", "2 in 1:3", "3 in 1:4", "4 in 3:2", "5 in 3:4"]);
    assert_eq!(reading.digest(), table.input().digest().unwrap());
}
