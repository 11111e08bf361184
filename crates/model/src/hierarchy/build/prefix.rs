//! The last characters hidden, as for postcodes: 10115, 1011*, 101**, 10***.

use std::fmt;

use super::{Occurrence, Path, listed};
use crate::{Error, Problem, Problems};

/// On which side short values are padded before characters are hidden.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pad {
    /// On the right: first characters are aligned, as in E11 and E11.9. A short value stays as it
    /// is until the hidden part reaches it.
    #[default]
    Right,
    /// On the left: last characters are aligned, as in N1 5AA and SW11 2AB. Values of digits get
    /// back the leading zeros that a spreadsheet dropped: 2139 is 02139.
    Left,
}

impl Pad {
    /// The sides and their names in a project file.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Right, "right"), (Self::Left, "left")];
}

/// How many of the last characters are hidden at each level.
///
/// ```
/// use haggle_model::{Builder, Occurrence, Pad, Prefix};
///
/// let rule = Builder::from(Prefix::new(vec![1, 2, 3], Pad::Right)?);
/// assert_eq!(rule.to_string(), "the last 1, 2 and 3 characters hidden");
/// let codes = ["10115", "101"].map(|value| Occurrence { value, line: 1 });
/// let code = rule.build("code", &codes, None)?;
/// let path = |value| code.path(code.code(value).unwrap()).collect::<Vec<_>>();
/// assert_eq!(path("10115"), ["10115", "1011*", "101**", "10***", "*"]);
/// assert_eq!(path("101"), ["101", "101", "101**", "10***", "*"]);
///
/// let of_five = Builder::from(Prefix::new(vec![2], Pad::Right)?.with_length(5));
/// let codes = ["10115", "101157004"].map(|value| Occurrence { value, line: 1 });
/// let code = of_five.build("code", &codes, None)?;
/// assert_eq!(code.label(0, 1.into()), "101**"); // whatever else occurs
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// Above zero and rising.
    hidden: Vec<usize>,
    pad: Pad,
    /// The length that values are padded to; that of the longest value if not stated.
    length: Option<usize>,
}

impl Prefix {
    /// Hides this many characters at each level above 0.
    pub fn new(hidden: Vec<usize>, pad: Pad) -> Result<Self, Error> {
        let rising = hidden.windows(2).all(|pair| pair[0] < pair[1]);
        if hidden.is_empty() || hidden[0] == 0 || !rising {
            let what = format!("prefix = {hidden:?} does not hide more characters at each level");
            let fix = "write how many of the last characters each level hides, such as [1, 2, 3]";
            return Err(Problems::from(Problem::new(what).fix(fix)).into());
        }
        Ok(Self { hidden, pad, length: None })
    }

    /// Pads values to this many characters, whatever the longest value is; of longer ones, the
    /// characters beyond are hidden first.
    pub fn with_length(self, length: usize) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Returns the length that values are padded to, if it is stated.
    pub fn length(&self) -> Option<usize> {
        self.length
    }

    /// How many characters each level above 0 hides.
    pub fn hidden(&self) -> &[usize] {
        &self.hidden
    }

    /// Returns the side on which short values are padded.
    pub fn pad(&self) -> Pad {
        self.pad
    }

    pub(super) fn paths(&self, values: &[Occurrence<'_>]) -> Vec<Path> {
        let is_padded = |value: &str| self.pad == Pad::Right || is_digits(value);
        let padded = values.iter().map(|o| o.value).filter(|value| is_padded(value));
        let longest = padded.map(|value| value.chars().count()).max().unwrap_or(0);
        let length = self.length.unwrap_or(longest);
        let path = |occurrence: &Occurrence<'_>| {
            let label = |&hidden: &usize| match self.pad {
                Pad::Right => keep(occurrence.value, length, hidden),
                Pad::Left if is_digits(occurrence.value) => {
                    hide(&format!("{:0>length$}", occurrence.value), hidden)
                }
                Pad::Left => hide(occurrence.value, hidden),
            };
            Path::new(occurrence, self.hidden.iter().map(label))
        };
        values.iter().map(path).collect()
    }
}

/// Returns the first characters of a value padded on the right; a value that ends before the hidden
/// part begins is its own label.
fn keep(value: &str, length: usize, hidden: usize) -> String {
    let kept = length.saturating_sub(hidden);
    let start: String = value.chars().take(kept).collect();
    if start.chars().count() < kept {
        return value.into();
    }
    format!("{start}{}", "*".repeat(length - kept))
}

fn is_digits(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// The value with its last characters hidden.
fn hide(value: &str, hidden: usize) -> String {
    let length = value.chars().count();
    let start: String = value.chars().take(length.saturating_sub(hidden)).collect();
    format!("{start}{}", "*".repeat(hidden.min(length)))
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.hidden == [1] { "" } else { "s" };
        write!(f, "the last {} character{s} hidden", listed(&self.hidden))?;
        if self.pad == Pad::Left {
            f.write_str(", padded on the left")?;
        }
        self.length.map_or(Ok(()), |length| write!(f, ", of {length} characters"))
    }
}
