//! `haggle pareto`: the exact front of privacy against loss.

use clap::Args;
use haggle::numerals::number;
use haggle::plot::Picture;
use haggle::questions::{ParetoAnswer, ParetoQuestion, PokaQuestion};
use haggle::reports::{PairsFront, PokaFront};
use haggle::search::GroundRule;
use haggle::{
    Amount, Ask, Engine, Front, FrontAxes, FrontPoint, Levels, MeasureSpec, Privacy, Scheme, Way,
};

use crate::Output;
use crate::args::{Opening, ProjectArgs, StartArgs, parse_judge};
use crate::plot::PlotArgs;
use crate::text::{account, percent, table, thousands};

/// The exact front of privacy against loss: every Pareto-optimal threshold
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, clippy::doc_markdown)] // flags, and the help's own words
pub(crate) struct ParetoArgs {
    #[command(flatten)]
    project: ProjectArgs,
    #[command(flatten)]
    start: StartArgs,
    /// The privacy model whose threshold varies, with its other parameters, such as t-closeness or recursive-l-diversity:c=2; two of them with --max-loss
    #[arg(long, value_name = "MODEL", default_value = "k-anonymity")]
    privacy: Vec<String>,
    /// The loss measure
    #[arg(long, value_name = "MEASURE", default_value = "lm", value_parser = parse_judge)]
    loss: MeasureSpec,
    /// Maximum levels: 2,1,0 in the order of the quasi-identifiers, or age=2,race=1
    #[arg(long, value_name = "LEVELS", allow_hyphen_values = true)]
    levels: Option<Levels>,
    /// How many records may be suppressed: a count, or per cent such as 1%
    #[arg(long, value_name = "N|P%", allow_hyphen_values = true)]
    max_suppressed: Option<Amount>,
    /// Two models against each other, with at most this loss
    #[arg(long, value_name = "LOSS", conflicts_with_all = ["suppression", "poka"])]
    max_loss: Option<f64>,
    /// Make suppression a third dimension of the front
    #[arg(long)]
    suppression: bool,
    /// Search the least loss at these thresholds alone, such as 5,10,25: schemes are annotated on demand where all of them would take long
    #[arg(long, value_name = "X,X,…", value_delimiter = ',', conflicts_with_all = ["suppression", "max_loss", "poka"])]
    thresholds: Option<Vec<f64>>,
    /// Search as published (POkA): one point per scheme, by depth and height searches
    #[arg(long, conflicts_with_all = ["suppression", "levels", "from_level"])]
    poka: bool,
    /// The scheme that POkA starts from, such as 2,1,1: points weaker than it are searched (default: the most general scheme)
    #[arg(long = "start", value_name = "SCHEME", requires = "poka", conflicts_with_all = ["suppression", "levels", "max_loss"])]
    poka_start: Option<Scheme>,
    /// How deep POkA searches below each point (default: the mean height of a hierarchy)
    #[arg(long, value_name = "D", requires = "poka", conflicts_with_all = ["suppression", "levels", "max_loss"])]
    depth: Option<u32>,
    /// Where POkA starts to climb from: at a depth as published, or from ground nodes whose ceiling is strong enough (our own rule; finds the whole front): depth or ceiling (default: depth)
    #[arg(long, value_name = "RULE", requires = "poka", conflicts_with_all = ["suppression", "levels", "max_loss"])]
    ground_rule: Option<GroundRule>,
    /// Compare what POkA found with every scheme
    #[arg(long, requires = "poka", conflicts_with_all = ["suppression", "levels", "max_loss", "csv"])]
    exhaustive: bool,
    /// Print the points as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    plot: PlotArgs,
}

