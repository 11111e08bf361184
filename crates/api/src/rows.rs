//! Answers as rows of CSV, one offer, value or change a row, for spreadsheets and scripts.

use haggle_model::Scheme;

use crate::{
    Answer, ComparedStrategy, Comparison, Front, FrontPoint, GroupingStudy, HeightStudy, Offer,
    PairsFront, SchemeHistogram, Security, Threshold, Why,
};

/// A scheme's levels with blanks between, as one field.
pub fn spaced(scheme: &Scheme) -> String {
    scheme.levels().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Rows as CSV; fields are quoted where they must be.
fn written(rows: impl IntoIterator<Item = Vec<String>>, head: &[&str]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(head).expect("memory takes what is written");
    for row in rows {
        writer.write_record(row).expect("all rows are as long as the head");
    }
    let bytes = writer.into_inner().expect("memory takes what is written");
    String::from_utf8(bytes).expect("text makes text")
}

/// "k-anonymity=10; t-closeness=0.2"
fn thresholds(values: &[(String, Threshold)]) -> String {
    let one = |(model, value): &(String, Threshold)| format!("{model}={value}");
    values.iter().map(one).collect::<Vec<_>>().join("; ")
}

impl Answer {
    /// Everything on offer: the answer with its runners-up, or what could be relaxed.
    ///
    /// ```
    /// use haggle::{Ask, Engine, Options, Project};
    ///
    /// let options = Options { qi: Some(vec!["age".into(), "race".into()]), ..Options::default() };
    /// let engine = Engine::open(&Project::open("demo:adult")?, &options)?;
    /// let ask: Ask = serde_json::from_str(r#"{"privacy": {"k-anonymity": 10}}"#)?;
    /// assert!(engine.ask(&ask)?.csv().starts_with("offer,without,scheme,height,suppressed"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn csv(&self) -> String {
        let measure = self.exact.iter().flat_map(|offer| offer.loss.keys()).next();
        let loss = measure.map_or("loss", String::as_str);
        let head = ["offer", "without", "scheme", "height", "suppressed", "privacy", "attained"];
        let rows = self.on_offer().into_iter().map(|(what, without, offer)| {
            let loss = offer.loss.values().next().map_or(String::new(), ToString::to_string);
            vec![
                what.to_owned(),
                without,
                spaced(&offer.scheme),
                offer.height.to_string(),
                offer.suppressed.to_string(),
                thresholds(&offer.privacy),
                thresholds(&offer.attained),
                loss,
            ]
        });
        written(rows, &[&head[..], &[loss]].concat())
    }

    /// Every offer with what it is, and the attributes that it does without.
    fn on_offer(&self) -> Vec<(&'static str, String, &Offer)> {
        let all = |what, offer| (what, String::new(), offer);
        let exact = self.exact.iter().map(|offer| all("exact", offer));
        let next = self.runners_up.iter().map(|offer| all("runner-up", offer));
        let within = self.range.iter().flat_map(|range| &range.points);
        let within = within.map(|offer| all("within range", offer));
        let relaxed = self
            .relaxations
            .iter()
            .filter_map(|one| Some((one.kind.id(), one.without.join(", "), one.offer.as_ref()?)));
        exact.chain(next).chain(within).chain(relaxed).collect()
    }
}

impl Why {
    /// What is hit hardest, what one level would change, and what each attribute costs.
    pub fn csv(&self) -> String {
        let head = ["row", "attribute", "value", "level", "scheme", "suppressed", "of", "loss"];
        let row = |row: &str, attribute: &str, rest: [String; 6]| {
            [row.to_owned(), attribute.to_owned()].into_iter().chain(rest).collect::<Vec<_>>()
        };
        let none = String::new;
        let kinds = self.kinds.iter().map(|kind| {
            let (suppressed, of) = (kind.suppressed.to_string(), kind.records.to_string());
            row(
                "value",
                &kind.attribute,
                [kind.value.clone(), none(), none(), suppressed, of, none()],
            )
        });
        let changes = self.changes.iter().map(|change| {
            let (level, scheme) = (change.level.to_string(), spaced(&change.scheme));
            let suppressed = change.suppressed.to_string();
            row("level", &change.attribute, [none(), level, scheme, suppressed, none(), none()])
        });
        let attributes = self.attributes.iter().map(|cost| {
            let (level, without) = (cost.level.to_string(), cost.suppressed_without.to_string());
            let loss = cost.loss.to_string();
            row("left out", &cost.attribute, [none(), level, none(), without, none(), loss])
        });
        let head: Vec<&str> = head
            .into_iter()
            .map(|name| if name == "loss" { &self.measure } else { name })
            .collect();
        written(kinds.chain(changes).chain(attributes), &head)
    }
}

