//! Figures: a picture of what was asked, or the numbers behind it as CSV.

use haggle_cube::Lattice as _;
use haggle_model::Scheme;
use haggle_search::study::all_suppressed;

use crate::plot::Picture;
use crate::rows::spaced;
use crate::{Ask, Engine, Error, Front, FrontPoint, HeightStudy, Judge, Levels, SchemeHistogram};

/// What a figure is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// Privacy against loss, and whether suppression is a price of its own.
    Front(Judge, bool),
    /// Suppression by height.
    Study,
    /// A scheme's histogram; without a scheme, that of the answer.
    Histogram(Option<Scheme>),
    /// Every scheme, with the answer.
    Lattice,
}

impl Engine {
    /// A figure as a picture.
    ///
    /// ```
    /// # use haggle::{Ask, Engine, Figure, Options, Project};
    /// # let project = Project::open("demo:adult")?;
    /// # let qi = Some(vec!["age".into(), "race".into(), "workclass".into()]);
    /// let engine = Engine::open(&project, &Options { qi, ..Options::default() })?;
    /// assert!(engine.picture(&Ask::default(), &Figure::Study)?.svg().starts_with("<svg"));
    /// assert!(engine.csv(&Ask::default(), &Figure::Study)?.starts_with("height,schemes,"));
    /// # Ok::<(), haggle::Error>(())
    /// ```
    pub fn picture(&self, ask: &Ask, figure: &Figure) -> Result<Picture, Error> {
        match figure {
            Figure::Front(judge, suppression) => {
                let front = self.pareto(ask, judge, *suppression)?;
                self.picture_of_front(ask, judge, &front, *suppression)
            }
            Figure::Study => {
                let ask = self.everywhere(ask);
                self.picture_of_study(&ask, &self.study(&ask)?)
            }
            Figure::Histogram(scheme) => {
                let scheme = self.chosen(ask, scheme.as_ref())?;
                self.picture_of_histogram(ask, &scheme, &self.histogram(ask, &scheme)?)
            }
            Figure::Lattice => self.picture_of_lattice(ask, &self.ask(ask)?),
        }
    }

    /// The numbers behind a figure.
    pub fn csv(&self, ask: &Ask, figure: &Figure) -> Result<String, Error> {
        match figure {
            Figure::Front(judge, suppression) => Ok(self.pareto(ask, judge, *suppression)?.csv()),
            Figure::Study => Ok(HeightStudy::csv(&self.study(&self.everywhere(ask))?)),
            Figure::Histogram(scheme) => {
                let scheme = self.chosen(ask, scheme.as_ref())?;
                Ok(self.histogram(ask, &scheme)?.csv())
            }
            Figure::Lattice => self.lattice_csv(ask),
        }
    }

    /// The request with the whole lattice in view, unless it states levels of its own: a study is
    /// not bound by what the project asks for.
    pub fn everywhere(&self, ask: &Ask) -> Ask {
        let all =
            || Levels::InOrder(self.top().levels().iter().map(|&level| level.into()).collect());
        Ask { levels: Some(ask.levels.clone().unwrap_or_else(all)), ..ask.clone() }
    }

    /// The scheme that is meant: the one named; else the exact answer, else what more suppression
    /// would give.
    pub fn chosen(&self, ask: &Ask, scheme: Option<&Scheme>) -> Result<Scheme, Error> {
        if let Some(scheme) = scheme {
            return self.scheme(scheme);
        }
        let answer = self.ask(ask)?;
        let relaxed = || answer.relaxations.as_ref().and_then(|offers| offers.suppression.as_ref());
        let offer = answer.exact.as_ref().or_else(relaxed);
        offer.map(|offer| offer.scheme.clone()).ok_or_else(|| {
            Error::new("no scheme meets this request", "name a scheme, or ask for less")
        })
    }

    fn lattice_csv(&self, ask: &Ask) -> Result<String, Error> {
        let (judged, _) = self.judged(&ask.or(self.defaults()))?;
        let costs = all_suppressed(&judged.lattice, &judged.requirements)?;
        let space = judged.lattice.space();
        let row = |(index, cost): (usize, &u32)| {
            let scheme = space.scheme(index);
            format!("{},{},{cost}\n", spaced(&scheme), scheme.height())
        };
        let rows: String = costs.iter().enumerate().map(row).collect();
        Ok(format!("scheme,height,suppressed\n{rows}"))
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

impl SchemeHistogram {
    /// The bins as CSV.
    pub fn csv(&self) -> String {
        let row = |bin: &crate::Bin| {
            format!("{},{},{},{}\n", bin.value, bin.groups, bin.records, bin.weaker)
        };
        let rows: String = self.bins.iter().map(row).collect();
        format!("{},groups,records,suppressed\n{rows}", self.parameter)
    }
}
