//! The restrictions of a key other than its environment. Source: contract.md, section Authentication, rules 3 and 4; decisions.md, section
//! Keys in browsers.

use std::num::NonZeroU32;

use serde::Serialize;

use super::{Networks, Origins};

/// The restrictions of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restrictions {
    /// True if the key may only read.
    pub read_only: bool,
    /// The origins of web pages that may use the key; empty if the key is for servers.
    pub origins: Origins,
    /// The networks that the key may be used from; all networks if the list is empty.
    pub networks: Networks,
    /// Calls per minute that one client IP may make with the key.
    pub per_ip_per_minute: Option<NonZeroU32>,
}
