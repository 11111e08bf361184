//! Groups in which a sensitive attribute has one value only: whoever is known to be in such a group
//! has that value. k-anonymity alone does not prevent it.

use haggle_api::SingleValued;

use super::{Failing, PublishWork};

impl PublishWork<'_> {
    /// Sensitive attributes with one value in some published groups, if the promise is about none.
    pub(super) fn single_valued(&self, failing: &Failing) -> Vec<SingleValued> {
        if self.criteria.iter().any(|criterion| criterion.model.sensitive) {
            return Vec::new();
        }
        let of = |(watched, attribute): (usize, &haggle_model::Watched)| {
            let (mut groups, mut records) = (0, 0);
            self.for_each_seen(watched, failing, |group| {
                if group.values.len() == 1 && group.known() == group.records {
                    (groups, records) = (groups + 1, records + group.records);
                }
            });
            SingleValued { attribute: attribute.name.clone(), groups, records }
        };
        let all = self.engine.cube().sensitive().map(of);
        all.filter(|one| one.groups > 0).collect()
    }
}
