//! Holds the code that the service and the indexer of postduif share: the types of a Dutch address, the layout of the index, and the
//! data folder with its generations. This crate contains neither HTTP nor XML.
//!
//! The glossary in CONTRIBUTING.md explains the Dutch words of the BAG.

mod address;
mod address_document;
mod address_kind;
mod address_names;
mod area_names;
mod bag_id;
mod columns;
mod coord;
mod corrupt_document;
mod data_folder;
mod file_entry;
pub mod files;
mod fold;
mod generation_name;
mod house_number;
mod index;
mod index_diff;
mod layout;
mod lock;
mod lookup_directory;
mod manifest;
mod manifest_error;
mod name_column;
mod named_enum;
mod open_generation;
mod packed_values;
mod places;
mod postcode;
mod postcode_documents;
mod postcode_set;
mod progress;
mod purpose;
mod read_only_directory;
mod register_version;
mod segment;
mod segment_directory;
mod spelling_key;
mod street_documents;
mod street_key;
mod tantivy_error;
mod town_names;
mod verification_cache;

pub use address::{Address, AddressSummary, ListingKey, Location, PreferenceKey};
pub use address_document::to_document;
pub use address_kind::AddressKind;
pub use area_names::{is_area, is_province_code};
pub use bag_id::{
    AddressId, BadBagId, BagId, BagKind, GemeenteCode, LigplaatsKind, NummeraanduidingKind,
    OpenbareRuimteKind, PandKind, StandplaatsKind, VerblijfsobjectKind, WoonplaatsCode,
};
pub use coord::{LonLat, Rd};
pub use data_folder::{
    ADDRESSES_DIR, DataFolder, DataFolderError, PLACES_DIR, PULLING_DIR, REMOVING_PREFIX,
};
pub use file_entry::FileEntry;
pub use files::FileError;
pub use fold::{fold, is_invisible, squash, squashed, without_leading_zeros, word_suffixes};
pub use generation_name::{BadGenerationName, GenerationName};
pub use house_number::{
    BadHouseNumber, HouseLetter, HouseNumber, HouseNumberAddition, MAX_SUFFIX_CHARS,
};
pub use index::{
    AddressHandle, AddressIndex, AddressRef, IndexError, NumberRangeQuery, SortedAddresses,
};
pub use index_diff::{AddressDiff, IndexDiff};
pub use layout::{AddressFields, LAYOUT_VERSION, address_layout};
pub use lock::{DataFolderLock, LockError, LockOwner};
pub use lookup_directory::LookupDirectory;
pub use manifest::{Area, GenerationCounts, MANIFEST_FILE, Manifest};
pub use manifest_error::ManifestError;
pub use open_generation::{Generation, OpenGenerationError};
pub use places::{
    FuzzyMatcher, MaxEdits, NameId, PlaceIndex, PlaceWriter, PlacesBuilder, SearchBudget,
    ShortNameLookup, SimilarPlaces, SimilarStreet, SimilarText, SimilarTexts, SimilarTown,
    StoredPlaces, Street, StreetQuery, StreetRank, Town, TownHit, TownIndex, TownMatchKind,
    TownRank, TownSet,
};
pub use postcode::{BadPostcode, ImpossiblePostcode, Postcode};
pub use postcode_set::PostcodeSet;
pub use progress::{IndexProgress, IndexStep, NoProgress};
pub use purpose::{BadPurpose, Purpose, PurposeSet};
pub use register_version::RegisterVersion;
pub use segment::{Segment, SegmentId};
pub use spelling_key::spelling_key;
pub use street_key::StreetKey;
pub use tantivy_error::tantivy_error_message;
pub use town_names::alternative_town_names;
pub(crate) use town_names::villages_of_town;
pub use verification_cache::VerificationCache;
