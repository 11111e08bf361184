//! What is said about a publication: a public report for its readers, and a private one for the file
//! of the data-protection officer.
//!
//! [`gather`] collects the numbers from the modules that compute them. The public form is made from
//! a list of what may be known, with rounded numbers; the private form adds everything else.

mod answers;
mod document;
mod front;
mod gather;
mod html;
mod markdown;
mod place;
mod private;
mod proof;
mod published;
mod types;
mod words;

pub use answers::ReportAsk;
pub use gather::gather;
pub use place::{ReportFile, ReportFormat};
pub use types::{
    AttackCount, ChosenPoint, PrivatePart, Proof, PublicationDossier, PublishedValues,
    QuestionAnswered, RecordedMapping, ReportForm, ReportFront, ReportMining, ReportPoint,
    ReportQueries, ReportRisk, ReportedAssociation, ReportedScore,
};
