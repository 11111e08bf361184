//! What is said about a publication: a public report for its readers, and a private one for the file
//! of the data-protection officer.
//!
//! [`gather`] collects the numbers from the modules that compute them. The public form is made from the
//! published records and from what the curator stated, and from nothing else; the private form adds what
//! needs the table. Answers are drawn here as well.

mod answers;
#[cfg(feature = "plot")]
mod canvas;
mod document;
#[cfg(feature = "plot")]
mod figure;
mod front;
mod gather;
mod html;
mod in_private;
mod in_public;
mod markdown;
#[cfg(feature = "plot")]
mod pictures;
mod place;
mod private;
mod proof;
mod question;
#[cfg(all(feature = "plot", feature = "research"))]
mod research;
mod sections;
mod subject;
mod types;
mod words;

#[cfg(feature = "plot")]
pub use figure::QUESTIONS as PICTURES;
pub use gather::gather;
pub use haggle_api::{ReportForm, ReportFormat};
pub use place::ReportFile;
pub use question::{QUESTIONS, report};
pub use subject::ReportAsk;
pub use types::{
    AttackCount, ChosenPoint, PrivatePart, Proof, PublicationDossier, PublishedValues,
    QuestionAnswered, RecordedMapping, ReportRisk, ReportedAssociation,
};

/// Answers as pictures.
#[cfg(feature = "plot")]
pub mod plot {
    pub use crate::canvas::{Canvas, PictureFormat};
    pub use crate::pictures::{
        picture_of_comparison, picture_of_front, picture_of_histogram, picture_of_lattice,
        picture_of_study, picture_of_two,
    };
    #[cfg(feature = "research")]
    pub use crate::research::picture_of_poka;
}