impl ParetoArgs {
    pub(crate) fn run(&self) -> anyhow::Result<Output> {
        self.plot.check(self.data())?;
        let engine = self.engine()?;
        let ask = Ask {
            privacy: self
                .privacy
                .iter()
                .map(|one| Privacy::varying(one))
                .collect::<Result<_, _>>()?,
            levels: self.levels.clone(),
            max_suppressed: self.max_suppressed,
            ..Ask::default()
        };
        if self.poka {
            let question = PokaQuestion {
                loss: self.loss.clone(),
                start: self.poka_start.clone(),
                depth: self.depth,
                ground_rule: self.ground_rule.map(|rule| rule.id().to_owned()),
                exhaustive: self.exhaustive,
            };
            let found = ProjectArgs::answer(&engine, &ask, question)?;
            let drawn = self.drawn(found.points.is_empty(), || {
                haggle::plot::picture_of_poka(&engine, &ask, &self.loss, &found)
            })?;
            let text = match (self.project.json, self.csv) {
                (true, _) => super::json(&found)?,
                (_, true) => FrontPoint::csv(found.parameter, &found.loss, &found.points),
                _ => searched(&found, engine.records()) + &drawn,
            };
            return Ok(Output::new(text, found.points.is_empty()));
        }
        let axes = FrontAxes::with_suppression(self.suppression);
        let question = ParetoQuestion {
            loss: self.loss.clone(),
            suppression: self.suppression,
            max_loss: self.max_loss,
            thresholds: self.thresholds.clone(),
        };
        let front = match ProjectArgs::answer(&engine, &ask, question)? {
            ParetoAnswer::One(front) => front,
            ParetoAnswer::Two(front) => return self.of_two(&engine, &ask, &front),
        };
        let drawn = self.drawn(front.points.is_empty(), || {
            haggle::plot::picture_of_front(&engine, &ask, &self.loss, &front, axes)
        })?;
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(&front)?,
            (_, true) => front.csv(),
            _ => words(&front, engine.records(), self.thresholds.is_some()) + &drawn,
        };
        Ok(Output::new(text, front.points.is_empty()))
    }
}

impl ParetoArgs {
    /// The engine: with every scheme annotated, but for `POkA`, which annotates what it
    /// evaluates, and for some thresholds, which are searched one by one.
    fn engine(&self) -> anyhow::Result<Engine> {
        let way = match (self.poka, self.exhaustive) {
            (true, false) => Way::OnDemand,
            (true, true) => Way::Auto,
            _ if self.thresholds.is_some() => Way::Auto,
            _ => Way::Full,
        };
        let from_level = self.start.from_level.clone();
        self.project.engine_by(&Opening { way, from_level, ..Opening::default() })
    }

    /// Whether another program reads what is printed.
    fn data(&self) -> bool {
        self.project.json || self.csv
    }

    /// The picture, in the terminal too unless another program reads what is printed.
    fn drawn(
        &self,
        nothing: bool,
        picture: impl FnOnce() -> Result<Picture, haggle::Error>,
    ) -> anyhow::Result<String> {
        match (nothing, self.data()) {
            (true, _) => Ok(String::new()),
            (_, true) => self.plot.draw(picture),
            _ => self.plot.draw_anyway(picture),
        }
    }

    fn of_two(&self, engine: &Engine, ask: &Ask, front: &PairsFront) -> anyhow::Result<Output> {
        let drawn = self
            .drawn(front.points.is_empty(), || haggle::plot::picture_of_two(engine, ask, front))?;
        let text = match (self.project.json, self.csv) {
            (true, _) => super::json(front)?,
            (_, true) => front.csv(),
            _ => words_of_two(front, engine.records()) + &drawn,
        };
        Ok(Output::new(text, front.points.is_empty()))
    }
}

