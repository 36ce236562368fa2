//! Defines a notice to an account holder, as it comes from an outbox.

use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::{AccountId, Email};

/// A notice that this node has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The account.
    pub account_id: AccountId,
    /// The e-mail address that the notice goes to.
    pub recipient: Email,
    /// The event that the notice is about. Together with the account it identifies the notice.
    pub topic: NoticeTopic,
    /// When the notice was created.
    pub created_at: Timestamp,
    /// The notice is not sent at or after this time. For a notice about the quota, this is the end of the billing period.
    pub give_up_at: Timestamp,
    /// How often the notice was claimed, including this claim.
    pub attempts: u32,
}

/// The event that a notice is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeTopic {
    /// Most or all of the quota is used.
    Quota(QuotaUse),
    /// The account was changed.
    Change {
        /// The id of the notice.
        id: Uuid,
        /// The change.
        change: AccountChange,
    },
}

/// How much of a quota is used. There is one notice for each account, billing period and percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaUse {
    /// The start of the billing period.
    pub period_start: Timestamp,
    /// The percentage of the quota that is used: 80 or 100.
    pub percent: u8,
    /// Calls per month when the notice was created.
    pub quota: u64,
    /// The number of calls above the quota that the account's current plan still allows.
    pub grace: u32,
}

/// A change that the holder of an account is notified of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountChange {
    /// A key has a replacement and will expire.
    KeyRotated {
        /// The old key, masked.
        old_key: String,
        /// The new key, masked.
        new_key: String,
        /// When the old key expires.
        expires_at: Timestamp,
    },
    /// The account has a new e-mail address.
    EmailChanged {
        /// The previous address.
        old_email: Email,
        /// The new address.
        new_email: Email,
    },
}
