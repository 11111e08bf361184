//! A condition as it is written: comparisons joined by `and`, `or` and `not`.

use std::fmt;
use std::str::FromStr;

use haggle_model::Error;

use super::tokens::{Token, TokenKind, tokens};

/// How a comparison relates a column to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// `=`: the value itself, or one below it in the hierarchy.
    Equal,
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `>`.
    Greater,
    /// `>=`.
    AtLeast,
}

/// A comparison of a column with a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueComparison {
    pub(super) column: String,
    pub(super) relation: Relation,
    pub(super) value: String,
    /// The character at which the column's name begins, from 1.
    pub(super) at: usize,
}

/// A Boolean function of comparisons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    Comparison(ValueComparison),
    /// True if all are; true if there are none.
    And(Vec<Expression>),
    /// True if one is; false if there are none.
    Or(Vec<Expression>),
    Not(Box<Expression>),
}

/// A condition on records: comparisons of columns with values (`=`, `!=`, `<`, `<=`, `>`, `>=`,
/// `in (a, b)`), joined by `and`, `or`, `not` and parentheses.
///
/// ```
/// use haggle_cube::query::Condition;
///
/// let condition: Condition = "age < 25 and not (race = White or sex in (Female, \"not stated\"))".parse()?;
/// assert_eq!(condition.columns(), ["age", "race", "sex"]);
/// let error = "age < ".parse::<Condition>().unwrap_err().to_string();
/// assert!(error.contains("character 7"), "{error}");
/// # Ok::<(), haggle_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub(super) root: Expression,
    text: String,
}

/// Parentheses and `not` may be nested this deeply.
const DEEPEST: usize = 100;

impl Condition {
    /// The condition that every record satisfies.
    pub fn always() -> Self {
        Self { root: Expression::And(Vec::new()), text: String::new() }
    }

    /// Returns the condition that also demands one value of a column.
    pub fn and_equals(&self, column: &str, value: &str) -> Self {
        let comparison = ValueComparison {
            column: column.into(),
            relation: Relation::Equal,
            value: value.into(),
            at: 1,
        };
        let added = format!("{} = {}", quote(column), quote(value));
        let text =
            if self.text.is_empty() { added } else { format!("({}) and {added}", self.text) };
        let root = Expression::And(vec![self.root.clone(), Expression::Comparison(comparison)]);
        Self { root, text }
    }

    /// Returns the condition with some values replaced: `others` says by which, given a column and a
    /// value that it is to equal.
    #[must_use]
    pub fn with_values(self, others: impl Fn(&str, &str) -> Option<Vec<String>>) -> Self {
        Self { root: self.root.with_values(&others), text: self.text }
    }

    /// Returns the columns that it names, each once, in the order of their first occurrence.
    pub fn columns(&self) -> Vec<&str> {
        let mut columns = Vec::new();
        self.root.for_each(&mut |comparison| {
            if !columns.contains(&comparison.column.as_str()) {
                columns.push(comparison.column.as_str());
            }
        });
        columns
    }
}

impl Expression {
    fn with_values(self, others: &impl Fn(&str, &str) -> Option<Vec<String>>) -> Self {
        let all = |all: Vec<Self>| all.into_iter().map(|one| one.with_values(others)).collect();
        match self {
            Self::And(parts) => Self::And(all(parts)),
            Self::Or(parts) => Self::Or(all(parts)),
            Self::Not(one) => Self::Not(one.with_values(others).into()),
            Self::Comparison(one) if one.relation == Relation::Equal => {
                let Some(values) = others(&one.column, &one.value) else {
                    return Self::Comparison(one);
                };
                let equal = |value| Self::Comparison(ValueComparison { value, ..one.clone() });
                Self::Or(values.into_iter().map(equal).collect())
            }
            Self::Comparison(one) => Self::Comparison(one),
        }
    }

    pub(super) fn for_each<'e>(&'e self, visit: &mut impl FnMut(&'e ValueComparison)) {
        match self {
            Self::Comparison(comparison) => visit(comparison),
            Self::And(all) | Self::Or(all) => all.iter().for_each(|one| one.for_each(visit)),
            Self::Not(one) => one.for_each(visit),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text.trim().is_empty() {
            return Ok(Self::always());
        }
        let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0 };
        let root = parser.any_of()?;
        match &parser.peek().kind {
            TokenKind::End => Ok(Self { root, text: text.trim().into() }),
            _ => Err(parser.expected("'and', 'or' or the end")),
        }
    }
}

/// Puts a name or a value in quotes.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

