//! What a file is, by every statistic that it has.

use haggle_api::Threshold;
use haggle_engine::criterion::{plain, unit, weaker};
use haggle_inference::risk::Sizes;
use haggle_model::Error;
use haggle_project::facts;

use crate::measure::Measured;
use crate::risk::risk_of_groups;
use crate::{Assessment, Inspection};

impl Inspection {
    /// Every statistic that the file has.
    pub fn assess(&self) -> Result<Assessment, Error> {
        let measured = self.measured()?;
        // Where sensitive values are in a table of their own, people are found by the other one.
        let exact = self.exact()?;
        let looks = exact.as_ref().unwrap_or(&measured);
        let records = sizes_in_records(looks);
        let risk = risk_of_groups(looks.cube());
        let (groups, starred) = (looks.count_groups(), looks.starred());
        Ok(Assessment {
            records: measured.records(),
            starred,
            groups,
            quasi_identifiers: self.qi().to_vec(),
            chosen_by: self.chosen_by().to_owned(),
            attained: self.attained(&measured, looks)?,
            unique: records.unique(),
            under_five: records.records_below(5),
            under_ten: records.records_below(10),
            mean_group: (measured.records() - starred) as f64 / groups.max(1) as f64,
            highest_risk: risk.prosecutor.highest,
            mean_risk: risk.prosecutor.mean,
            risk,
            others: self.others(None)?,
        })
    }

    /// The weakest group by every model that needs nothing stated.
    fn attained(
        &self,
        measured: &Measured,
        looks: &Measured,
    ) -> Result<Vec<(String, Threshold)>, Error> {
        let facts = facts::facts(measured.cube(), &self.stated_of(measured.cube())?)?;
        let statistics = plain(&facts, unit(measured.cube()).as_ref(), |_| true);
        let attained = statistics.into_iter().filter_map(|statistic| {
            let mut weakest = None;
            let watches = statistic.column().watches;
            let counted = if watches.is_none() { looks } else { measured };
            counted.for_each_group(watches.unwrap_or(0), |group| {
                weakest = weaker(statistic.as_ref(), weakest, statistic.of(group));
            });
            Some((statistic.column().id.clone(), Threshold::One(weakest?)))
        });
        Ok(attained.collect())
    }
}

/// The sizes of groups in records, also where persons are counted.
fn sizes_in_records(measured: &Measured) -> Sizes {
    let mut sizes = Sizes::default();
    measured.for_each_group(0, |group| sizes.add(group.records));
    sizes
}
