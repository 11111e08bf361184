//! Parts of a project file over a table of people, for tests that read projects.

/// The start of a project over `people.csv`: quasi-identifiers `age`, in decades, and `sex`.
pub const AGE_AND_SEX: &str = r#"
[data]
path = "people.csv"
header = true
missing = ["?"]
on_missing = "drop"

[[attribute]]
name = "age"
role = "quasi-identifier"
hierarchy = { intervals = [10] }

[[attribute]]
name = "sex"
role = "quasi-identifier"
"#;

/// A sensitive attribute.
pub const DISEASE: &str = r#"
[[attribute]]
name = "disease"
role = "sensitive"
"#;

/// Nine people in decades of 4, 4 and 1.
pub const NINE: &str = "age,sex,disease
21,f,flu
22,f,cold
23,m,flu
24,m,ulcer
31,f,flu
32,f,cold
33,m,flu
34,m,cold
41,f,ulcer
";
