//! Tiny published tables, with the figures that were printed for them.

use crate::{Attribute, Table};

/// The ten philosophers: age, work class and education, and as sensitive the hours per week.
///
/// From the master thesis that the paper "Trading Privacy for Information Loss in the Blink of an
/// Eye" (A. Pilalidou, P. Vassiliadis, SSDBM 2012) is based on, figure 2.1. The levels that figures
/// 2.2 to 2.4 show are as printed there; the others follow the same thesis's description of the
/// Adult hierarchies.
///
/// ```
/// let table = haggle_testkit::published::philosophers();
/// assert_eq!((table.records.len(), table.attributes.len()), (10, 3));
/// assert_eq!(table.records[0], ["39", "Private", "Hs-grad", "40"]);
/// ```
pub fn philosophers() -> Table {
    let attribute = |name: &str, text| Attribute { name: name.into(), rows: fields(text) };
    Table {
        attributes: vec![
            attribute("age", include_str!("published/philosophers/age.csv")),
            attribute("work-class", include_str!("published/philosophers/work-class.csv")),
            attribute("education", include_str!("published/philosophers/education.csv")),
        ],
        sensitive: vec!["hours-per-week".into()],
        records: fields(include_str!("published/philosophers/records.csv")),
    }
}

fn fields(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(';').map(String::from).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::philosophers;
    use crate::oracle::{Answer, Group, Measure, Oracle, Request};

    /// The labels that a group's records share, and their hours.
    fn look(group: &Group<'_>) -> (String, String) {
        let hours: Vec<&str> = group.members.iter().map(|member| member[0].as_str()).collect();
        (group.labels.join(" "), hours.join(" "))
    }

    #[test]
    fn figure_2_2_shows_three_groups() {
        let table = philosophers();
        let groups: Vec<_> = Oracle::of(&table).groups(&[1, 1, 3]).iter().map(look).collect();
        let figure = [
            ("27-31 Gov Post-secondary", "30 50 60"),
            ("32-36 Self-emp Post-secondary", "50 54 40"),
            ("37-41 Private Without-post-secondary", "40 50 40 45"),
        ];
        assert_eq!(groups, figure.map(|(labels, hours)| (labels.into(), hours.into())));
    }

    #[test]
    fn figure_2_3_suppresses_six_records_for_four_anonymity() {
        let table = philosophers();
        let sizes = Oracle::of(&table).judge(&Measure::size());
        assert_eq!(sizes.suppressed(&[1, 1, 3], 4.0), 6);
        assert_eq!(sizes.suppressed(&[1, 1, 3], 3.0), 0);
    }

    #[test]
    fn figure_2_4_shows_two_groups() {
        let table = philosophers();
        let groups: Vec<_> = Oracle::of(&table).groups(&[2, 2, 3]).iter().map(look).collect();
        let figure = [
            ("27-36 Worked Post-secondary", "30 50 60 50 54 40"),
            ("37-46 Worked Without-post-secondary", "40 50 40 45"),
        ];
        assert_eq!(groups, figure.map(|(labels, hours)| (labels.into(), hours.into())));
    }

    #[test]
    fn figures_2_6_and_2_7_are_the_histograms() {
        let table = philosophers();
        let judged = Oracle::of(&table).judge_all([&Measure::size(), &Measure::distinct(0)]);
        let bins = |measure: usize, levels: &[u8]| -> Vec<(f64, u64, u64)> {
            let bins = judged[measure].bins(levels);
            bins.iter().map(|bin| (bin.value, bin.groups, bin.records)).collect()
        };
        assert_eq!(bins(0, &[1, 1, 3]), [(3.0, 2, 6), (4.0, 1, 4)]);
        assert_eq!(bins(1, &[2, 2, 3]), [(3.0, 1, 4), (5.0, 1, 6)]);
    }
    #[test]
    fn the_negotiation_of_section_2_1_offers_what_the_text_says() {
        let table = philosophers();
        let sizes = Oracle::of(&table).judge(&Measure::size());
        let ask = |k| sizes.negotiate(&Request { threshold: k, caps: vec![1, 1, 3], limit: 0 });
        let Answer::Exact(three) = ask(3.0) else { panic!("figure 2.2 is an exact answer") };
        assert_eq!((three.levels, three.suppressed), (vec![1, 1, 3], 0));

        let Answer::Relaxed(four) = ask(4.0) else { panic!("only one group has size 4") };
        let Some(suppression) = four.suppression else { panic!("6 records may be suppressed") };
        assert_eq!((suppression.levels, suppression.suppressed), (vec![1, 0, 1], 6));
        let Some(privacy) = four.privacy else { panic!("3 is still attained") };
        assert_eq!((privacy.levels, privacy.threshold), (vec![1, 1, 3], 3.0));
        for height in [four.lowest, four.closest, four.published] {
            let Some(height) = height else { panic!("figure 2.4 is higher") };
            assert_eq!((height.levels, height.suppressed), (vec![2, 2, 3], 0));
        }
        assert_eq!(four.attribute, [], "no single attribute is to blame");
    }
}
