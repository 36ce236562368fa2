//! Connections that are lent for a piece of work, and which of them nobody should get any more.
//!
//! A connection goes back to the others only when its work is done. Where one fails, those that are older are suspected of
//! leading to the same place, such as a server that is no longer the primary, or none: each is closed when its turn comes.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::any::AnyPoolOptions;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, Connection as _};

use super::location::DatabaseEngine;
use super::{AccountStore, AccountStoreError};

/// A connection that was used this lately need not be asked whether it still stands: that costs as much as a query.
const SKIP_PING_WITHIN: Duration = Duration::from_secs(1);

/// A connection for work that may be given up. Dropped before it is [done](Self::done) it is closed: an answer that is still
/// outstanding would keep it from everybody who came next.
pub(super) struct ConnectionGuard {
    connection: Option<PoolConnection<Any>>,
    stale_since: StaleSince,
}

/// When a connection failed last: those made before are not to be used.
#[derive(Clone, Debug, Default)]
pub(super) struct StaleSince(Arc<Mutex<Option<Instant>>>);

impl StaleSince {
    /// A server that is away, or no longer the right one, costs its users one failure and not one for each connection.
    pub(super) fn configure_pool(&self, options: AnyPoolOptions) -> AnyPoolOptions {
        let suspicion = self.clone();
        options
            .test_before_acquire(false)
            .before_acquire(move |connection, about| {
                let suspect = suspicion.is_stale(about.age);
                Box::pin(async move {
                    let fresh = about.idle_for < SKIP_PING_WITHIN;
                    Ok(!suspect && (fresh || connection.ping().await.is_ok()))
                })
            })
    }

    fn mark_now(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether what is so old leads where a connection has failed since.
    fn is_stale(&self, age: Duration) -> bool {
        let raised = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.is_some_and(|raised| raised.elapsed() < age)
    }
}

impl AccountStore {
    pub(super) async fn acquire(&self) -> Result<ConnectionGuard, AccountStoreError> {
        let acquired = self.pool.acquire().await;
        if let Err(sqlx::Error::PoolTimedOut) = acquired {
            self.stale_since.mark_now();
        }
        Ok(ConnectionGuard {
            connection: Some(acquired?),
            stale_since: self.stale_since.clone(),
        })
    }
}

impl ConnectionGuard {
    /// Puts the connection back after an answer, unless it says that this is not the server to ask.
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

    /// Puts the connection back.
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
            .expect("it is there until it is put back")
    }
}

impl DerefMut for ConnectionGuard {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
            .as_mut()
            .expect("it is there until it is put back")
    }
}