struct Parser {
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next]
    }

    /// Takes the next word if it is this one of the language.
    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Word(w) if w.eq_ignore_ascii_case(word));
        self.next += usize::from(found);
        found
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = matches!(&self.peek().kind, TokenKind::Sign(s) if *s == sign);
        self.next += usize::from(found);
        found
    }

    fn any_of(&mut self) -> Result<Expression, Error> {
        let mut all = vec![self.all_of()?];
        while self.take_word("or") {
            all.push(self.all_of()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::Or(all) })
    }

    fn all_of(&mut self) -> Result<Expression, Error> {
        let mut all = vec![self.one()?];
        while self.take_word("and") {
            all.push(self.one()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Expression::And(all) })
    }

    fn one(&mut self) -> Result<Expression, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("the condition is nested more than {DEEPEST} levels deep");
            return Err(Error::new(what, "write it with fewer parentheses"));
        }
        let one = if self.take_word("not") {
            Ok(Expression::Not(self.one()?.into()))
        } else if self.take_sign("(") {
            let inner = self.any_of()?;
            if self.take_sign(")") { Ok(inner) } else { Err(self.expected("')'")) }
        } else {
            self.comparison()
        };
        self.depth -= 1;
        one
    }

    fn comparison(&mut self) -> Result<Expression, Error> {
        let at = self.peek().at;
        let column = self.name("the name of a column")?;
        let equal = |value: String| {
            let (column, relation) = (column.clone(), Relation::Equal);
            Expression::Comparison(ValueComparison { column, relation, value, at })
        };
        if self.take_word("not") {
            if !self.take_word("in") {
                return Err(self.expected("'in'"));
            }
            let any = Expression::Or(self.list()?.into_iter().map(equal).collect());
            return Ok(Expression::Not(any.into()));
        }
        if self.take_word("in") {
            return Ok(Expression::Or(self.list()?.into_iter().map(equal).collect()));
        }
        if self.take_sign("!=") {
            return Ok(Expression::Not(equal(self.name("a value")?).into()));
        }
        let relation = self.relation()?;
        let value = self.name("a value")?;
        Ok(Expression::Comparison(ValueComparison { column, relation, value, at }))
    }

    fn relation(&mut self) -> Result<Relation, Error> {
        let relations = [
            ("=", Relation::Equal),
            ("<", Relation::Less),
            ("<=", Relation::AtMost),
            (">", Relation::Greater),
            (">=", Relation::AtLeast),
        ];
        let found = relations.into_iter().find(|(sign, _)| self.take_sign(sign));
        found.map(|(_, relation)| relation).ok_or_else(|| {
            self.expected("one of = != < <= > >= in (a name with blanks is put in quotes)")
        })
    }

    fn list(&mut self) -> Result<Vec<String>, Error> {
        if !self.take_sign("(") {
            return Err(self.expected("'('"));
        }
        let mut values = vec![self.name("a value")?];
        while self.take_sign(",") {
            values.push(self.name("a value")?);
        }
        if self.take_sign(")") { Ok(values) } else { Err(self.expected("',' or ')'")) }
    }

    fn name(&mut self, what: &str) -> Result<String, Error> {
        let text = match &self.peek().kind {
            TokenKind::Word(text) | TokenKind::Quoted(text) => text.clone(),
            _ => return Err(self.expected(what)),
        };
        self.next += 1;
        Ok(text)
    }

    fn expected(&self, what: &str) -> Error {
        let Token { kind, at } = self.peek();
        let found = match kind {
            TokenKind::Word(text) | TokenKind::Quoted(text) => format!("'{text}'"),
            TokenKind::Sign(sign) => format!("'{sign}'"),
            TokenKind::End => "its end".into(),
        };
        let what = format!("the condition has {found} at character {at}, where {what} is expected");
        let fix =
            "write for instance: age < 25 and (race = White or sex in (Female, \"not stated\"))";
        Error::new(what, fix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Condition>().unwrap_err().to_string()
    }

    #[test]
    fn and_binds_more_tightly_than_or_and_not_more_than_both() {
        let same = |a: &str, b: &str| {
            assert_eq!(a.parse::<Condition>().unwrap().root, b.parse::<Condition>().unwrap().root);
        };
        // The characters at which names begin are compared too.
        same("a = 1 or b = 2 and c = 3", "a = 1 or b = 2 AND c = 3");
        let condition: Condition = "not a = 1 and b = 2 or c = 3".parse().unwrap();
        let Expression::Or(or) = &condition.root else { panic!("{condition:?}") };
        let Expression::And(and) = &or[0] else { panic!("{condition:?}") };
        assert!(matches!(and[0], Expression::Not(_)));
    }

    #[test]
    fn errors_say_what_is_expected_and_where() {
        assert!(error("age <").contains("its end at character 6, where a value"));
        assert!(error("age 25").contains("'25' at character 5, where one of"));
        assert!(error("(age < 25").contains("at character 10, where ')'"));
        assert!(error("age < 25 race = White").contains("'race' at character 10"));
        assert!(error("age in 25").contains("where '('"));
        assert!(error("age = 'x").contains("character 7 of the condition is not closed"));
        assert!(error("income = <=50K").contains("'<=' at character 10"));
        assert!(error(&"(".repeat(1000)).contains("nested"));
        assert!(error("a ! b").contains("has no meaning"));
    }

    #[test]
    fn quotes_hold_blanks_signs_and_words_of_the_language() {
        let condition: Condition = "\"my column\" = 'it''s <=50K' and 'and' = not".parse().unwrap();
        assert_eq!(condition.columns(), ["my column", "and"]);
    }
}
