//! A connection that goes back to the others only when its work is done.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection};

use super::{Ledger, LedgerError};

/// A connection for work that may be given up. Dropped before it is [done](Self::done) it is closed: an answer that is still
/// outstanding would keep it from everybody who came next.
pub(super) struct Lent(Option<PoolConnection<Any>>);

impl Ledger {
    pub(super) async fn lend(&self) -> Result<Lent, LedgerError> {
        Ok(Lent(Some(self.pool.acquire().await?)))
    }
}

impl Lent {
    /// Puts the connection back.
    pub(super) fn done(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.0 {
            connection.close_on_drop();
        }
    }
}

impl Deref for Lent {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        self.0.as_ref().expect("it is there until it is put back")
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        self.0.as_mut().expect("it is there until it is put back")
    }
}
