//! The answers that a publication gives to queries.

use haggle_cube::query::{Diagram, NodeId, Satisfaction, ValueSet, Variable};
use haggle_model::{Error, Level};

use super::knowledge::{CumulativeMarginals, Domain, Knowledge};
use super::{Query, QueryTally, position, rest, variables};
use crate::groups::{Extent, PublishedGroup};
use crate::{JointCounts, PublishedGroups};

/// What a publication answers to a query, and what the table would have answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryOutcome {
    /// The groups all of whose records satisfy the condition as published.
    pub full: u64,
    /// The groups of which some records satisfy it, or may do so.
    pub partial: u64,
    /// The answer of the table itself, suppressed records included, if it is known.
    pub truth: Option<QueryTally>,
    /// Every record that satisfies the condition fully or partially.
    pub non_corrected: QueryTally,
    /// Each record by the probability that one of the joint distribution satisfies it.
    pub corrected: QueryTally,
    /// Each record by the probability under independent attributes.
    pub independently_corrected: QueryTally,
}

/// A publication and what is known of the table behind it, ready for any number of queries.
#[derive(Debug)]
pub struct Reader<'a> {
    groups: &'a PublishedGroups<'a>,
    knowledge: Knowledge<'a>,
    variables: Vec<Variable<'a>>,
    marginals: CumulativeMarginals,
    uniform: CumulativeMarginals,
    /// By attribute, the recorded values that a published one may stand for.
    domains: Vec<ValueSet>,
    /// By attribute, the value sets of the publication within the domain.
    sets: Vec<Vec<ValueSet>>,
    /// By group, the combinations of the table inside of it.
    members: Vec<Vec<u32>>,
}

impl<'a> Reader<'a> {
    /// Prepares a publication. The table that is known must have the publication's attributes.
    pub fn new(groups: &'a PublishedGroups<'a>, knowledge: Knowledge<'a>, domain: Domain) -> Self {
        let uniform = CumulativeMarginals::uniform(groups.attributes());
        let marginals = match knowledge {
            Knowledge::Table(table) => CumulativeMarginals::of(table),
            Knowledge::Uniform => uniform.clone(),
        };
        let whole = |attribute: usize| {
            let all = groups.attributes()[attribute].hierarchy.len(Level::RECORDED) as u32;
            match domain {
                Domain::Occurring => marginals.occurring(attribute),
                Domain::Leaves => ValueSet::range(0..all),
            }
        };
        let domains: Vec<ValueSet> = (0..groups.attributes().len()).map(whole).collect();
        let within = |(sets, domain): (&Vec<ValueSet>, &ValueSet)| {
            sets.iter().map(|set| set.intersection(domain)).collect()
        };
        let sets = groups.sets().iter().zip(&domains).map(within).collect();
        let members = match knowledge {
            Knowledge::Table(table) => members(groups, table),
            Knowledge::Uniform => Vec::new(),
        };
        let variables = variables(groups);
        Self { groups, knowledge, variables, marginals, uniform, domains, sets, members }
    }

    /// The columns that queries may name: those that are published as recorded, then the attributes.
    pub fn variables(&self) -> &[Variable<'a>] {
        &self.variables
    }

    /// Answers a query. Fails if it names a column or a value that does not exist.
    pub fn answer(&self, query: &Query) -> Result<QueryOutcome, Error> {
        let diagram = Diagram::build(&query.condition, &self.variables)?;
        let target = query.target.as_deref().map(|name| position(&self.variables, name));
        let asked = PendingQuery { reader: self, diagram: &diagram, target: target.transpose()? };
        Ok(asked.outcome())
    }

    /// How many columns are published as recorded.
    fn recorded(&self) -> usize {
        self.groups.columns().len()
    }
}

