//! A frame of any table: every column as the text that is read.

use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use haggle_model::Silent;

use crate::fields::{Fields, Visit};
use crate::records::Reading;
use crate::{Error, Frame, Table};

impl Frame {
    /// Reads all records of a table, in order.
    ///
    /// ```
    /// use haggle_data::{CsvOptions, Frame, Input, Table};
    ///
    /// let input = Input::embedded("people.csv", b"age;sex\n37;f\n41;m\n");
    /// let frame = Frame::of(&Table::open(input, &CsvOptions::default())?)?;
    /// assert_eq!(frame.records(), 2);
    /// # Ok::<(), haggle_data::Error>(())
    /// ```
    pub fn of(table: &Table) -> Result<Self, Error> {
        let names = table.columns();
        let field = |name: &String| Field::new(name, DataType::LargeUtf8, false);
        let schema = Arc::new(Schema::new(names.iter().map(field).collect::<Vec<_>>()));
        let reading = Reading::open(table, 0..names.len(), &Silent)?;
        let mut batches = Vec::new();
        while let Some(block) = reading.next()? {
            let mut gathered = Gathered::with_columns(names.len());
            block.visit(&mut gathered)?;
            let batch = RecordBatch::try_new(schema.clone(), gathered.into_columns());
            batches.push(batch.expect("columns of one length, as the schema says"));
        }
        Ok(Self::trusted(schema, batches))
    }
}

/// The fields of records, column by column.
struct Gathered {
    columns: Vec<LargeStringBuilder>,
}

impl Gathered {
    fn with_columns(columns: usize) -> Self {
        Self { columns: (0..columns).map(|_| LargeStringBuilder::new()).collect() }
    }

    fn into_columns(self) -> Vec<ArrayRef> {
        self.columns.into_iter().map(|mut column| Arc::new(column.finish()) as ArrayRef).collect()
    }
}

impl Visit for Gathered {
    fn record(&mut self, record: &impl Fields, _: u64) -> Result<(), Error> {
        for (position, column) in self.columns.iter_mut().enumerate() {
            column.append_value(record.get(position));
        }
        Ok(())
    }
}
