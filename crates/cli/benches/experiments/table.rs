//! A table of results: written as CSV, and drawn as curves.

use std::fmt::Write;

use haggle::plot::{Caption, Lines, Picture};

/// Rows of one experiment.
pub(crate) struct Results {
    name: &'static str,
    parameter: &'static str,
    rows: Vec<Row>,
}

/// One run.
pub(crate) struct Row {
    /// The value of what varies.
    pub(crate) value: f64,
    /// Summary and rule.
    pub(crate) method: String,
    pub(crate) plan_seconds: f64,
    pub(crate) seconds: f64,
    pub(crate) scans: u64,
    pub(crate) loss: Option<f64>,
    pub(crate) optimum: Option<f64>,
    pub(crate) scheme: String,
}

impl Results {
    pub(crate) fn new(name: &'static str, parameter: &'static str) -> Self {
        Self { name, parameter, rows: Vec::new() }
    }

    pub(crate) fn add(&mut self, row: Row) {
        let number = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.4}"));
        println!(
            "  {} {:>7} {:<34} {:>7.2} s  {:>3} scans  lm {} (optimum {})",
            self.parameter,
            row.value,
            row.method,
            row.seconds,
            row.scans,
            number(row.loss),
            number(row.optimum)
        );
        self.rows.push(row);
    }

    /// Writes the table and the pictures of loss, time and scans.
    pub(crate) fn write(&self, title: &str) {
        self.write_loss_and_time(title);
        self.draw("scans", title, "scans of the data", |row| Some(row.scans as f64), false);
    }

    /// Writes the table and the pictures of loss and time, where scans are not compared.
    pub(crate) fn write_loss_and_time(&self, title: &str) {
        let number = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.6}"));
        let mut text =
            format!("{},method,plan_seconds,seconds,scans,lm,optimum_lm,scheme\n", self.parameter);
        for row in &self.rows {
            let _ = writeln!(
                text,
                "{},{},{:.3},{:.3},{},{},{},{}",
                row.value,
                row.method,
                row.plan_seconds,
                row.seconds,
                row.scans,
                number(row.loss),
                number(row.optimum),
                row.scheme
            );
        }
        save(&format!("{}.csv", self.name), text.as_bytes());
        self.draw("lm", title, "general loss (LM)", |row| row.loss, true);
        self.draw("time", title, "seconds, summary aside", |row| Some(row.seconds), false);
    }

    fn draw(
        &self,
        kind: &str,
        title: &str,
        up: &str,
        of: impl Fn(&Row) -> Option<f64>,
        optimum: bool,
    ) {
        let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
        let mut add = |name: &str, point: (f64, f64)| match curves
            .iter_mut()
            .find(|(known, _)| known == name)
        {
            Some((_, points)) if !points.contains(&point) => points.push(point),
            Some(_) => {}
            None => curves.push((name.into(), vec![point])),
        };
        for row in &self.rows {
            if let Some(loss) = row.optimum.filter(|_| optimum) {
                add("exact optimum", (row.value, loss));
            }
            if let Some(value) = of(row) {
                add(&row.method, (row.value, value));
            }
        }
        if curves.iter().all(|(_, points)| points.len() < 2) {
            return;
        }
        let caption = Caption {
            title: title.into(),
            asked: vec!["synthetic census, drawn from a network fitted to Adult".into()],
        };
        let picture =
            Picture::Lines(Lines { caption, across: self.parameter.into(), up: up.into(), curves });
        save(&format!("{}-{kind}.svg", self.name), picture.svg().as_bytes());
    }
}

pub(crate) fn save(name: &str, bytes: &[u8]) {
    std::fs::write(crate::output().join(name), bytes).expect("it can be written");
}
