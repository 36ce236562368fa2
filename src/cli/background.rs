//! What works behind the requests of a service: usage on its way to the ledger and the disk, and notices to account holders.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::access::{Clock, Ledger};
use crate::config::Config;
use crate::notices::{self, Mailer};
use crate::usage;

/// Where the request log lies in the data folder.
const REQUESTS: &str = "requests";

/// How long a message to a mail server may still take once the last request is answered.
const NOTICES_PATIENCE: Duration = Duration::from_secs(5);

/// The tasks behind the requests.
pub(super) struct Background {
    usage_stop: CancellationToken,
    usage_task: JoinHandle<()>,
    notices_task: JoinHandle<()>,
}

impl Background {
    /// Starts them. Sending notices ends by itself when the process begins to stop; counting goes on until
    /// [`finish`](Self::finish).
    pub(super) fn start(
        counting: usage::Background,
        config: &Config,
        ledger: &Ledger,
        clock: &Clock,
        stopping: &CancellationToken,
    ) -> Self {
        let usage_stop = CancellationToken::new();
        let counting = counting.run(
            ledger.clone(),
            config.data.path().join(REQUESTS),
            clock.clone(),
            usage_stop.clone(),
        );
        let mailer = config.smtp_url.clone().zip(config.mail_from.clone());
        let mailer = mailer.map(|(server, from)| Mailer::new(server, from));
        let sending = notices::run(ledger.clone(), mailer, clock.clone(), stopping.clone());
        Self {
            usage_stop,
            usage_task: tokio::spawn(counting),
            notices_task: tokio::spawn(sending),
        }
    }

    /// Puts away what is left when the last request is answered. Takes some seconds at most.
    pub(super) async fn finish(self) {
        self.usage_stop.cancel();
        if let Err(error) = self.usage_task.await {
            tracing::error!(%error, "counting usage ended early");
        }
        let sending = self.notices_task.abort_handle();
        if timeout(NOTICES_PATIENCE, self.notices_task).await.is_err() {
            sending.abort();
            tracing::warn!("a notice under way is cut; it is sent again unless it has arrived");
        }
    }
}
