//! v3: compatible with an existing postcode API, field for field. Responses have no envelope, errors are `problem+json`.

pub mod lookup;