/// Returns the combinations of a table inside the value sets of each group.
fn members(groups: &PublishedGroups<'_>, table: &JointCounts) -> Vec<Vec<u32>> {
    let known = |group: usize| groups.rows(group).filter(|_| groups.is_disjoint());
    let all = 0..groups.groups().len();
    if let Some(rows) = all.clone().map(known).collect::<Option<Vec<_>>>() {
        return rows.into_iter().map(<[u32]>::to_vec).collect();
    }
    let sides: Vec<_> = all.map(|group| groups.sides(group)).collect();
    let holds = |sides: &[&ValueSet], row: usize| {
        sides.iter().zip(table.codes(row)).all(|(side, &code)| side.contains(code))
    };
    let mut members = vec![Vec::new(); sides.len()];
    for row in 0..table.len() {
        let mut outside = true;
        for (sides, members) in sides.iter().zip(&mut members) {
            if sides.as_ref().is_some_and(|sides| holds(sides, row)) {
                members.push(row as u32);
                outside = false;
            }
        }
        if let Some(rest) = sides.iter().position(Option::is_none)
            && (outside || !groups.is_disjoint())
        {
            members[rest].push(row as u32);
        }
    }
    members
}

/// A query that is being answered.
struct PendingQuery<'a> {
    reader: &'a Reader<'a>,
    diagram: &'a Diagram,
    target: Option<usize>,
}

/// What is known of one group for what remains of the condition at a node: by the code of a
/// generalized target, or under no code.
struct Probabilities {
    satisfaction: Satisfaction,
    /// Of the joint distribution: a numerator for each code, and the denominator.
    corrected: (Vec<(u32, f64)>, f64),
    independent: Vec<(u32, f64)>,
}

