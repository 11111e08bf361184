//! What a publication under way shows, judged together with the earlier ones.

use haggle_api::{ColumnPlan, Together, Treatment};
use haggle_assess::risk::{PresentPublication, not_judged, together};
use haggle_data::Suppress;
use haggle_model::{ANY, Error};

use super::PublishWork;
use crate::publications::{GroupCounts, PublishedNames, ShownGroups};

impl PublishWork<'_> {
    /// Judges this publication together with the earlier ones, and reports it before anything is
    /// written. Its groups are returned as well, to be recorded for later ones.
    pub(super) fn together(
        &self,
        plan: &ColumnPlan,
    ) -> Result<(Option<Together>, Option<GroupCounts>), Error> {
        let (found, counts) = if self.anatomy.is_some() {
            (not_judged(self.recorded, self.k()), None)
        } else {
            let sensitive = self.shown_sensitive(plan);
            let groups = self.shown_groups(&sensitive);
            let found = self.judged_together(plan, &groups, &sensitive)?;
            (found, GroupCounts::from_groups(&groups, self.engine.attributes().len(), sensitive))
        };
        found.iter().for_each(self.options.on_together);
        Ok((found, counts))
    }

    fn judged_together(
        &self,
        plan: &ColumnPlan,
        groups: &ShownGroups,
        sensitive: &[String],
    ) -> Result<Option<Together>, Error> {
        let names = PublishedNames {
            quasi_identifiers: self.engine.attributes().into_iter().map(String::from).collect(),
            unchanged: plan.named(Treatment::Unchanged),
        };
        let present = PresentPublication {
            engine: self.engine,
            project: self.project,
            recoded: &self.recoded,
            failing: &self.failing,
            ask: &self.ask,
            criteria: &self.criteria,
            names,
            groups,
            sensitive,
            k: self.k(),
            memory: self.options.memory,
            progress: self.options.progress,
        };
        together(&present, &self.publications)
    }

    /// The sensitive attributes that are published.
    fn shown_sensitive(&self, plan: &ColumnPlan) -> Vec<String> {
        let unchanged = plan.named(Treatment::Unchanged);
        let sensitive = self.engine.cube().sensitive().map(|(_, watched)| watched.name.clone());
        sensitive.filter(|name| unchanged.contains(name)).collect()
    }

    /// The groups that readers of the publication see, by their published values.
    fn shown_groups(&self, sensitive: &[String]) -> ShownGroups {
        let mut groups = ShownGroups::new();
        let stars = vec![ANY.to_owned(); self.engine.attributes().len()];
        let is_starred = self.stars.suppress() == Suppress::Star;
        self.for_each_published(0, |codes, group| {
            groups.entry(self.recoded.labels(codes)).or_default().records += group.records;
        });
        if is_starred {
            let mut starred = self.recoded.starred(&self.failing, 0);
            groups.entry(stars.clone()).or_default().records += starred.group().records;
        }
        let watched = self.engine.cube().sensitive();
        for (position, attribute) in watched.filter(|(_, w)| sensitive.contains(&w.name)) {
            self.for_each_published(position, |codes, group| {
                let shown = groups.entry(self.recoded.labels(codes)).or_default();
                shown.add_values(attribute, group);
            });
            if is_starred {
                let mut starred = self.recoded.starred(&self.failing, position);
                groups.entry(stars.clone()).or_default().add_values(attribute, &starred.group());
            }
        }
        groups
    }
}
