//! Figures: a picture of what was asked, or the numbers behind it as CSV.

use haggle_api::rows::spaced;
use haggle_api::{Ask, HeightStudy, Judge};
use haggle_cube::Lattice as _;
use haggle_engine::{Engine, FrontAxes};
use haggle_model::{Error, Scheme, Silent};
use haggle_plot::Picture;
use haggle_search::study::all_suppressed;

use crate::pictures::{
    picture_of_front, picture_of_histogram, picture_of_lattice, picture_of_study,
};

/// What a figure is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// Privacy against loss, and against suppression if that is an axis.
    Front(Judge, FrontAxes),
    /// Privacy against loss at some thresholds, of a lattice of any size.
    FrontAt(Judge, Vec<f64>),
    /// Suppression by height.
    Study,
    /// A scheme's histogram; without a scheme, that of the answer.
    Histogram(Option<Scheme>),
    /// Every scheme, with the answer.
    Lattice,
}

impl Figure {
    /// Returns the figure of a front: of every threshold, or searched at some thresholds, where
    /// suppression is no axis.
    pub fn front(
        loss: Judge,
        suppression: bool,
        thresholds: Option<Vec<f64>>,
    ) -> Result<Self, Error> {
        match thresholds {
            None => Ok(Self::Front(loss, FrontAxes::with_suppression(suppression))),
            Some(thresholds) if !suppression => Ok(Self::FrontAt(loss, thresholds)),
            Some(_) => {
                let what = "a front at some thresholds has no axis of suppression";
                Err(Error::new(what, "leave out the thresholds, or the axis"))
            }
        }
    }

    /// Draws the figure.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Options, Project};
    /// # use haggle::plot::Figure;
    /// # let project = Project::open("demo:adult")?;
    /// # let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// assert!(Figure::Study.picture(&engine, &Ask::default())?.svg().starts_with("<svg"));
    /// assert!(Figure::Study.csv(&engine, &Ask::default())?.starts_with("height,schemes,"));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn picture(&self, engine: &Engine, ask: &Ask) -> Result<Picture, Error> {
        match self {
            Self::Front(judge, axes) => {
                let front = engine.front(ask, judge, *axes)?;
                picture_of_front(engine, ask, judge, &front, *axes)
            }
            Self::FrontAt(judge, thresholds) => {
                let front = engine.front_at(ask, judge, thresholds, &Silent)?;
                picture_of_front(engine, ask, judge, &front, FrontAxes::Loss)
            }
            Self::Study => {
                let ask = engine.over_all_levels(ask);
                picture_of_study(engine, &ask, &engine.study(&ask)?)
            }
            Self::Histogram(scheme) => {
                let scheme = engine.named_or_best(ask, scheme.as_ref())?;
                picture_of_histogram(engine, ask, &scheme, &engine.histogram(ask, &scheme)?)
            }
            Self::Lattice => picture_of_lattice(engine, ask, &engine.ask(ask)?),
        }
    }

    /// Formats the numbers of the figure as CSV.
    pub fn csv(&self, engine: &Engine, ask: &Ask) -> Result<String, Error> {
        match self {
            Self::Front(judge, axes) => Ok(engine.front(ask, judge, *axes)?.csv()),
            Self::FrontAt(judge, thresholds) => {
                Ok(engine.front_at(ask, judge, thresholds, &Silent)?.csv())
            }
            Self::Study => Ok(HeightStudy::csv(&engine.study(&engine.over_all_levels(ask))?)),
            Self::Histogram(scheme) => {
                let scheme = engine.named_or_best(ask, scheme.as_ref())?;
                Ok(engine.histogram(ask, &scheme)?.csv())
            }
            Self::Lattice => lattice_csv(engine, ask),
        }
    }
}

fn lattice_csv(engine: &Engine, ask: &Ask) -> Result<String, Error> {
    let (judged, _) = engine.judged(&ask.or(engine.defaults()))?;
    let costs = all_suppressed(&judged.lattice, &judged.requirements)?;
    let space = judged.lattice.space();
    let row = |(index, cost): (usize, &u64)| {
        let scheme = space.scheme(index);
        format!("{},{},{cost}\n", spaced(&scheme), scheme.height())
    };
    let rows: String = costs.iter().enumerate().map(row).collect();
    Ok(format!("scheme,height,suppressed\n{rows}"))
}
