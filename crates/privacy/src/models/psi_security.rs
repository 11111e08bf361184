//! ψ-security: no sensitive value of a group is easily ruled out, and none is easily guessed.
//!
//! Definition: an attacker who suspects the class of one record cannot rule out the class x with a
//! likelihood that falls like a bell around the suspicion. Summed over the records of a group, ψ(x)
//! estimates how hard x is to rule out. A group passes if ψ of each of its values is at least
//! `least` and, if given, at most `most`: far above the others, a value is easily guessed. Formula:
//! `least ≤ κ Σ φ(cf(s); cf(t), σ) ≤ most`, summed over the records t, for each value s of the
//! group, with κ = 1 or one over the group's records. Citation: S.-Y. Hsu, "Database Anonymization
//! and Protections of Sensitive Attributes", master's thesis, Lakehead University, 2008, section
//! 3.6, which leaves a standard based on ψ open; the bound is haggle's. See `sensitive/security.rs`
//! for the errata.
//!
//! Added up, ψ of two passing groups may be too large together; averaged, too small: free.

use std::ops::Bound;

use haggle_cube::{Column, Group, Merging, Passing, Statistic};

use super::recursion::hopeless;
use super::{HSU, beyond};
use crate::exact::tidy;
use crate::{Error, Model, Parameter, ParameterOption, Setting, security};

pub(super) const MODEL: Model = Model {
    id: "psi-security",
    title: "psi-security",
    definition: "In every group the estimate psi of how hard a sensitive value is to rule out, given the classes of the group's records, is at least 'least' for each value and, if given, at most 'most'.",
    formula: "least <= k * sum over records t of phi(cf(s); cf(t), width) <= most for every value s of the group; k = 1, or one over the group's records",
    citation: HSU,
    example: "Two records of class 0 and one of class 3, with width 1: psi is 2 * 0.3989 + 0.0044 = 0.802 at class 0 and 0.3989 + 2 * 0.0044 = 0.408 at class 3, so the group passes least = 0.4 and, with most = 0.8, fails.",
    parameters: &[
        Parameter::number(
            "least",
            "the least estimate of a value in a group; below it a value is easily ruled out",
            beyond(0.0),
            Bound::Unbounded,
            Some(Passing::AtLeast),
        ).usually(0.5),
        Parameter {
            optional: true,
            ..Parameter::number(
                "most",
                "the largest estimate of a value in a group; above it a value is easily guessed",
                beyond(0.0),
                Bound::Unbounded,
                Some(Passing::AtMost),
            ).usually(5.0)
        },
        Parameter {
            optional: true,
            ..Parameter::number(
                "width",
                "how wide a suspicion is, in classes: its standard deviation (default 1)",
                beyond(0.0),
                Bound::Unbounded,
                None,
            ).usually(1.0)
        },
    ],
    choices: &[ParameterOption {
        name: "scale",
        meaning: "whether bells are added up over the records (records, the default) or averaged (shares)",
        options: &["records", "shares"],
    }],
    sensitive: true,
    states: &["class_function"],
    uses: &["order"],
    reference: false,
    kind: Merging::Free,
    stored: false,
    published_level: None,
    counts_records: true,
    statistic: |setting| Ok(Box::new(PsiSecurity::of_setting(setting)?)),
};

/// The least ψ of a group if none is too large; or the largest if none is too small.
#[derive(Debug, Clone)]
pub struct PsiSecurity {
    column: Column,
    classes: Vec<f64>,
    width: f64,
    shares: bool,
    other: Other,
}

/// The bound that is a condition, because the other one is negotiated.
#[derive(Debug, Clone, Copy)]
enum Other {
    Least(f64),
    Most(f64),
}

impl PsiSecurity {
    fn of_setting(setting: &Setting<'_>) -> Result<Self, Error> {
        let classes = setting.facts()?.classes.clone();
        let classes = setting.stated(classes, "class_function", "\"empirical\"")?;
        let (least, most) = (setting.given("least"), setting.given("most"));
        if let (Some(least), Some(most)) = (least, most)
            && least > most
        {
            let what = format!("least = {least} is above most = {most}");
            return Err(Error::new(what, "choose least of at most most"));
        }
        let other = if setting.negotiates("most") {
            Other::Least(setting.number("least")?)
        } else {
            Other::Most(most.unwrap_or(f64::INFINITY))
        };
        Ok(Self {
            column: setting.column(&setting.unusual(&[("scale", "records")])),
            classes,
            width: setting.given("width").unwrap_or(1.0),
            shares: setting.choice("scale") == Some("shares"),
            other,
        })
    }
}

impl Statistic for PsiSecurity {
    fn column(&self) -> &Column {
        &self.column
    }

    fn of(&self, group: &Group<'_>) -> f64 {
        let scale = if self.shares { 1.0 / group.known().max(1) as f64 } else { 1.0 };
        let psi = security(&self.classes, group, self.width, scale);
        // Bells that are added in another order differ in their last digits.
        let psi = psi.into_iter().map(|(_, psi)| tidy(psi));
        let (least, most) = (psi.clone().reduce(f64::min), psi.reduce(f64::max));
        let (Some(least), Some(most)) = (least, most) else { return hopeless(&self.column) };
        match self.other {
            Other::Most(bound) if most <= bound => least,
            Other::Least(bound) if least >= bound => most,
            _ => hopeless(&self.column),
        }
    }
}
