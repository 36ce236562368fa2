//! Guards pooled connections, and closes connections that must not be used again.
//!
//! A connection returns to the pool only when its work is done. If a connection fails, all older connections may lead to the same failed
//! server, or to a server that is no longer the primary. The pool closes each older connection when it is next acquired.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Connection as _};

use super::error::AccountStoreError;

/// A connection that was used within this time is not pinged, because a ping costs as much as a query.
const SKIP_PING_WITHIN: Duration = Duration::from_secs(1);

/// A connection for work that may be cancelled. If the guard is dropped before it is [released](Self::release), the connection is closed,
/// because an answer that is still on its way would make the connection unusable.
pub(super) struct ConnectionGuard {
    connection: Option<PoolConnection<Any>>,
    stale_since: StaleSince,
}

/// When a connection last failed. Connections that were opened earlier are not used again.
#[derive(Clone, Debug, Default)]
pub(super) struct StaleSince(Arc<Mutex<Option<Instant>>>);

impl StaleSince {
    /// Makes the pool close stale connections. A server that is unavailable or no longer the primary then causes one failure, and not one
    /// failure for each connection.
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
            .expect("the guard has a connection until its release")
    }
}

impl DerefMut for ConnectionGuard {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
            .as_mut()
            .expect("the guard has a connection until its release")
    }
}

/// Runs work, and cancels it after `limit`.
pub(crate) async fn with_timeout<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, AccountStoreError>>,
) -> Result<T, AccountStoreError> {
    tokio::time::timeout(limit, work)
        .await
        .unwrap_or(Err(AccountStoreError::Timeout(limit)))
}
