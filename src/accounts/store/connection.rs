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

use super::location::Engine;
use super::{Ledger, LedgerError};

/// A connection that was used this lately need not be asked whether it still stands: that costs as much as a query.
const FRESH: Duration = Duration::from_secs(1);

/// A connection for work that may be given up. Dropped before it is [done](Self::done) it is closed: an answer that is still
/// outstanding would keep it from everybody who came next.
pub(super) struct Lent {
    connection: Option<PoolConnection<Any>>,
    suspicion: Suspicion,
}

/// When a connection failed last: those made before are not to be used.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspicion(Arc<Mutex<Option<Instant>>>);

impl Suspicion {
    /// A server that is away, or no longer the right one, costs its users one failure and not one for each connection.
    pub(super) fn watch_over(&self, options: AnyPoolOptions) -> AnyPoolOptions {
        let suspicion = self.clone();
        options
            .test_before_acquire(false)
            .before_acquire(move |connection, about| {
                let suspect = suspicion.covers(about.age);
                Box::pin(async move {
                    let fresh = about.idle_for < FRESH;
                    Ok(!suspect && (fresh || connection.ping().await.is_ok()))
                })
            })
    }

    fn raise(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether what is so old leads where a connection has failed since.
    fn covers(&self, age: Duration) -> bool {
        let raised = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.is_some_and(|raised| raised.elapsed() < age)
    }
}

impl Ledger {
    pub(super) async fn lend(&self) -> Result<Lent, LedgerError> {
        let acquired = self.pool.acquire().await;
        if let Err(sqlx::Error::PoolTimedOut) = acquired {
            self.suspicion.raise();
        }
        Ok(Lent {
            connection: Some(acquired?),
            suspicion: self.suspicion.clone(),
        })
    }
}

impl Lent {
    /// Puts the connection back after an answer, unless it says that this is not the server to ask.
    pub(super) fn after<T>(
        self,
        answer: Result<T, sqlx::Error>,
        engine: Engine,
    ) -> Result<T, LedgerError> {
        match &answer {
            Err(error) if engine.forsakes(error) => {}
            _ => self.done(),
        }
        Ok(answer?)
    }

    /// Puts the connection back.
    pub(super) fn done(mut self) {
        drop(self.connection.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
            self.suspicion.raise();
        }
    }
}

impl Deref for Lent {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.connection
            .as_ref()
            .expect("it is there until it is put back")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.connection
            .as_mut()
            .expect("it is there until it is put back")
    }
}
