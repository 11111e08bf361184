//! Relaxations to accept: each with the request that asks for it.

use std::ops::Deref;

use haggle_model::Error;

use crate::{Amount, Answer, Ask, Levels, Offer, Offers};

/// Which constraint a relaxation weakens.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelaxationKind {
    /// More records are suppressed.
    Suppression,
    /// Levels exceed their maximum.
    Height,
    /// A threshold is weaker.
    Privacy,
    /// This attribute is fully generalized.
    Attribute(String),
    /// These attributes are fully generalized.
    Attributes(Vec<String>),
}

/// One constraint weakened, the others kept: the scheme that is then possible, and the request for it.
///
/// ```
/// use haggle::{Engine, Project, Request};
///
/// let engine = Engine::builder(&Project::demo()).qi(["age", "race", "workclass"]).open()?;
/// let request = Request::k(10).max_suppressed(32).levels([2, 1, 1]);
/// let answer = engine.ask(&request)?;
/// let relaxation = answer.relaxations()?.suppression()?;
/// assert_eq!(relaxation.suppressed, 55);
///
/// let agreed = relaxation.accept(&request);
/// assert_eq!(engine.ask(&agreed)?.exact()?.suppressed, 55);
/// # Ok::<(), haggle::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Relaxation<'a> {
    /// The constraint that is weakened.
    pub kind: RelaxationKind,
    /// What is then possible.
    pub offer: &'a Offer,
}

impl Deref for Relaxation<'_> {
    type Target = Offer;

    fn deref(&self) -> &Offer {
        self.offer
    }
}

impl Relaxation<'_> {
    /// Returns the request with the weakened constraint in place of its own.
    pub fn accept(&self, request: &Ask) -> Ask {
        let request = request.clone();
        match &self.kind {
            RelaxationKind::Suppression => {
                let limit = Amount::Records(self.offer.suppressed);
                Ask { max_suppressed: Some(limit), ..request }
            }
            RelaxationKind::Height => {
                Ask { levels: Some(self.raised(&request, |_| true)), ..request }
            }
            RelaxationKind::Attribute(name) => {
                Ask { levels: Some(self.raised(&request, |other| other == name)), ..request }
            }
            RelaxationKind::Attributes(names) => {
                let chosen = |other: &str| names.iter().any(|name| name == other);
                Ask { levels: Some(self.raised(&request, chosen)), ..request }
            }
            RelaxationKind::Privacy => Ask { privacy: self.offer.thresholds.clone(), ..request },
        }
    }

    /// Returns the maximum levels, raised to those of the scheme for the chosen attributes.
    fn raised(&self, request: &Ask, chosen: impl Fn(&str) -> bool) -> Levels {
        let raise = |name: &str, offered: u8, most: u8| {
            if chosen(name) { most.max(offered) } else { most }
        };
        let offered = &self.offer.levels;
        match &request.levels {
            Some(Levels::InOrder(levels)) => {
                let levels = offered.iter().zip(levels);
                let raised = levels.map(|((name, offered), &most)| raise(name, *offered, most));
                Levels::InOrder(raised.collect())
            }
            Some(Levels::ByName(levels)) => {
                let mut levels = levels.clone();
                for (name, offered) in offered {
                    levels
                        .entry(name.clone())
                        .and_modify(|most| *most = raise(name, *offered, *most));
                }
                Levels::ByName(levels)
            }
            // The maximum levels come from the project: they are replaced as a whole.
            None => Levels::ByName(offered.iter().cloned().collect()),
        }
    }
}

impl Answer {
    /// Returns the scheme that meets the request; an error if none does.
    pub fn exact(&self) -> Result<&Offer, Error> {
        self.exact.as_ref().ok_or_else(|| {
            Error::new("no scheme meets this request", "accept a relaxation, or ask for less")
        })
    }

    /// Returns the relaxations; an error if the request is met as it is.
    pub fn relaxations(&self) -> Result<&Offers, Error> {
        self.relaxations.as_ref().ok_or_else(|| {
            Error::new("nothing has to be relaxed: a scheme meets this request", "use that scheme")
        })
    }
}

impl Offers {
    /// Returns the relaxation that suppresses more records.
    pub fn suppression(&self) -> Result<Relaxation<'_>, Error> {
        let (offer, reason) = (&self.suppression, &self.suppression_reason);
        relaxation(RelaxationKind::Suppression, offer.as_ref(), reason.as_ref())
    }

    /// Returns the relaxation that raises the maximum levels.
    pub fn height(&self) -> Result<Relaxation<'_>, Error> {
        let (offer, reason) = (&self.height, &self.height_reason);
        relaxation(RelaxationKind::Height, offer.as_ref(), reason.as_ref())
    }

    /// Returns the relaxation that weakens a threshold.
    pub fn privacy(&self) -> Result<Relaxation<'_>, Error> {
        let (offer, reason) = (&self.privacy, &self.privacy_reason);
        relaxation(RelaxationKind::Privacy, offer.as_ref(), reason.as_ref())
    }

    /// Returns the relaxation that fully generalizes this attribute.
    pub fn attribute(&self, name: &str) -> Result<Relaxation<'_>, Error> {
        let offer = self.attribute.iter().find(|offer| offer.attribute == name);
        let kind = RelaxationKind::Attribute(name.to_owned());
        relaxation(kind, offer.map(|offer| &offer.offer), self.attribute_reason.as_ref())
    }

    /// Returns all relaxations that are possible.
    pub fn all(&self) -> Vec<Relaxation<'_>> {
        let attributes = self.attribute.iter().map(|offer| self.attribute(&offer.attribute));
        let others = [self.suppression(), self.height(), self.privacy()];
        let sets = self.attributes.iter().map(|set| {
            let kind = RelaxationKind::Attributes(set.attributes.clone());
            Relaxation { kind, offer: &set.offer }
        });
        others.into_iter().chain(attributes).flatten().chain(sets).collect()
    }
}

fn relaxation<'a>(
    kind: RelaxationKind,
    offer: Option<&'a Offer>,
    reason: Option<&String>,
) -> Result<Relaxation<'a>, Error> {
    let why = || reason.map_or("no scheme makes it possible", String::as_str);
    offer.map(|offer| Relaxation { kind, offer }).ok_or_else(|| {
        Error::new(format!("this relaxation does not exist: {}", why()), "choose another one")
    })
}

#[cfg(test)]
mod tests;
