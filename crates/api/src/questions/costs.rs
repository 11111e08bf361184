//! What schemes suppress and lose: some, or all of them.

use haggle_model::{Error, Scheme};
use serde::{Deserialize, Serialize};

use crate::{Document, MeasureSpec, Question, Reveals, SchemesReport};

/// The media type of numbers in binary form.
const BYTES: &str = "application/octet-stream";

/// What some schemes suppress and lose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SchemesQuestion {
    /// The schemes, at most 1,024.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Vec<u8>>))]
    pub schemes: Vec<Scheme>,
    /// The loss measure.
    #[serde(default = "MeasureSpec::plain")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub loss: MeasureSpec,
}

impl Question for SchemesQuestion {
    const ID: &'static str = "schemes";
    const TITLE: &'static str = "What some schemes suppress and lose";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 10}, "schemes": [[0, 0, 0], [1, 1, 0]], "loss": "lm"}"#];
    type Answer = SchemesReport;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        vec![&mut self.loss]
    }
}

/// What every scheme loses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct LossesQuestion {
    /// The loss measure.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub loss: MeasureSpec,
}

impl Default for LossesQuestion {
    fn default() -> Self {
        Self { loss: MeasureSpec::plain() }
    }
}

/// The loss of every scheme, by its index: levels in order, the last attribute's changing fastest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AllLosses {
    /// The losses.
    pub losses: Vec<f64>,
}

impl Question for LossesQuestion {
    const ID: &'static str = "losses";
    const TITLE: &'static str = "What every scheme loses, by its index: as floating-point numbers of four bytes, the lowest byte first";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 10}, "loss": "discernibility"}"#];
    const MEDIA_TYPES: &'static [&'static str] = &[BYTES];
    type Answer = AllLosses;

    fn measures_mut(&mut self) -> Vec<&mut MeasureSpec> {
        vec![&mut self.loss]
    }

    fn written(answer: &AllLosses) -> Result<Document, Error> {
        let numbers = answer.losses.iter();
        let content = numbers.flat_map(|&loss| (loss as f32).to_le_bytes()).collect();
        Ok(Document { name: None, media_type: BYTES, content })
    }
}

/// What every scheme suppresses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct SuppressedQuestion {
    /// The bits of each number: 64, or 32 if every number fits; 32 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bits: Option<u8>,
}

impl SuppressedQuestion {
    /// Returns the bits of each number, if they are valid.
    pub fn width(&self) -> Result<u8, Error> {
        match self.bits {
            None | Some(32) => Ok(32),
            Some(64) => Ok(64),
            Some(bits) => {
                let what = format!("numbers have 32 or 64 bits, not {bits}");
                Err(Error::new(what, "ask for 32 or 64 bits"))
            }
        }
    }
}

/// The records that every scheme suppresses, by its index: levels in order, the last attribute's
/// changing fastest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AllSuppressed {
    /// The records.
    pub suppressed: Vec<u64>,
    /// The bits of each number in binary form.
    #[serde(skip)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub width: u8,
}

impl Question for SuppressedQuestion {
    const ID: &'static str = "suppressed";
    const TITLE: &'static str = "What every scheme suppresses, by its index: as whole numbers of four or eight bytes, the lowest byte first";
    const REVEALS: Reveals = Reveals::Counts;
    const EXAMPLES: &'static [&'static str] =
        &[r#"{"privacy": {"k-anonymity": 3}, "bits": 64}"#, r#"{"privacy": {"k-anonymity": 3}}"#];
    const MEDIA_TYPES: &'static [&'static str] = &[BYTES];
    type Answer = AllSuppressed;

    fn written(answer: &AllSuppressed) -> Result<Document, Error> {
        let numbers = answer.suppressed.iter();
        let content = if answer.width == 64 {
            numbers.flat_map(|number| number.to_le_bytes()).collect()
        } else {
            let narrow: Option<Vec<u32>> = numbers.map(|&n| u32::try_from(n).ok()).collect();
            let narrow = narrow.ok_or_else(|| {
                let what = "a scheme suppresses more records than numbers of 32 bits can say";
                Error::new(what, "ask for 64 bits")
            })?;
            narrow.into_iter().flat_map(u32::to_le_bytes).collect()
        };
        Ok(Document { name: None, media_type: BYTES, content })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_wide_as_asked_for_or_refused() {
        let numbers = [0, u64::from(u32::MAX), u64::from(u32::MAX) + 1, 5_000_000_007];
        let written = |bits: Option<u8>, suppressed: &[u64]| {
            let width = SuppressedQuestion { bits }.width()?;
            let answer = AllSuppressed { suppressed: suppressed.to_vec(), width };
            SuppressedQuestion::written(&answer).map(|document| document.content)
        };
        let bytes = written(Some(64), &numbers).unwrap();
        let read = bytes.chunks(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap()));
        assert_eq!(read.collect::<Vec<u64>>(), numbers);
        for bits in [None, Some(32)] {
            assert_eq!(written(bits, &numbers[..2]).unwrap(), [0, 0, 0, 0, 255, 255, 255, 255]);
            assert!(written(bits, &numbers[..3]).is_err());
        }
        assert!(written(Some(16), &numbers[..1]).is_err());
    }
}
