//! What is said about a publication: a public report for its readers, and a private one for the file
//! of the data-protection officer.
//!
//! [`gather`] collects the numbers from the modules that compute them. The public form is made from the
//! published records and from what the curator stated, and from nothing else; the private form adds what
//! needs the table.

mod answers;
mod document;
mod front;
mod gather;
mod html;
mod in_private;
mod in_public;
mod markdown;
mod place;
mod private;
mod proof;
mod question;
mod sections;
mod subject;
mod types;
mod words;

pub use gather::gather;
pub use haggle_api::{ReportForm, ReportFormat};
pub use place::ReportFile;
pub use question::{QUESTIONS, report};
pub use subject::ReportAsk;
pub use types::{
    AttackCount, ChosenPoint, PrivatePart, Proof, PublicationDossier, PublishedValues,
    QuestionAnswered, RecordedMapping, ReportRisk, ReportedAssociation,
};
