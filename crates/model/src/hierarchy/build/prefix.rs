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
    /// On the left: last characters are aligned, as in N1 5AA and SW11 2AB. If all values are
    /// digits, leading zeros that a spreadsheet dropped are restored: 2139 is 02139.
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
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    /// Above zero and rising.
    hidden: Vec<usize>,
    pad: Pad,
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
        Ok(Self { hidden, pad })
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
        let longest = values.iter().map(|o| o.value.chars().count()).max().unwrap_or(0);
        let digits = values.iter().all(|o| o.value.bytes().all(|byte| byte.is_ascii_digit()));
        let path = |occurrence: &Occurrence<'_>| {
            let label = |&hidden: &usize| match self.pad {
                Pad::Right => keep(occurrence.value, longest, hidden),
                Pad::Left if digits && !occurrence.value.is_empty() => {
                    hide(&format!("{:0>longest$}", occurrence.value), hidden)
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
fn keep(value: &str, longest: usize, hidden: usize) -> String {
    let kept = longest.saturating_sub(hidden);
    let start: String = value.chars().take(kept).collect();
    if start.chars().count() < kept {
        return value.into();
    }
    format!("{start}{}", "*".repeat(longest - kept))
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
        if self.pad == Pad::Left { f.write_str(", padded on the left") } else { Ok(()) }
    }
}
