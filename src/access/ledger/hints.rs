//! Hints of changes: PostgreSQL tells whoever listens that the revision was raised, so the next poll need not wait for its turn.
//!
//! A hint is worth nothing by itself: the poll is the truth. A listener that hears nothing, because its connection is half open
//! or because a pooler swallows what it is told, costs a part of a second and harms nothing; that is why it logs nothing.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions as _, Executor as _};
use tokio::sync::Notify;
use tokio::time::{Instant, error::Elapsed, sleep, timeout};

use super::location::{Engine, POSTGRES_SETTINGS};
use super::{ACQUIRE_TIMEOUT, Change, Ledger, LedgerError};
use crate::access::metric;

/// Told in the transaction of each change, and so heard when that is committed and never before.
const TELL: &str = "NOTIFY postduif_revision";
const CHANNEL: &str = "postduif_revision";

/// How long nothing is heard before the connection is asked whether it still stands.
const QUIET: Duration = Duration::from_secs(60);

/// The pause before a lost connection is made again.
const PAUSE: Duration = Duration::from_secs(5);

impl Change {
    /// Tells all who listen, once the change is committed.
    pub(super) async fn tell(&mut self, engine: Engine) -> Result<(), LedgerError> {
        if engine == Engine::Postgres {
            sqlx::raw_sql(TELL).execute(self.connection()).await?;
        }
        Ok(())
    }
}

impl Ledger {
    /// Wakes the poll at every hint. Never ends; SQLite gives no hints.
    pub(in crate::access) async fn follow_hints(&self, poll: &Notify) {
        if self.engine == Engine::Sqlite {
            return std::future::pending().await;
        }
        loop {
            if let Err(error) = self.listen(poll).await {
                tracing::debug!(%error, "no hints of changed keys; the poll goes on");
            }
            sleep(PAUSE).await;
        }
    }

    /// Listens on a connection of its own until that is lost.
    async fn listen(&self, poll: &Notify) -> Result<(), LedgerError> {
        let options = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None);
        let url = &self.pool.connect_options().database_url;
        let road: PgConnectOptions = url.as_str().parse()?;
        let began = Instant::now();
        let no_answer = |_: Elapsed| LedgerError::NoAnswer(ACQUIRE_TIMEOUT);
        let connecting = async {
            let pool = options
                .connect_with(road.disable_statement_logging())
                .await?;
            let mut listener = PgListener::connect_with(&pool).await?;
            listener.eager_reconnect(false);
            listener.execute(POSTGRES_SETTINGS).await?;
            listener.listen(CHANNEL).await?;
            Ok::<_, LedgerError>(listener)
        };
        let mut listener = timeout(ACQUIRE_TIMEOUT, connecting)
            .await
            .map_err(no_answer)??;
        // What changed before was not heard.
        poll.notify_one();
        loop {
            match timeout(QUIET, listener.try_recv()).await {
                Ok(Ok(Some(_))) => {
                    metric::hinted();
                    poll.notify_one();
                }
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(error.into()),
                // The others have left this server, or the road to it.
                Err(_) if self.suspicion.covers(began.elapsed()) => return Ok(()),
                Err(_) => {
                    let asked = timeout(ACQUIRE_TIMEOUT, listener.execute("SELECT 1"));
                    asked.await.map_err(no_answer)??;
                }
            }
        }
    }
}
