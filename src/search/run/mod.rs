//! Type-ahead: searches the places and addresses of a generation for every reading of the typed text, and ranks the hits.

mod evidence;
mod fill;
mod hit;
mod house_numbers;
mod postcodes;
mod search;
mod streets;
mod suggest;
mod typos;

pub use search::SearchIndex;
pub use suggest::suggest;
