//! What is known of a table after one cheap pass over it.

use haggle_cube::Overview;
use haggle_data::{Look, Marginals, Plan, Table, overview};
use haggle_instant::SummaryInput;
use haggle_model::{Error, QuasiIdentifier, Watched};
use haggle_project::Project;
use haggle_project::survey::{Survey, plan as columns, survey_by};

use super::InstantOptions;

/// What is known of the data before it is counted.
pub(super) struct TableFacts {
    pub(super) basis: SummaryInput,
    pub(super) table: Table,
    pub(super) plan: Plan,
    pub(super) passes: u64,
    /// Records that nothing is learned from.
    pub(super) held_out: Vec<u32>,
    /// How many records were dropped for a missing value, where all were read.
    pub(super) dropped: Option<u64>,
}

impl TableFacts {
    /// By one cheap pass that counts values and draws a sample.
    pub(super) fn by_a_pass(
        project: &Project,
        qi: &[String],
        sensitive: Option<&str>,
        look: Look,
        options: &InstantOptions<'_>,
    ) -> Result<Self, Error> {
        let input = project.input(options.progress)?;
        options.progress.start("summarizing", input.bytes().unwrap_or(0));
        let survey = survey_by(project, qi, options.progress, |table, plan| {
            let drawn = options.sample + options.hold_out;
            overview(table, plan, look, drawn, options.seed, options.progress)
        });
        options.progress.finish();
        let Survey { attributes, scanned, table, .. }: Survey<Marginals> = survey?;
        let (overview, watched) = (scanned.overview(&attributes), scanned.watched());
        let all = columns(project, &table, qi)?;
        // A sample drawn within a database is no pass over the table.
        let passes = u64::from(table.database().is_none() || look == Look::Whole);
        let dropped = table.database().is_none().then(|| scanned.dropped());
        let mut known = Self::new(attributes, &watched, &overview, sensitive, table, all);
        if let Some(overview) = known.basis.overview.as_mut().filter(|_| options.hold_out > 0) {
            let learned = overview.rows().len().saturating_sub(options.hold_out);
            known.held_out = overview.sample.split_off(learned * overview.columns());
        }
        Ok(Self { passes, dropped, ..known })
    }

    /// Of the watched attributes only the one asked about is kept.
    fn new(
        attributes: Vec<QuasiIdentifier>,
        watched: &[Watched],
        overview: &Overview,
        sensitive: Option<&str>,
        table: Table,
        plan: Plan,
    ) -> Self {
        let position = watched.iter().position(|w| Some(w.name.as_str()) == sensitive);
        let quasi = attributes.len();
        let kept: Vec<usize> = (0..quasi).chain(position.map(|p| quasi + p)).collect();
        let rows = overview.rows().flat_map(|row| kept.iter().map(|&column| row[column]));
        let overview = Overview {
            records: overview.records,
            sample: rows.collect(),
            counts: kept.iter().map(|&column| overview.counts[column].clone()).collect(),
        };
        let plan =
            Plan { watched: position.map(|p| plan.watched[p]).into_iter().collect(), ..plan };
        let sensitive = position.map(|p| watched[p].clone());
        let basis =
            SummaryInput { attributes, sensitive, overview: Some(overview), statistics: None };
        Self { basis, table, plan, passes: 1, held_out: Vec::new(), dropped: None }
    }
}
