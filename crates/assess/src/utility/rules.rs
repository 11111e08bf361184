//! Association rules that a publication keeps, and those that it loses.

use std::collections::BTreeSet;

use haggle_api::{RuleExample, RuleOutcome, RulesUtility, UtilityAsk};
use haggle_inference::utility::{AssociationRule, Cases, Classes, RuleLimits, RuleSet};
use haggle_model::{Level, QuasiIdentifier, UNMATCHED, is_unmatched};

use super::published::PublishedRows;
use super::{BeforeAndAfter, classes};

/// How many rules of the table are shown.
const SHOWN: usize = 10;

/// Compares the rules of a table with those of its publication.
pub(super) fn rules(publication: &BeforeAndAfter<'_>, ask: &UtilityAsk) -> RulesUtility {
    let BeforeAndAfter { joint, original, published: rows, .. } = publication;
    let classes = classes(joint);
    let limits =
        RuleLimits { support: ask.support, confidence: ask.confidence, longest: ask.rule_length };
    let found = |cases: &Cases, rows: &PublishedRows| {
        let silent = |(attribute, _)| says_nothing(rows, attribute);
        RuleSet::mine(&in_classes(cases, &classes), &limits, silent).rules
    };
    let before = found(&publication.before, original);
    let after = found(&publication.after, rows);
    let words = Words { attributes: joint.attributes(), classes: &classes };
    let mut report = RulesUtility {
        support: ask.support,
        confidence: ask.confidence,
        rule_length: ask.rule_length,
        before: before.len() as u64,
        after: after.len() as u64,
        kept: 0,
        generalized: 0,
        lost: 0,
        new: 0,
        examples: Vec::new(),
    };
    let mut known: BTreeSet<AssociationRule> = BTreeSet::new();
    for rule in &before {
        let published = published(rows, rule);
        let is_there = published.as_ref().is_some_and(|rule| after.contains(rule));
        let outcome = match &published {
            Some(same)
                if is_there
                    && published_as_recorded(rows, same)
                    && same.items.len() == rule.items.len() =>
            {
                RuleOutcome::Kept
            }
            Some(_) if is_there => RuleOutcome::Generalized,
            _ => RuleOutcome::Lost,
        };
        match outcome {
            RuleOutcome::Kept => report.kept += 1,
            RuleOutcome::Generalized => report.generalized += 1,
            RuleOutcome::Lost => report.lost += 1,
        }
        if report.examples.len() < SHOWN {
            report.examples.push(RuleExample {
                rule: words.describe(rule, original),
                published: published.as_ref().map(|rule| words.describe(rule, rows)),
                outcome,
            });
        }
        known.extend(published.filter(|_| is_there));
    }
    report.new = after.difference(&known).count() as u64;
    report
}

/// Returns the records by class instead of by value.
fn in_classes(cases: &Cases, classes: &Classes) -> Cases {
    let records = cases.iter();
    let records = records.map(|case| (case.values, classes.class(case.class), case.records));
    Cases::new(cases.values.clone(), classes.names.len(), records)
}

/// Whether an attribute has one value only.
fn says_nothing(rows: &PublishedRows, attribute: u32) -> bool {
    rows.regions(attribute).len() == 1
}

/// A rule with published values; none if they say nothing.
fn published(rows: &PublishedRows, rule: &AssociationRule) -> Option<AssociationRule> {
    let telling = rule.items.iter().filter(|(attribute, _)| !says_nothing(rows, *attribute));
    let items = telling.map(|&(attribute, value)| {
        let code = rows.regions(attribute).iter().position(|r| r.leaves.contains(&value))?;
        Some((attribute, code as u32))
    });
    let items = items.collect::<Option<Vec<(u32, u32)>>>()?;
    (!items.is_empty()).then_some(AssociationRule { items, class: rule.class })
}

fn published_as_recorded(rows: &PublishedRows, rule: &AssociationRule) -> bool {
    let recorded = |&(attribute, code): &(u32, u32)| {
        rows.regions(attribute)[code as usize].level == Level::RECORDED
    };
    rule.items.iter().all(recorded)
}

struct Words<'a> {
    attributes: &'a [QuasiIdentifier],
    classes: &'a Classes,
}

impl Words<'_> {
    fn describe(&self, rule: &AssociationRule, rows: &PublishedRows) -> String {
        let items = rule.items.iter().map(|&(attribute, value)| {
            let QuasiIdentifier { name, .. } = &self.attributes[attribute as usize];
            let label = &rows.regions(attribute)[value as usize].label;
            format!("{name} = {}", if is_unmatched(label) { UNMATCHED } else { label })
        });
        let items: Vec<String> = items.collect();
        format!("{} → {}", items.join(" and "), self.classes.names[rule.class as usize])
    }
}
