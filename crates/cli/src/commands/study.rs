//! `haggle study`: what a threshold costs at each height, or one scheme's histogram.

mod grouping;

use clap::Args;
use haggle::questions::{EstimatorsQuestion, HistogramQuestion, StudyQuestion};
use haggle::reports::{EstimatorStudy, EstimatorsStudy, HeightStudy, SchemeHistogram, Study};
use haggle::{Ask, Engine, Levels, Scheme, Way};
use serde_json::json;

use crate::Output;
use crate::args::{Opening, PrivacyArgs, ProjectArgs, StartArgs};
use crate::partial::Share;
use crate::plot::PlotArgs;
use crate::text::{account, bar, counted, percent, table, thousands};

/// How many bins of a histogram are printed; all are in the JSON.
const SHOWN: usize = 25;
const BAR: usize = 30;

/// What a threshold costs at each height; or, with --scheme, one scheme's histogram
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools)] // flags
pub(crate) struct StudyArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    privacy: PrivacyArgs,
    /// Study only schemes under these maximum levels
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    levels: Option<Levels>,
    /// Print this scheme's histogram instead, such as 1,0,1
    #[arg(long, value_name = "SCHEME", allow_hyphen_values = true, conflicts_with = "levels")]
    scheme: Option<Scheme>,
    /// Print every value of the histogram, not only the weakest
    #[arg(long, requires = "scheme", conflicts_with_all = ["json", "csv", "levels", "estimators"])]
    all: bool,
    /// How well estimators would choose the schemes of a partial lattice: deviations and errors
    #[arg(long, conflicts_with_all = ["scheme", "levels", "plot", "from_level"])]
    estimators: bool,
    /// With --estimators: this percentage of each height
    #[arg(long, value_name = "P%", default_value = "5%", requires = "estimators", conflicts_with_all = ["scheme", "levels", "plot"])]
    partial: Share,
    /// Rank the attributes by grouping power: the smallest group that each one makes alone, with all
    /// others fully generalized
    #[arg(long, conflicts_with_all = ["k", "l", "privacy", "levels", "scheme", "all", "estimators", "partial", "plot", "from_level"])]
    grouping: bool,
    /// Print the numbers as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

