//! v3: response-compatible, field for field, with an existing postcode API. Bare objects, problem+json errors.

pub mod lookup;
