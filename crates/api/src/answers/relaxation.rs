//! Relaxations: one constraint weakened, the others kept, each with the request that accepts it.

use haggle_model::Error;
use serde::Serialize;

use crate::{Ask, Offer};

/// Which constraint a relaxation weakens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RelaxationKind {
    /// More records are suppressed.
    Suppression,
    /// Levels exceed their maximum.
    Height,
    /// A threshold is weaker.
    Privacy,
    /// One attribute is fully generalized.
    Attribute,
    /// Several attributes are fully generalized, where no part of the set is enough.
    Attributes,
}

impl RelaxationKind {
    /// Returns its name in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Suppression => "suppression",
            Self::Height => "height",
            Self::Privacy => "privacy",
            Self::Attribute => "attribute",
            Self::Attributes => "attributes",
        }
    }
}

/// One constraint weakened, the others kept: the scheme that is then possible and the request for it,
/// or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Relaxation {
    /// The constraint that is weakened.
    pub kind: RelaxationKind,
    /// The attributes that are left out, if the kind is `attribute` or `attributes`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The model whose threshold is weakened, if the kind is `privacy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Its parameter that is weakened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<&'static str>,
    /// The value that is possible, if one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The scheme that is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    /// The request that accepts it: the one asked, in full, with the weaker constraint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept: Option<Ask>,
    /// Why no scheme is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Relaxation {
    /// Builds a relaxation with the scheme that it makes possible and the request for it.
    pub fn possible(kind: RelaxationKind, offer: Offer, accept: Ask) -> Self {
        Self { offer: Some(offer), accept: Some(accept), ..Self::empty(kind) }
    }

    /// Builds a relaxation that makes no scheme possible.
    pub fn impossible(kind: RelaxationKind, reason: String) -> Self {
        Self { reason: Some(reason), ..Self::empty(kind) }
    }

    fn empty(kind: RelaxationKind) -> Self {
        let (without, model, parameter, value) = Default::default();
        Self { kind, without, model, parameter, value, offer: None, accept: None, reason: None }
    }

    /// Names the attributes that are left out.
    pub fn without(self, attributes: Vec<String>) -> Self {
        Self { without: attributes, ..self }
    }

    /// Names the number that is weakened, with the value that is possible.
    pub fn of_number(self, model: &str, parameter: &'static str, value: Option<f64>) -> Self {
        Self { model: Some(model.to_owned()), parameter: Some(parameter), value, ..self }
    }

    /// Returns whether a scheme is possible.
    pub fn is_possible(&self) -> bool {
        self.offer.is_some()
    }

    /// Returns the scheme and the request that accepts it; an error with the reason if there is none.
    pub fn to_acceptable(&self) -> Result<AcceptableRelaxation, Error> {
        match (&self.offer, &self.accept) {
            (Some(offer), Some(accept)) => Ok(AcceptableRelaxation {
                kind: self.kind,
                without: self.without.clone(),
                offer: offer.clone(),
                accept: accept.clone(),
            }),
            _ => Err(missing(self.reason.as_deref())),
        }
    }
}

/// A relaxation that a scheme makes possible.
///
/// Asking `accept` gives an exact answer. It is the offered scheme if the kind is `suppression`,
/// `privacy` or `height` (chosen as `lowest` or `closest`), and one that does not come after it in the
/// order of answers for the other kinds: maximum levels allow an attribute to be left out, but do not
/// force it. If a loss is to be least, the answer is the scheme of least loss that `accept` allows, so
/// it loses at most as much as the offered one.
///
/// ```
/// use haggle::{Engine, Project, Request};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
/// let answer = engine.ask(&Request::k(10).max_suppressed(32).levels([2, 1, 1]))?;
/// let relaxation = answer.relaxations()?.suppression()?;
/// assert_eq!(relaxation.offer.suppressed, 55);
/// assert_eq!(engine.ask(&relaxation.accept)?.exact()?, &relaxation.offer);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AcceptableRelaxation {
    /// The constraint that is weakened.
    pub kind: RelaxationKind,
    /// The attributes that are left out, if the kind is `Attribute` or `Attributes`.
    pub without: Vec<String>,
    /// The scheme that is possible.
    pub offer: Offer,
    /// The request that accepts it.
    pub accept: Ask,
}

/// The relaxations of a request: suppression, height, privacy (one for each negotiable number),
/// single attributes, best first, and sets of attributes, the smallest first, then best first.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Relaxations(Vec<Relaxation>);

impl Relaxations {
    /// Returns every relaxation in order, also those that make nothing possible.
    pub fn iter(&self) -> std::slice::Iter<'_, Relaxation> {
        self.0.iter()
    }

    /// Returns the relaxations that make a scheme possible, in order.
    pub fn all(&self) -> Vec<AcceptableRelaxation> {
        self.iter().flat_map(Relaxation::to_acceptable).collect()
    }

    /// Returns the first relaxation of a kind that makes a scheme possible; if none does, the first
    /// one of the kind, which has the reason.
    pub fn get(&self, kind: RelaxationKind) -> Option<&Relaxation> {
        let of_kind = || self.iter().filter(|one| one.kind == kind);
        of_kind().find(|one| one.is_possible()).or_else(|| of_kind().next())
    }

    /// Returns the first scheme that a relaxation of a kind makes possible.
    pub fn offer(&self, kind: RelaxationKind) -> Option<&Offer> {
        self.get(kind)?.offer.as_ref()
    }

    /// Returns the relaxation that suppresses more records; an error if there is none.
    pub fn suppression(&self) -> Result<AcceptableRelaxation, Error> {
        self.acceptable(RelaxationKind::Suppression)
    }

    /// Returns the relaxation that raises the maximum levels; an error if there is none.
    pub fn height(&self) -> Result<AcceptableRelaxation, Error> {
        self.acceptable(RelaxationKind::Height)
    }

    /// Returns the first relaxation that weakens a threshold; an error if there is none.
    pub fn privacy(&self) -> Result<AcceptableRelaxation, Error> {
        self.acceptable(RelaxationKind::Privacy)
    }

    /// Returns the relaxation that fully generalizes this attribute; an error if there is none.
    pub fn attribute(&self, name: &str) -> Result<AcceptableRelaxation, Error> {
        let kind = RelaxationKind::Attribute;
        let mut of_kind = self.iter().filter(|one| one.kind == kind);
        let is_meant = |one: &&Relaxation| one.without.is_empty() || one.without == [name];
        of_kind.find(is_meant).ok_or_else(|| missing(None))?.to_acceptable()
    }

    fn acceptable(&self, kind: RelaxationKind) -> Result<AcceptableRelaxation, Error> {
        self.get(kind).ok_or_else(|| missing(None))?.to_acceptable()
    }
}

fn missing(reason: Option<&str>) -> Error {
    let why = reason.unwrap_or("no scheme makes it possible");
    Error::new(format!("this relaxation does not exist: {why}"), "choose another one")
}

impl FromIterator<Relaxation> for Relaxations {
    fn from_iter<I: IntoIterator<Item = Relaxation>>(relaxations: I) -> Self {
        Self(relaxations.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Relaxations {
    type Item = &'a Relaxation;
    type IntoIter = std::slice::Iter<'a, Relaxation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