impl Security {
    /// ψ of every value.
    pub fn csv(&self) -> String {
        let head = [&self.attribute, "class", "groups", "least", "mean", "most"];
        let rows = self.values.iter().map(|value| {
            let numbers = [value.least, value.mean, value.most].map(|psi| psi.to_string());
            let counts = [value.class.to_string(), value.groups.to_string()];
            [value.value.clone()].into_iter().chain(counts).chain(numbers).collect()
        });
        written(rows, &head)
    }
}

impl PairsFront {
    /// The points; the parameters and the measure name their columns.
    pub fn csv(&self) -> String {
        let mut head = self.parameters.clone();
        head.extend([self.loss.as_str(), "suppressed", "height", "scheme"]);
        let rows = self.points.iter().map(|point| {
            let thresholds = point.thresholds.iter().map(ToString::to_string);
            let counts = [point.suppressed.to_string(), point.height.to_string()];
            let counts = [point.loss.to_string()].into_iter().chain(counts);
            thresholds.chain(counts).chain([spaced(&point.scheme)]).collect()
        });
        written(rows, &head)
    }
}

impl Front {
    /// The points as CSV.
    pub fn csv(&self) -> String {
        FrontPoint::csv(self.parameter, &self.loss, &self.points)
    }
}

impl FrontPoint {
    /// Points as CSV; the parameter and the measure name their columns.
    pub fn csv(parameter: &str, loss: &str, points: &[Self]) -> String {
        let row = |point: &Self| {
            let scheme = spaced(&point.scheme);
            let Self { threshold, loss, suppressed, height, knee, .. } = point;
            format!("{threshold},{loss},{suppressed},{height},{scheme},{knee}\n")
        };
        let rows: String = points.iter().map(row).collect();
        format!("{parameter},{loss},suppressed,height,scheme,knee\n{rows}")
    }
}

impl HeightStudy {
    /// Heights as CSV.
    pub fn csv(heights: &[Self]) -> String {
        let row =
            |h: &Self| format!("{},{},{},{},{}\n", h.height, h.schemes, h.least, h.mean, h.most);
        let rows: String = heights.iter().map(row).collect();
        format!("height,schemes,least,mean,most\n{rows}")
    }
}

impl GroupingStudy {
    /// The attributes as CSV, the smallest group first.
    pub fn csv(&self) -> String {
        let rows = self.attributes.iter().map(|one| {
            vec![one.attribute.clone(), one.smallest.to_string(), one.groups.to_string()]
        });
        written(rows, &["attribute", "smallest", "groups"])
    }
}

impl SchemeHistogram {
    /// The bins as CSV.
    pub fn csv(&self) -> String {
        let row = |bin: &haggle_cube::Bin| {
            format!("{},{},{},{}\n", bin.value, bin.groups, bin.records, bin.weaker)
        };
        let rows: String = self.bins.iter().map(row).collect();
        format!("{},groups,records,suppressed\n{rows}", self.parameter)
    }
}

impl Comparison {
    /// Formats one row for each strategy.
    pub fn csv(&self) -> String {
        let measures = self.measures.iter().map(String::as_str);
        let head: Vec<&str> = ["strategy", "recoding", "found"]
            .into_iter()
            .chain(measures)
            .chain(AFTER_LOSSES)
            .collect();
        let rows = self.strategies.iter().map(|one| one.row(&self.measures));
        written(rows, &head)
    }
}

/// The columns of a comparison that follow the losses.
const AFTER_LOSSES: [&str; 11] = [
    "suppressed",
    "groups",
    "evaluated",
    "scans",
    "proven",
    "stopped",
    "verified",
    "micros",
    "reason",
    "error",
    "note",
];

impl ComparedStrategy {
    fn row(&self, measures: &[String]) -> Vec<String> {
        let number = |n: Option<u64>| n.map_or(String::new(), |n| n.to_string());
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let yes = |is: bool| if is { "yes" } else { "no" }.to_owned();
        let loss = |m: &String| self.loss.get(m).map_or(String::new(), ToString::to_string);
        let first = [self.strategy.clone(), self.recoding.into(), text(&self.found)];
        let last = [
            number(self.suppressed),
            number(self.groups),
            self.evaluated.to_string(),
            number(self.scans),
            yes(self.proven),
            yes(self.stopped),
            yes(self.verified),
            self.micros.to_string(),
            text(&self.reason),
            text(&self.error),
            text(&self.note),
        ];
        first.into_iter().chain(measures.iter().map(loss)).chain(last).collect()
    }
}
