//! Guards of pooled connections, and connections that must not be used again.
//!
//! A connection returns to the pool only when its work is done. If a connection fails, all older ones may lead to the same
//! failed server, or to one that is no longer the primary: the pool closes each of them when it is next acquired.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Connection as _};

use super::error::AccountStoreError;
use super::location::DatabaseEngine;

/// A connection that was used this recently is not pinged: a ping costs as much as a query.
const SKIP_PING_WITHIN: Duration = Duration::from_secs(1);

/// A connection for work that may be cancelled. If it is dropped before it is [released](Self::release), it is closed, because an
/// answer that is still to come would make it unusable.
pub(super) struct ConnectionGuard {
    connection: Option<PoolConnection<Any>>,
    stale_since: StaleSince,
}

/// When a connection last failed: older connections are not used again.
#[derive(Clone, Debug, Default)]
pub(super) struct StaleSince(Arc<Mutex<Option<Instant>>>);

impl StaleSince {
    /// Makes the pool close stale connections. So an unavailable server, or one that is no longer the primary, causes one failure
    /// and not one for each connection.
    pub(super) fn configure_pool(&self, options: AnyPoolOptions) -> AnyPoolOptions {
        let stale_since = self.clone();
        options
            .test_before_acquire(false)
            .before_acquire(move |connection, meta| {
                let is_stale = stale_since.is_stale(meta.age);
                Box::pin(async move {
                    let is_fresh = meta.idle_for < SKIP_PING_WITHIN;
                    Ok(!is_stale && (is_fresh || connection.ping().await.is_ok()))
                })
            })
    }

    pub(super) fn mark_now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// True if a connection of this age was opened before the last failure.
    fn is_stale(&self, age: Duration) -> bool {
        let marked = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        marked.is_some_and(|marked| marked.elapsed() < age)
    }
}

impl ConnectionGuard {
    pub(super) fn new(connection: PoolConnection<Any>, stale_since: StaleSince) -> Self {
        Self {
            connection: Some(connection),
            stale_since,
        }
    }

    /// Returns the connection to the pool after an answer, unless the answer shows that the server is the wrong one.
    pub(super) fn release_after<T>(
        self,
        answer: Result<T, sqlx::Error>,
        engine: DatabaseEngine,
    ) -> Result<T, AccountStoreError> {
        match &answer {
            Err(error) if engine.invalidates_connection(error) => {}
            _ => self.release(),
        }
        Ok(answer?)
    }

    /// Returns the connection to the pool.
    pub(super) fn release(mut self) {
        drop(self.connection.take());
    }
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
            self.stale_since.mark_now();
        }
    }
}

impl Deref for ConnectionGuard {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.connection
            .as_ref()
            .expect("the guard has its connection until it is released")
    }
}

impl DerefMut for ConnectionGuard {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
            .as_mut()
            .expect("the guard has its connection until it is released")
    }
}
