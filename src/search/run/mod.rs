//! Searches the places and addresses of a generation for every reading of the typed text, and ranks the hits.

mod address_scope;
mod evidence;
mod fill;
mod hit;
mod house_numbers;
mod leftover_unit;
mod longer_numbers;
mod named_addresses;
mod other_towns;
mod postcode_evidence;
mod postcodes;
mod rewritten_words;
mod search;
mod streets;
mod suggest;
mod suggestion_cache;
mod typos;

pub use named_addresses::{
    NamedAddressQuery, find_exactly_named_addresses, find_named_addresses, find_nearest_number,
    has_town,
};
pub use other_towns::find_in_other_towns;
pub use search::SearchIndex;
pub use suggest::suggest;
pub use suggestion_cache::SuggestionCache;
