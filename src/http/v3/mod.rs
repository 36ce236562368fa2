//! Implements v3, which is compatible with an existing postcode API, field for field. Responses have no envelope, and errors are
//! `problem+json`.

pub mod lookup;