fn words_of_two(front: &PairsFront, records: u64) -> String {
    let models = front.models.join(" and ");
    let limit = thousands(front.limit);
    if front.points.is_empty() {
        let (loss, most) = (&front.loss, front.max_loss);
        return format!(
            "No thresholds of {models} are possible with {loss} of at most {most} and at most {limit} suppressed.\n"
        );
    }
    let mut rows = vec![front.parameters.iter().map(ToString::to_string).collect::<Vec<_>>()];
    rows[0].extend([front.loss.as_str(), "suppressed", "height", "scheme"].map(String::from));
    rows.extend(front.points.iter().map(|point| {
        let mut row: Vec<String> = point.thresholds.iter().map(|t| number(*t)).collect();
        row.extend([
            format!("{:.6}", point.loss),
            format!("{} ({})", thousands(point.suppressed), percent(point.suppressed, records)),
            point.height.to_string(),
            point.scheme.to_string(),
        ]);
        row
    }));
    format!(
        "{models}, {} at most {}, at most {limit} of {} records suppressed: {} points, none beaten \
         at both.\n{}\n{}",
        front.loss,
        front.max_loss,
        thousands(records),
        front.points.len(),
        account(&front.account),
        table(&rows)
    )
}

/// What the published search found, compared with the exact front.
fn searched(found: &PokaFront, records: u64) -> String {
    let mut text = format!(
        "{} against {}, at most {} of {} records suppressed: POkA{} {} evaluated {} of {} \
         schemes ({}) and found {} points.\n",
        found.model,
        found.loss,
        thousands(found.limit),
        thousands(records),
        found.start.as_ref().map_or(String::new(), |start| format!(" from {start}")),
        found.depth.map_or("by ceilings".into(), |depth| format!("to depth {depth}")),
        thousands(found.evaluated as u64),
        thousands(found.schemes as u64),
        percent(found.evaluated as u64, found.schemes as u64),
        found.points.len()
    );
    if let Some(exact) = &found.exhaustive {
        let schemes = |list: &[FrontPoint]| {
            list.iter().map(|point| point.scheme.to_string()).collect::<Vec<_>>().join(" ")
        };
        let below = if found.start.is_some() { " from there on" } else { "" };
        let (optima, all) = (exact.found, exact.optima);
        text += &format!("Of the {all} optimal points{below} it found {optima}.\n");
        if !exact.missed.is_empty() {
            text += &format!("Missed: {}\n", schemes(&exact.missed));
        }
        if !exact.wrong.is_empty() {
            text += &format!("Not optimal: {}\n", schemes(&exact.wrong));
        }
    }
    text += &account(&found.account);
    format!("{text}\n{}", points(found.parameter, &found.loss, &found.points, records))
}

/// The front in words; `searched`: at some thresholds only.
fn words(front: &Front, records: u64, searched: bool) -> String {
    if front.points.is_empty() {
        return format!(
            "No threshold of {} is possible with at most {} suppressed.\n",
            front.model,
            thousands(front.limit)
        );
    }
    let between = if searched { "Thresholds between two points were not searched.\n" } else { "" };
    format!(
        "{} against {}, at most {} of {} records suppressed: {} points, none beaten by another.\n\
         {between}The price is what one unit of {} costs on the way from the next weaker point.\n{}\n{}",
        front.model,
        front.loss,
        thousands(front.limit),
        thousands(records),
        front.points.len(),
        front.parameter,
        account(&front.account),
        points(front.parameter, &front.loss, &front.points, records)
    )
}

/// The points as a table.
fn points(parameter: &str, loss: &str, points: &[FrontPoint], records: u64) -> String {
    let head = [parameter, loss, "suppressed", "height", "scheme", "price", ""];
    let mut rows = vec![head.map(String::from).to_vec()];
    rows.extend(points.iter().map(|point| {
        vec![
            number(point.threshold),
            format!("{:.6}", point.loss),
            format!("{} ({})", thousands(point.suppressed), percent(point.suppressed, records)),
            point.height.to_string(),
            point.scheme.to_string(),
            point.price.map_or(String::new(), |price| format!("{price:.6}")),
            if point.knee { "knee".into() } else { String::new() },
        ]
    }));
    table(&rows)
}