impl PendingQuery<'_> {
    fn outcome(&self) -> QueryOutcome {
        let mut outcome = QueryOutcome { truth: self.truth(), ..QueryOutcome::default() };
        for (number, group) in self.reader.groups.groups().iter().enumerate() {
            self.add(number, group, &mut outcome);
        }
        outcome
    }

    /// The generalized attribute that is the target, by its position among the attributes.
    fn generalized_target(&self) -> Option<usize> {
        self.target?.checked_sub(self.reader.recorded())
    }

    fn truth(&self) -> Option<QueryTally> {
        let Knowledge::Table(table) = self.reader.knowledge else { return None };
        if table.columns().len() != self.reader.recorded() {
            return None;
        }
        let recorded = self.reader.recorded();
        let mut tally = QueryTally::default();
        for row in 0..table.len() {
            for value in table.values(row) {
                let code = |v: usize| {
                    if v < recorded { value.codes[v] } else { table.codes(row)[v - recorded] }
                };
                if self.diagram.holds(code) {
                    tally.total += value.count as f64;
                    if let Some(target) = self.target {
                        tally.add(code(target), value.count as f64);
                    }
                }
            }
        }
        Some(tally)
    }

    /// Adds the records of one group, those that ask the same of its attributes together.
    fn add(&self, number: usize, group: &PublishedGroup, outcome: &mut QueryOutcome) {
        let mut by_node: Vec<(NodeId, QueryTally)> = Vec::new();
        for value in &group.values {
            let recorded = self.reader.recorded();
            let node = self.diagram.follow(self.diagram.root(), recorded, |v| value.codes[v]);
            let place = by_node.iter().position(|(known, _)| *known == node).unwrap_or_else(|| {
                by_node.push((node, QueryTally::default()));
                by_node.len() - 1
            });
            let tally = &mut by_node[place].1;
            tally.total += value.count as f64;
            if let Some(column) = self.target.filter(|&target| target < recorded) {
                tally.add(value.codes[column], value.count as f64);
            }
        }
        let (mut full, mut none) = (true, true);
        for (node, tally) in &by_node {
            let found = self.probabilities(number, *node);
            full &= found.satisfaction == Satisfaction::Full;
            none &= found.satisfaction == Satisfaction::None;
            if found.satisfaction != Satisfaction::None {
                self.add_records(number, tally, &found, outcome);
            }
        }
        outcome.full += u64::from(full && !none);
        outcome.partial += u64::from(!full && !none);
    }

    /// Adds the records of a group for which the same remains of the condition.
    fn add_records(
        &self,
        group: usize,
        tally: &QueryTally,
        found: &Probabilities,
        outcome: &mut QueryOutcome,
    ) {
        let records = tally.total;
        let (numerators, denominator) = &found.corrected;
        let joint: f64 = numerators.iter().map(|(_, weight)| weight).sum();
        let independent: f64 = found.independent.iter().map(|(_, weight)| weight).sum();
        outcome.non_corrected.total += records;
        // In this order the result is exact where the group has all records of its combinations.
        outcome.corrected.total += records * joint / denominator;
        outcome.independently_corrected.total += records * independent;
        for (&code, &count) in &tally.values {
            outcome.non_corrected.add(code, count);
            outcome.corrected.add(code, count * joint / denominator);
            outcome.independently_corrected.add(code, count * independent);
        }
        if let Some(attribute) = self.generalized_target() {
            for (code, share) in self.apportioned(group, attribute) {
                outcome.non_corrected.add(code, records * share);
            }
            for (code, weight) in numerators {
                outcome.corrected.add(*code, records * weight / denominator);
            }
            for (code, weight) in &found.independent {
                outcome.independently_corrected.add(*code, records * weight);
            }
        }
    }

    /// The shares of the values that a group's published value of an attribute may stand for: those
    /// of the known table, or equal ones.
    fn apportioned(&self, group: usize, attribute: usize) -> Vec<(u32, f64)> {
        let side = self.side(group, attribute);
        let marginals = self.marginals(attribute, side);
        let all = marginals.of_set(attribute, side) as f64;
        let weight = |code: u32| marginals.of_range(attribute, &(code..code + 1)) as f64;
        side.iter()
            .map(|code| (code, weight(code) / all))
            .filter(|(_, share)| *share > 0.0)
            .collect()
    }

    /// The values that a group's published value of an attribute may stand for.
    fn side(&self, group: usize, attribute: usize) -> &ValueSet {
        match &self.reader.groups.groups()[group].extent {
            Extent::Product(codes) => &self.reader.sets[attribute][codes[attribute] as usize],
            Extent::Rest => &self.reader.domains[attribute],
        }
    }

    /// The distribution of an attribute within a value set: that of the known table, or if none of
    /// the values occurs there, all equally likely.
    fn marginals(&self, attribute: usize, side: &ValueSet) -> &CumulativeMarginals {
        let Reader { marginals, uniform, .. } = self.reader;
        if marginals.of_set(attribute, side) > 0 { marginals } else { uniform }
    }

    fn is_outside_of_all(&self, group: usize) -> bool {
        let groups = self.reader.groups;
        groups.is_disjoint() && groups.groups()[group].extent == Extent::Rest
    }

    fn probabilities(&self, group: usize, node: NodeId) -> Probabilities {
        let satisfaction = self.satisfaction(group, node);
        let certain = match satisfaction {
            Satisfaction::None => Some(0.0),
            Satisfaction::Full if self.generalized_target().is_none() => Some(1.0),
            _ => None,
        };
        if let Some(probability) = certain {
            let (corrected, independent) = ((vec![(0, probability)], 1.0), vec![(0, probability)]);
            return Probabilities { satisfaction, corrected, independent };
        }
        let independent = self.independent(group, node);
        let corrected = self.joint(group, node).unwrap_or_else(|| (independent.clone(), 1.0));
        Probabilities { satisfaction, corrected, independent }
    }

    fn satisfaction(&self, group: usize, node: NodeId) -> Satisfaction {
        let first = self.reader.recorded();
        if self.is_outside_of_all(group) {
            let domains = &self.reader.domains;
            return rest::satisfaction(self.diagram, node, first, domains, &self.boxes());
        }
        let attributes = 0..self.reader.domains.len();
        if attributes.clone().any(|attribute| self.side(group, attribute).is_empty()) {
            return Satisfaction::None;
        }
        self.diagram.satisfaction(node, |variable| self.side(group, variable - first))
    }

    /// The value sets of every group that is not outside of all others.
    fn boxes(&self) -> Vec<Vec<&ValueSet>> {
        let numbers = 0..self.reader.groups.groups().len();
        let inside = numbers.filter(|&group| !self.is_outside_of_all(group));
        let attributes = 0..self.reader.domains.len();
        inside.map(|group| attributes.clone().map(|a| self.side(group, a)).collect()).collect()
    }

    /// The records of the known table inside a group that satisfy the condition, and all of them;
    /// none if there are none, or no table is known.
    fn joint(&self, group: usize, node: NodeId) -> Option<(Vec<(u32, f64)>, f64)> {
        let Knowledge::Table(table) = self.reader.knowledge else { return None };
        let (first, target) = (self.reader.recorded(), self.generalized_target());
        let (mut satisfying, mut all) = (QueryTally::default(), 0);
        for &row in &self.reader.members[group] {
            let (codes, records) = (table.codes(row as usize), table.count(row as usize));
            all += records;
            if self.diagram.follow(node, usize::MAX, |v| codes[v - first]) == NodeId::TRUE {
                satisfying.add(target.map_or(0, |attribute| codes[attribute]), records as f64);
            }
        }
        (all > 0).then(|| (satisfying.values.into_iter().collect(), all as f64))
    }

    /// The probability that independent attributes satisfy the condition, by the code of a
    /// generalized target.
    fn independent(&self, group: usize, node: NodeId) -> Vec<(u32, f64)> {
        let Some(attribute) = self.generalized_target() else {
            return vec![(0, self.independent_with(group, node, None))];
        };
        let with = |code: u32| {
            let only = ValueSet::range(code..code + 1);
            (code, self.independent_with(group, node, Some((attribute, &only))))
        };
        self.side(group, attribute).iter().map(with).collect()
    }

    /// The probability that independent attributes satisfy the condition, and that one of them has
    /// a value of a set.
    fn independent_with(
        &self,
        group: usize,
        node: NodeId,
        only: Option<(usize, &ValueSet)>,
    ) -> f64 {
        if self.is_outside_of_all(group) {
            return self.independent_outside(group, node, only);
        }
        let sides = (0..self.reader.domains.len()).map(|a| self.side(group, a)).collect::<Vec<_>>();
        self.weight(node, &sides, only)
    }

    /// The probability that independent attributes satisfy the condition outside of all other
    /// groups: in everything but what these hold.
    fn independent_outside(
        &self,
        group: usize,
        node: NodeId,
        only: Option<(usize, &ValueSet)>,
    ) -> f64 {
        let whole: Vec<&ValueSet> =
            (0..self.reader.domains.len()).map(|a| self.side(group, a)).collect();
        let size = |sides: &[&ValueSet]| -> f64 {
            let share = |(attribute, side): (usize, &&ValueSet)| {
                let marginals = self.marginals(attribute, whole[attribute]);
                let all = marginals.of_set(attribute, whole[attribute]);
                marginals.of_set(attribute, side) as f64 / all as f64
            };
            sides.iter().enumerate().map(share).product()
        };
        let (mut all, mut satisfying) = (1.0, self.weight(node, &whole, only));
        for sides in self.boxes() {
            let inside = size(&sides);
            if inside > 0.0 {
                all -= inside;
                satisfying -= inside * self.weight(node, &sides, only);
            }
        }
        if all > 0.0 { (satisfying / all).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The probability that values drawn independently from value sets satisfy the condition, and
    /// that one of them is in a further set.
    fn weight(&self, node: NodeId, sides: &[&ValueSet], only: Option<(usize, &ValueSet)>) -> f64 {
        let first = self.reader.recorded();
        let share = |attribute: usize, set: &ValueSet| {
            let side = sides[attribute];
            let marginals = self.marginals(attribute, side);
            marginals.of_both(attribute, side, set) as f64
                / marginals.of_set(attribute, side) as f64
        };
        let Some((limited, set)) = only else {
            return self.diagram.weight(node, &mut |v, branch| share(v - first, branch));
        };
        let within = share(limited, set);
        if within == 0.0 {
            return 0.0;
        }
        within
            * self.diagram.weight(node, &mut |v, branch| {
                let attribute = v - first;
                if attribute == limited {
                    share(attribute, &branch.intersection(set)) / within
                } else {
                    share(attribute, branch)
                }
            })
    }
}
