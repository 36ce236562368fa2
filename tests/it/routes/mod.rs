//! Tests the HTTP paths: one file for each path, and further files for behaviour that paths share.

mod conditional;
mod errors;
mod files;
mod posts;
mod response_options;
mod sandbox;
mod v1_addresses;
mod v1_autocomplete;
mod v1_bulk;
mod v1_postcodes;
mod v1_reverse;
mod v1_validate;
mod v1_validate_suffixes;
mod v3_lookup;
