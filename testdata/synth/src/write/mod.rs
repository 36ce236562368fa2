//! Writes deliveries: extracts, and the daily mutations after them.

mod deliveries;
mod extra_records;
mod extract;
mod extract_writer;
mod file_names;
mod mutation_writer;
mod progress;
mod whole_file;

#[cfg(test)]
pub(crate) use deliveries::first_delivery;
pub use deliveries::{
    DeliveriesSummary, expected_addresses_on, write_deliveries, write_extract_on,
};
#[cfg(test)]
pub(crate) use extract::write_extract_to;
pub use extract::{expected_addresses, write_extract};
pub use extract_writer::ExtractSummary;
pub use progress::SynthProgress;
pub use whole_file::SynthError;
