//! What `--memory` bounds, as the operating system sees it: peak resident memory over a table of cases.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;

use crate::common::Folder;
use crate::common::memory::{MB, Measured, measured};

/// Numbers that look random and are the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }
}

/// A file that is written as it is made: what this process holds would count as the program's own.
fn written(folder: &Folder, name: &str) -> BufWriter<File> {
    BufWriter::new(File::create(folder.file(name)).unwrap())
}

/// A project of quasi-identifiers with intervals, and a sensitive attribute.
fn project(names: &[&str], intervals: &str) -> String {
    let mut text = "[data]\npath = \"table.csv\"\n".to_owned();
    for name in names {
        let hierarchy = format!("{{ intervals = {intervals} }}");
        writeln!(
            text,
            "[[attribute]]\nname = \"{name}\"\nrole = \"quasi-identifier\"\nhierarchy = {hierarchy}"
        )
        .unwrap();
    }
    text + "[[attribute]]\nname = \"s\"\nrole = \"sensitive\"\n"
}

/// Nearly every record is a group of its own.
fn distinct_groups(folder: &Folder) {
    let mut draw = Draw(1);
    let mut table = written(folder, "table.csv");
    writeln!(table, "a,b,c,d,s").unwrap();
    for _ in 0..120_000 {
        let mut next = || draw.below(100);
        let (a, b, c, d) = (next(), next(), next(), next());
        writeln!(table, "{a},{b},{c},{d},{}", draw.below(5)).unwrap();
    }
    folder.write("haggle.toml", project(&["a", "b", "c", "d"], "[5, 10, 20, 40]"));
}

/// Nearly every record is a group of its own, and six other columns are nearly unique.
fn near_unique_columns(folder: &Folder) {
    let mut draw = Draw(1);
    let mut table = written(folder, "table.csv");
    writeln!(table, "a,b,c,d,u,v,w,x,y,z,s").unwrap();
    for _ in 0..120_000 {
        for limit in [100; 4].into_iter().chain([1 << 30; 6]) {
            write!(table, "{},", draw.below(limit)).unwrap();
        }
        writeln!(table, "{}", draw.below(5)).unwrap();
    }
    folder.write("haggle.toml", project(&["a", "b", "c", "d"], "[5, 10, 20, 40]"));
}

/// A quasi-identifier that is different in every record.
fn distinct_values(folder: &Folder) {
    let mut table = written(folder, "table.csv");
    writeln!(table, "a,b,s").unwrap();
    for i in 0..200_000_u64 {
        writeln!(table, "{i},{},{}", i % 7, i % 3).unwrap();
    }
    folder.write("haggle.toml", project(&["a", "b"], "[10, 100]"));
}

/// Adds a quasi-identifier that differs in every record, in a table without a project.
fn distinct_values_alone(folder: &Folder) {
    distinct_values(folder);
    std::fs::remove_file(folder.file("haggle.toml")).unwrap();
}

/// Few records of several megabytes each.
fn long_lines(folder: &Folder) {
    let mut table = written(folder, "table.csv");
    writeln!(table, "a,b,s").unwrap();
    let long = "x".repeat(5 << 20);
    for i in 0..12 {
        writeln!(table, "{},{},{long}", i % 3, i % 2).unwrap();
    }
}