impl StudyArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        self.plot.check(self.project.json || self.csv)?;
        if self.grouping {
            return self.ranked();
        }
        let (way, from_level) = (Way::Full, self.start.from_level.clone());
        let engine = self.project.engine_by(&Opening { way, from_level, ..Opening::default() })?;
        let (privacy, levels) = (self.privacy.list(), self.levels.clone());
        let ask = engine.over_all_levels(&Ask { privacy, levels, ..Ask::default() });
        let text = if self.estimators {
            let question = EstimatorsQuestion { partial: self.partial.0 };
            self.estimated(&ask, &ProjectArgs::answer(&engine, &ask, question)?, &engine)?
        } else if let Some(scheme) = &self.scheme {
            let question = HistogramQuestion { scheme: Some(scheme.clone()) };
            let found = ProjectArgs::answer(&engine, &ask, question)?;
            let drawn = self
                .plot
                .draw(|| haggle::plot::picture_of_histogram(&engine, &ask, scheme, &found))?;
            self.histogram(&ask, scheme, &found, &engine)? + &drawn
        } else {
            let study = ProjectArgs::answer(&engine, &ask, StudyQuestion {})?;
            let drawn =
                self.plot.draw(|| haggle::plot::picture_of_study(&engine, &ask, &study.heights))?;
            self.heights(&ask, &study, &engine)? + &drawn
        };
        Ok(text.into())
    }

    /// The attributes by grouping power, which needs the counted groups and no lattice.
    fn ranked(&self) -> anyhow::Result<Output> {
        let opening = Opening { way: Way::OnDemand, ..Opening::default() };
        let study = self.project.engine_by(&opening)?.grouping()?;
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(&study)?,
            (_, true) => study.csv(),
            _ => grouping::words(&study),
        };
        Ok(text.into())
    }

    fn heights(&self, ask: &Ask, study: &Study, engine: &Engine) -> anyhow::Result<String> {
        let heights = &study.heights;
        if self.project.json {
            return super::json(study);
        }
        if self.csv {
            return Ok(HeightStudy::csv(heights));
        }
        let most = heights.iter().map(|height| height.most).max().unwrap_or(0).max(1);
        let mut rows =
            vec![["height", "schemes", "least", "mean", "most", ""].map(String::from).to_vec()];
        rows.extend(heights.iter().map(|h| {
            vec![
                h.height.to_string(),
                thousands(h.schemes),
                thousands(h.least),
                format!("{:.2}", h.mean),
                thousands(h.most),
                format!("{:<BAR$}", bar(h.mean / most as f64, BAR)),
            ]
        }));
        Ok(format!(
            "Records suppressed for {} at each height, of {} ({}):\n{}\n{}",
            ask.or(engine.defaults()).privacy_words(),
            thousands(engine.records()),
            engine.attributes().join(", "),
            account(&study.account),
            table(&rows)
        ))
    }

    fn estimated(
        &self,
        ask: &Ask,
        study: &EstimatorsStudy,
        engine: &Engine,
    ) -> anyhow::Result<String> {
        if self.project.json {
            return super::json(study);
        }
        if self.csv {
            return Ok(study.csv());
        }
        Ok(format!(
            "Best of {}% of each height against the best of all, for {} ({}):\n{}\n{}\n\
             Levels, everything else as recorded:\n\n{}",
            study.percent,
            ask.or(engine.defaults()).privacy_words(),
            engine.attributes().join(", "),
            account(&study.account),
            table(&chosen(study)),
            table(&levels(study)),
        ))
    }

    fn histogram(
        &self,
        ask: &Ask,
        scheme: &Scheme,
        found: &SchemeHistogram,
        engine: &Engine,
    ) -> anyhow::Result<String> {
        if self.project.json {
            let bin = |bin: &haggle::reports::Bin| json!({ "value": bin.value, "groups": bin.groups, "records": bin.records, "weaker": bin.weaker });
            let bins: Vec<_> = found.bins.iter().map(bin).collect();
            return super::json(&json!({
                "scheme": scheme, "model": found.model, "records": engine.records(),
                "groups": found.groups, "bins": bins,
                "asked": json!({ "privacy": engine.asked(ask)?.privacy }),
                "account": engine.account(),
            }));
        }
        if self.csv {
            return Ok(found.csv());
        }
        let shown = if self.all { found.bins.len() } else { SHOWN.min(found.bins.len()) };
        let most = found.bins[..shown].last().map_or(1, |last| (last.weaker + last.records).max(1));
        let mut rows = vec![
            [found.parameter, "groups", "records", "suppressed at this threshold", ""]
                .map(String::from)
                .to_vec(),
        ];
        rows.extend(found.bins[..shown].iter().map(|bin| {
            vec![
                if bin.value.is_finite() { bin.value.to_string() } else { "none".into() },
                thousands(bin.groups),
                thousands(bin.records),
                format!("{} ({})", thousands(bin.weaker), percent(bin.weaker, engine.records())),
                format!("{:<BAR$}", bar(bin.weaker as f64 / most as f64, BAR)),
            ]
        }));
        let rest = match found.bins.len() - shown {
            0 => String::new(),
            rest => format!("\n  and {rest} larger values (--all shows them)\n"),
        };
        let suppressed = engine.pinned(ask, scheme)?.suppressed;
        Ok(format!(
            "{} under {scheme}, by {} ({}):\n{}{} suppresses {} ({}).\n\n{}{rest}",
            counted(found.groups, "group"),
            found.model,
            engine.attributes().join(", "),
            account(&engine.account()),
            ask.or(engine.defaults()).privacy_words(),
            counted(suppressed, "record"),
            percent(suppressed, engine.records()),
            table(&rows)
        ))
    }
}

/// A row for each height, then how often and how far each estimator deviates.
fn chosen(study: &EstimatorsStudy) -> Vec<Vec<String>> {
    let each =
        |cells: &dyn Fn(&EstimatorStudy) -> [String; 2], first: [String; 3]| -> Vec<String> {
            first.into_iter().chain(study.estimators.iter().flat_map(cells)).collect()
        };
    let error = |error: f64| format!("{:.2}%", 100.0 * error);
    let head = |study: &EstimatorStudy| [study.estimator.to_owned(), "error".into()];
    let mut rows = vec![each(&head, ["height", "selected", "actual"].map(String::from))];
    for (i, first) in study.estimators.first().iter().flat_map(|s| s.heights.iter().enumerate()) {
        let one = |study: &EstimatorStudy| {
            let height = &study.heights[i];
            [thousands(height.chosen), error(height.error)]
        };
        let selected = format!("{} of {}", first.selected, first.schemes);
        rows.push(each(&one, [first.height.to_string(), selected, thousands(first.actual)]));
    }
    let foot = |name: &str| [name.to_owned(), String::new(), String::new()];
    let of = |d: haggle::reports::DeviationStudy| [d.deviations.to_string(), error(d.mean_error)];
    rows.push(each(&|s| of(s.substantial), foot("deviations where over 0.1%")));
    rows.push(each(&|s| of(s.overall), foot("deviations overall")));
    rows
}

/// What each level does to the groups.
fn levels(study: &EstimatorsStudy) -> Vec<Vec<String>> {
    let head = ["attribute", "level", "groups", "γ, average size", "µ, importance"];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(study.levels.iter().map(|level| {
        vec![
            level.attribute.clone(),
            level.level.to_string(),
            thousands(level.groups as u64),
            format!("{:.2}", level.average_group_size),
            format!("{:.2}", level.relative_importance),
        ]
    }));
    rows
}
