//! Keeps the register, which is the state of the BAG as far as addresses need it, in one embedded transactional store (redb).
//!
//! The register has every object with the voorkomens that hold on the stand day or later, and the tables that are not in the BAG. It
//! also has the reverse links by which the addresses of a changed object are found: from a street to its nummeraanduidingen, from a
//! nummeraanduiding or pand to its objects, and from a woonplaats to its streets and to the nummeraanduidingen that name it as their own
//! town. A key is an id as a number. A value is a row in postcard, see [`row`].

mod commit;
mod copy_on_write_file;
mod digested_rows;
mod error;
mod head;
mod load;
mod object_types;
mod overlay;
mod pending;
mod read;
mod row;
mod store;
mod store_panic;
mod tables;
mod verify;

pub(crate) use commit::RegisterCommit;
pub use error::RegisterError;
pub(crate) use error::RegisterResult;
pub use head::RegisterHead;
pub(crate) use load::RegisterContents;
pub(crate) use object_types::RegisterObjectType;
pub use object_types::ReverseLink;
pub(crate) use overlay::{OverlayObject, PriorVersion, RegisterOverlay};
pub(crate) use pending::{PendingChanges, PendingGeneration};
pub use read::RegisterReader;
pub(crate) use row::RegisterKey;
pub use store::Register;
pub use verify::{RegisterSummary, verify_register};
