//! What a column is before anything is counted: its role in the project and in the request.

use haggle_data::Table;
use haggle_model::Role;
use haggle_project::Project;

/// How a column stands to the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The request negotiates it; its position among the quasi-identifiers.
    Negotiated(usize),
    /// A quasi-identifier of the project that the request leaves out.
    NotNegotiated,
    Sensitive,
    Identifier,
    /// It names the persons.
    Person,
    /// Insensitive, or not listed.
    Other,
}

/// A column of the table.
#[derive(Debug, Clone)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Whether the project lists it.
    pub(crate) listed: bool,
    pub(crate) standing: Standing,
    /// Whether it is named to be published as recorded.
    pub(crate) as_recorded: bool,
    /// Whether its type can be read.
    pub(crate) is_readable: bool,
}

impl Subject {
    pub(crate) fn new(
        project: &Project,
        table: &Table,
        name: &str,
        qi: &[&str],
        as_recorded: &[String],
    ) -> Self {
        let stated = project.attributes.iter().find(|attribute| attribute.name == name);
        let role = stated.map_or(Role::Insensitive, |attribute| attribute.role);
        let is_person = project.data.unit.as_deref() == Some(name);
        let standing = match (qi.iter().position(|qi| *qi == name), role) {
            (Some(position), _) => Standing::Negotiated(position),
            _ if is_person => Standing::Person,
            (None, Role::QuasiIdentifier) => Standing::NotNegotiated,
            (None, Role::Sensitive) => Standing::Sensitive,
            (None, Role::Identifier) => Standing::Identifier,
            (None, Role::Insensitive) => Standing::Other,
        };
        let as_recorded = as_recorded.iter().any(|named| named == name);
        let column = table.column(name);
        let is_readable = column.is_some_and(|column| table.is_readable(column));
        let (name, listed) = (name.to_owned(), stated.is_some());
        Self { name, role, listed, standing, as_recorded, is_readable }
    }

    /// Whether it is a quasi-identifier that is dropped.
    pub(crate) fn is_dropped_quasi_identifier(&self) -> bool {
        self.standing == Standing::NotNegotiated && !self.as_recorded && self.is_readable
    }

    /// Whether it is published unchanged unless its values single people out, or because it is
    /// named.
    pub(crate) fn is_free(&self) -> bool {
        match self.standing {
            Standing::Negotiated(_) | Standing::Sensitive => false,
            Standing::Other => true,
            Standing::NotNegotiated | Standing::Identifier | Standing::Person => self.as_recorded,
        }
    }
}
