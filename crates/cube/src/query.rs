//! Conditions on records, evaluated on groups whose records have one of several values.
//!
//! ```
//! use haggle_cube::query::{Condition, Diagram, Satisfaction, ValueSet, Variable};
//! use haggle_model::Hierarchy;
//!
//! let age = Hierarchy::from_paths("age", [["17", "under 20"], ["19", "under 20"], ["23", "20 up"]])?;
//! let variables = [Variable::of_hierarchy("age", &age)];
//! let condition: Condition = "age < 19 or age = '20 up'".parse()?;
//! let diagram = Diagram::build(&condition, &variables)?;
//! let under_20 = [ValueSet::range(0..2)];
//! assert_eq!(diagram.satisfaction(diagram.root(), |i| &under_20[i]), Satisfaction::Partial);
//! # Ok::<(), haggle_model::Error>(())
//! ```

mod diagram;
mod independent;
mod syntax;
mod tokens;
mod value_set;
mod variable;

pub use diagram::{Diagram, NodeId, Satisfaction};
pub use independent::Independent;
pub use syntax::{Condition, Relation};
pub use value_set::ValueSet;
pub use variable::Variable;
