//! `haggle pareto`: the exact front of privacy against loss.

use clap::Args;
use haggle::{Amount, Ask, Front, FrontPoint, Judge, Levels, Privacy};

use crate::Output;
use crate::args::ProjectArgs;
use crate::plot::PlotArgs;
use crate::text::{percent, table, thousands};

/// The exact front of privacy against loss: every threshold that is worth its price
#[derive(Debug, Args)]
pub(crate) struct ParetoArgs {
    #[command(flatten)]
    project: ProjectArgs,
    /// The privacy model whose threshold varies, with its other parameters, such as t-closeness or recursive-l-diversity:c=2
    #[arg(long, value_name = "MODEL", default_value = "k-anonymity")]
    privacy: String,
    /// The loss measure
    #[arg(long, value_name = "MEASURE", default_value = "lm")]
    loss: Judge,
    /// Maximum levels: 2,1,0 in the order of the quasi-identifiers, or age=2,race=1
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    levels: Option<Levels>,
    /// How many records may be suppressed: a count, or per cent such as 1%
    #[arg(long, value_name = "N|P%", allow_hyphen_values = true)]
    max_suppressed: Option<Amount>,
    /// Let suppression be a price of its own: the front in three dimensions
    #[arg(long)]
    suppression: bool,
    /// Print the points as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

impl ParetoArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        let data = self.project.json || self.csv;
        self.plot.check(data)?;
        let engine = self.project.engine()?;
        let ask = Ask {
            privacy: vec![Privacy::varying(&self.privacy)?],
            levels: self.levels.clone(),
            max_suppressed: self.max_suppressed,
            ..Ask::default()
        };
        let front = engine.pareto(&ask, &self.loss, self.suppression)?;
        let picture = || engine.picture_of_front(&ask, &self.loss, &front, self.suppression);
        let drawn = match (front.points.is_empty(), data) {
            (true, _) => String::new(),
            (_, true) => self.plot.draw(picture)?,
            _ => self.plot.draw_anyway(picture)?,
        };
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(&front)?,
            (_, true) => csv(&front),
            _ => words(&front, engine.records()) + &drawn,
        };
        Ok(Output { no: front.points.is_empty(), text })
    }
}

fn csv(front: &Front) -> String {
    let row = |point: &FrontPoint| {
        let levels: Vec<String> = point.scheme.levels().iter().map(ToString::to_string).collect();
        format!(
            "{},{},{},{},{},{}\n",
            point.threshold,
            point.loss,
            point.suppressed,
            point.height,
            levels.join(" "),
            point.knee
        )
    };
    let rows: String = front.points.iter().map(row).collect();
    format!("{},{},suppressed,height,scheme,knee\n{rows}", front.parameter, front.loss)
}

fn words(front: &Front, records: u64) -> String {
    if front.points.is_empty() {
        return format!(
            "No threshold of {} can be had with at most {} suppressed.\n",
            front.model,
            thousands(front.limit)
        );
    }
    let head = [front.parameter, &front.loss, "suppressed", "height", "scheme", "price", ""];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(front.points.iter().map(|point| {
        vec![
            point.threshold.to_string(),
            format!("{:.6}", point.loss),
            format!("{} ({})", thousands(point.suppressed), percent(point.suppressed, records)),
            point.height.to_string(),
            point.scheme.to_string(),
            point.price.map_or(String::new(), |price| format!("{price:.6}")),
            if point.knee { "knee".into() } else { String::new() },
        ]
    }));
    format!(
        "{} against {}, at most {} of {} records suppressed: {} points, none beaten by another.\n\
         The price is what one unit of {} costs on the way from the next weaker point.\n\n{}",
        front.model,
        front.loss,
        thousands(front.limit),
        thousands(records),
        front.points.len(),
        front.parameter,
        table(&rows)
    )
}
