//! What a key is bound to, beyond its environment. Source: contract.md, Authentication, rules 3 and 4; decisions.md, Keys in
//! browsers.

use std::num::NonZeroU32;

use super::{Networks, Origins};

/// What a key is bound to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    /// Whether it may only read.
    pub read_only: bool,
    /// The web pages that may use it; none for a key of a server.
    pub origins: Origins,
    /// The networks that it may be used from; everywhere when there are none.
    pub networks: Networks,
    /// Calls per minute that one address may make with it.
    pub per_ip_per_minute: Option<NonZeroU32>,
}
