//! Figures: a picture of what was asked, or the numbers behind it as CSV.

use haggle_api::rows::spaced;
use haggle_api::{
    Answer, Ask, AskQuestion, Comparison, Document, Front, HeightStudy, HistogramQuestion,
    MeasureSpec, PairsFront, ParetoAnswer, PlotFormat, PlotQuestion, PlottedFigure,
    SchemeHistogram,
};
use haggle_cube::Lattice as _;
use haggle_engine::catalog::with_open_thresholds;
use haggle_engine::{Answered, Asking, Engine, FrontAxes, QuestionEntry};
use haggle_model::{Error, Scheme};
use haggle_plot::Picture;
use haggle_search::study::all_suppressed;

use crate::pictures::{
    picture_of_comparison, picture_of_front, picture_of_histogram, picture_of_lattice,
    picture_of_study, picture_of_two,
};

/// Answers by pictures.
#[derive(Debug)]
pub enum ByPicture {}

/// The questions that pictures answer.
pub const QUESTIONS: &[QuestionEntry] = &[QuestionEntry::of::<PlotQuestion, ByPicture>()];

/// What a figure shows, with the request that it is about.
struct Figure<'e> {
    engine: &'e Engine,
    request: Ask,
    shown: Shown,
}

/// What a figure shows.
enum Shown {
    Front(MeasureSpec, FrontAxes, Front),
    Two(PairsFront),
    Study(Vec<HeightStudy>),
    Histogram(Scheme, SchemeHistogram),
    Lattice(Box<Answer>),
    Comparison(Comparison),
    #[cfg(feature = "research")]
    Poka(MeasureSpec, haggle_api::PokaFront),
}

impl Answered<ByPicture> for PlotQuestion {
    fn answer(&self, request: &Ask, asking: &Asking<'_>) -> Result<Document, Error> {
        if let Some(field) = self.unused() {
            let what =
                format!("'{field}' is given, and the figure '{}' has none", self.figure.name());
            return Err(Error::new(what, "leave it out"));
        }
        let (ending, media_type) = self.format.described();
        let figure = Figure::compute(self, request, asking)?;
        let content = match self.format {
            PlotFormat::Svg => figure.picture()?.svg().into_bytes(),
            PlotFormat::Png => figure.picture()?.png()?,
            PlotFormat::Csv => figure.csv()?.into_bytes(),
        };
        let name = Some(format!("{}.{ending}", self.figure.name()));
        Ok(Document { name, media_type, content })
    }
}

impl<'e> Figure<'e> {
    /// Answers what the figure shows.
    fn compute(question: &PlotQuestion, request: &Ask, asking: &Asking<'e>) -> Result<Self, Error> {
        let engine = asking.engine;
        let with = |request: Ask, shown: Shown| Ok(Self { engine, request, shown });
        match question.figure {
            PlottedFigure::Front => {
                let open = with_open_thresholds(engine, request)?;
                match question.pareto().answer(request, asking)? {
                    ParetoAnswer::One(front) => {
                        let axes = FrontAxes::with_suppression(question.suppression);
                        with(open, Shown::Front(question.loss(), axes, front))
                    }
                    ParetoAnswer::Two(front) => with(open, Shown::Two(front)),
                }
            }
            #[cfg(not(feature = "research"))]
            PlottedFigure::Poka => {
                let what = "this build of haggle has no POkA";
                Err(Error::unsupported(what, "use a build with the feature 'research'"))
            }
            #[cfg(feature = "research")]
            PlottedFigure::Poka => {
                let found = question.poka().answer(request, asking)?;
                let open = with_open_thresholds(engine, request)?;
                with(open, Shown::Poka(question.loss(), found))
            }
            PlottedFigure::Study => {
                let request = engine.over_all_levels(request);
                engine.prepare(&request, &[], asking.progress)?;
                let heights = engine.study(&request)?;
                with(request, Shown::Study(heights))
            }
            PlottedFigure::Histogram => {
                let scheme = question.scheme.clone();
                let histogram =
                    HistogramQuestion { scheme: scheme.clone() }.answer(request, asking)?;
                let scheme = engine.named_or_best(request, scheme.as_ref())?;
                with(request.clone(), Shown::Histogram(scheme, histogram))
            }
            PlottedFigure::Lattice => {
                let answer = AskQuestion::default().answer(request, asking)?;
                with(request.clone(), Shown::Lattice(answer.into()))
            }
            PlottedFigure::Comparison => {
                let compared = question.compare().answer(request, asking)?;
                with(request.clone(), Shown::Comparison(compared))
            }
        }
    }

    /// Draws the figure.
    fn picture(&self) -> Result<Picture, Error> {
        let Self { engine, request, shown } = self;
        match shown {
            Shown::Front(loss, axes, front) => {
                picture_of_front(engine, request, loss, front, *axes)
            }
            Shown::Two(front) => picture_of_two(engine, request, front),
            Shown::Study(heights) => picture_of_study(engine, request, heights),
            Shown::Histogram(scheme, histogram) => {
                picture_of_histogram(engine, request, scheme, histogram)
            }
            Shown::Lattice(answer) => picture_of_lattice(engine, request, answer),
            Shown::Comparison(compared) => picture_of_comparison(engine, request, compared),
            #[cfg(feature = "research")]
            Shown::Poka(loss, found) => {
                crate::research::picture_of_poka(engine, request, loss, found)
            }
        }
    }

    /// Formats the numbers of the figure as CSV.
    fn csv(&self) -> Result<String, Error> {
        Ok(match &self.shown {
            Shown::Front(_, _, front) => front.csv(),
            Shown::Two(front) => front.csv(),
            Shown::Study(heights) => HeightStudy::csv(heights),
            Shown::Histogram(_, histogram) => histogram.csv(),
            Shown::Lattice(_) => lattice_csv(self.engine, &self.request)?,
            Shown::Comparison(compared) => compared.csv(),
            #[cfg(feature = "research")]
            Shown::Poka(_, found) => {
                haggle_api::FrontPoint::csv(found.parameter, &found.loss, &found.points)
            }
        })
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
