//! The restrictions of a key, beyond its environment. Source: contract.md, Authentication, rules 3 and 4; decisions.md, Keys in
//! browsers.

use std::num::NonZeroU32;

use super::{Networks, Origins};

/// The restrictions of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// True if the key may only read.
    pub read_only: bool,
    /// The origins of web pages that may use it; empty for a key of a server.
    pub origins: Origins,
    /// The networks that the key may be used from; all networks if the list is empty.
    pub networks: Networks,
    /// Calls per minute that one client IP may make with the key.
    pub per_ip_per_minute: Option<NonZeroU32>,
}