/// Thousands of columns, all of them quasi-identifiers.
fn many_columns(folder: &Folder) {
    let names: Vec<String> = (0..3000).map(|i| format!("c{i}")).collect();
    let mut table = written(folder, "table.csv");
    writeln!(table, "{},s", names.join(",")).unwrap();
    let mut draw = Draw(1);
    for _ in 0..300 {
        let fields: Vec<String> = names.iter().map(|_| draw.below(9).to_string()).collect();
        writeln!(table, "{},x", fields.join(",")).unwrap();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    folder.write("haggle.toml", project(&names, "[3, 6]"));
}

fn many_columns_alone(folder: &Folder) {
    many_columns(folder);
    std::fs::remove_file(folder.file("haggle.toml")).unwrap();
}

/// A small file whose rows all refer to one long text of a dictionary.
fn parquet_bomb(folder: &Folder) {
    let schema = "message table { required binary a (UTF8); required binary note (UTF8); }";
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let file = File::create(folder.file("table.parquet")).unwrap();
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(file, schema, properties.into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let long = ByteArray::from("y".repeat(1 << 19).as_str());
    for value in [&ByteArray::from("x"), &long] {
        let mut column = group.next_column().unwrap().unwrap();
        let typed = column.typed::<ByteArrayType>();
        for _ in 0..6 {
            typed.write_batch(&vec![value.clone(); 1000], None, None).unwrap();
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

/// A page of 600 texts of a megabyte each, packed as it is made.
fn large_page() -> CompressedPage {
    let text = "y".repeat(1 << 20);
    let mut packed = zstd::Encoder::new(Vec::new(), 0).unwrap();
    for _ in 0..TEXTS {
        packed.write_all(&(text.len() as u32).to_le_bytes()).unwrap();
        packed.write_all(text.as_bytes()).unwrap();
    }
    let page = Page::DataPage {
        buf: packed.finish().unwrap().into(),
        num_values: TEXTS,
        encoding: Encoding::PLAIN,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    CompressedPage::new(page, TEXTS as usize * (4 + text.len()))
}

/// How many texts the large page has.
const TEXTS: u32 = 600;

/// A small file with one page that unpacks to 600 MB. The writer of the library would hold the
/// page, and what this process ever held would count as the program's own.
fn parquet_page(folder: &Folder) {
    let schema = "message table { required binary note (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let file = File::create(folder.file("table.parquet")).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let column = writer.schema_descr().column(0);
    let mut pages = TrackedWrite::new(Vec::new());
    let written = SerializedPageWriter::new(&mut pages).write_page(large_page()).unwrap();
    let metadata = ColumnChunkMetaData::builder(column)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
        .set_num_values(TEXTS.into())
        .set_total_compressed_size(i64::try_from(written.compressed_size).unwrap())
        .set_total_uncompressed_size(i64::try_from(written.uncompressed_size).unwrap())
        .set_data_page_offset(i64::try_from(written.offset).unwrap())
        .build()
        .unwrap();
    let closed = ColumnCloseResult {
        bytes_written: written.bytes_written,
        rows_written: TEXTS.into(),
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    let mut group = writer.next_row_group().unwrap();
    group.append_column(&Bytes::from(pages.into_inner().unwrap()), closed).unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let bytes = std::fs::metadata(folder.file("table.parquet")).unwrap().len();
    assert!(bytes < MB, "{bytes} bytes are not small");
}

struct Case {
    name: &'static str,
    files: fn(&Folder),
    /// Runs before that are not measured.
    before: &'static [&'static str],
    /// The arguments, to which `--memory` is added.
    run: &'static str,
    megabytes: u64,
    /// Whether it must succeed; else it may also be refused, with an error that says what to do.
    answers: bool,
}

const CASES: &[Case] = &[
    case("ask", distinct_groups, "ask . --k 5 --max-suppressed 5%", 100, true),
    case("ask for two models", distinct_groups, "ask . --k 5 --l 2 --max-suppressed 5%", 100, true),
    case(
        "ask for little loss",
        distinct_groups,
        "ask . --k 5 --max-suppressed 5% --optimize lm",
        100,
        true,
    ),
    case("ask with too little", distinct_groups, "ask . --k 5", 16, false),
    case(
        "ask from higher levels",
        distinct_groups,
        "ask . --k 5 --max-suppressed 5% --from-level a=2,b=2,c=2,d=2",
        16,
        true,
    ),
    case(
        "publish from higher levels",
        distinct_groups,
        "publish . --k 5 --max-suppressed 5% --from-level a=2,b=2,c=2,d=2 -o out.csv",
        40,
        true,
    ),
    case("build", distinct_groups, "build .", 120, false),
    case("publish", distinct_groups, "publish . --k 5 --max-suppressed 5% -o out.csv", 120, true),
    case(
        "publish nearly unique",
        near_unique_columns,
        "publish . --k 5 --max-suppressed 5% -o out.csv",
        80,
        true,
    ),
    case(
        "publish them as recorded",
        near_unique_columns,
        "publish . --k 5 --max-suppressed 5% --as-recorded u,v,w,x,y,z -o out.csv",
        80,
        true,
    ),
    case(
        "publish boxes",
        near_unique_columns,
        "publish . --k 5 --max-suppressed 5% --strategy mondrian -o out.csv",
        130,
        true,
    ),
    case(
        "publish boxes with too little",
        near_unique_columns,
        "publish . --k 5 --max-suppressed 5% --strategy mondrian -o out.csv",
        40,
        false,
    ),
    Case {
        before: &["publish . --k 5 --max-suppressed 5% -o out.csv"],
        ..case("verify", distinct_groups, "verify out.csv --k 5", 60, true)
    },
    Case {
        before: &["publish . --k 5 --max-suppressed 5% -o out.csv"],
        ..case("assess", distinct_groups, "assess out.csv", 60, true)
    },
    case("many distinct values", distinct_values, "ask . --k 5", 60, false),
    case("init of distinct values", distinct_values_alone, "init table.csv", 250, true),
    case("long lines", long_lines, "init table.csv", 100, true),
    case("init of many columns", many_columns_alone, "init table.csv", 150, true),
    case("check of many columns", many_columns, "check .", 100, true),
    case("Parquet bomb", parquet_bomb, "init table.parquet", 50, true),
    case("Parquet page", parquet_page, "init table.parquet", 50, false),
];

const fn case(
    name: &'static str,
    files: fn(&Folder),
    run: &'static str,
    megabytes: u64,
    answers: bool,
) -> Case {
    Case { name, files, before: &[], run, megabytes, answers }
}

/// Runs haggle in a folder with this line of arguments.
fn run(folder: &Folder, line: &str) -> Measured {
    measured(&mut folder.command(&line.split(' ').collect::<Vec<_>>()))
}

impl Case {
    fn measured(&self) -> Measured {
        let folder = Folder::empty();
        (self.files)(&folder);
        for line in self.before {
            let before = run(&folder, line);
            assert_eq!(before.code, Some(0), "{}: {before:?}", self.name);
        }
        let memory = format!("{}MB", self.megabytes);
        let run = run(&folder, &format!("{} --memory {memory}", self.run));
        println!("{:<30} {:?} {:>5} MB of {memory}", self.name, run.code, run.peak / MB);
        run
    }
}

#[test]
fn peak_memory_is_at_most_a_quarter_above_the_limit_and_64_mb() {
    let mut failures = Vec::new();
    for case in CASES {
        let run = case.measured();
        let memory = format!("{}MB", case.megabytes);
        if run.code != Some(0) && (case.answers || !run.is_refused()) {
            failures.push(format!("{} ended with {:?}: {}", case.name, run.code, run.stderr));
        }
        if !run.keeps_to(case.megabytes) {
            failures.push(format!("{} took {} MB of {memory}", case.name, run.peak / MB));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
