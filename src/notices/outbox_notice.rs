//! Defines a claimed notice of either outbox, with its recipient and its message.

use jiff::Timestamp;

use super::{change_text, text};
use crate::accounts::{AccountId, AccountStore, AccountStoreError, ChangeNotice, Email, Notice};

/// A notice that this node has claimed.
#[derive(Debug)]
pub(super) enum OutboxNotice {
    /// A notice that most or all of a quota is used.
    Quota(Notice),
    /// A notice that the account was changed.
    Change(ChangeNotice),
}

impl OutboxNotice {
    /// Claims a notice that can be sent now.
    pub(super) async fn claim(
        store: &AccountStore,
        now: Timestamp,
    ) -> Result<Option<Self>, AccountStoreError> {
        // Claims notices of changes first, because there are few of them and their recipients wait for them.
        if let Some(notice) = store.claim_change_notice(now).await? {
            return Ok(Some(Self::Change(notice)));
        }
        Ok(store.claim_notice(now).await?.map(Self::Quota))
    }

    /// Records that the notice was sent.
    pub(super) async fn mark_sent(
        &self,
        store: &AccountStore,
        now: Timestamp,
    ) -> Result<(), AccountStoreError> {
        match self {
            Self::Quota(notice) => store.mark_notice_sent(notice.id, now).await,
            Self::Change(notice) => store.delete_change_notice(notice.id).await,
        }
    }

    /// Sets the time of the next attempt.
    pub(super) async fn postpone(
        &self,
        store: &AccountStore,
        until: Timestamp,
    ) -> Result<(), AccountStoreError> {
        match self {
            Self::Quota(notice) => store.postpone_notice(notice.id, until).await,
            Self::Change(notice) => store.postpone_change_notice(notice.id, until).await,
        }
    }

    pub(super) fn account_id(&self) -> AccountId {
        match self {
            Self::Quota(notice) => notice.id.account_id,
            Self::Change(notice) => notice.account_id,
        }
    }

    pub(super) fn attempts(&self) -> u32 {
        match self {
            Self::Quota(notice) => notice.attempts,
            Self::Change(notice) => notice.attempts,
        }
    }

    pub(super) fn created_at(&self) -> Timestamp {
        match self {
            Self::Quota(notice) => notice.created_at,
            Self::Change(notice) => notice.created_at,
        }
    }

    /// The notice is not sent at or after this time.
    pub(super) fn give_up_at(&self) -> Timestamp {
        match self {
            Self::Quota(notice) => notice.period_end,
            Self::Change(notice) => notice.give_up_at,
        }
    }

    pub(super) fn recipient(&self) -> &Email {
        match self {
            Self::Quota(notice) => &notice.account.email,
            Self::Change(notice) => &notice.recipient,
        }
    }

    pub(super) fn subject(&self) -> String {
        match self {
            Self::Quota(notice) => text::subject(notice),
            Self::Change(notice) => change_text::subject(notice),
        }
    }

    /// The `Message-ID`. It is the same for every attempt and on every node, and different for every notice.
    pub(super) fn message_id(&self, domain: &str) -> String {
        // A message id must be ASCII.
        let domain = if domain.is_ascii() {
            domain
        } else {
            "localhost"
        };
        match self {
            Self::Quota(notice) => text::message_id(notice.id, domain),
            Self::Change(notice) => change_text::message_id(notice, domain),
        }
    }

    pub(super) fn message_body(&self) -> String {
        match self {
            Self::Quota(notice) => text::message_body(notice),
            Self::Change(notice) => change_text::message_body(notice),
        }
    }
}
