//! Provides the mail server of the tests.

use serde_json::Value;

use crate::accounts::tests::watch::wait_until;

#[path = "../../../tests/suites/mail_sink.rs"]
mod mail_sink;

pub(super) use mail_sink::Sink;

impl Sink {
    /// Waits for at least this many messages, accepted or refused, and returns all messages. The server reports a message before it
    /// responds, but this process may read the report after the response.
    pub(super) async fn messages(&self, at_least: usize) -> Vec<Value> {
        let condition = format!("{at_least} messages arrive");
        wait_until(&condition, || self.count() >= at_least).await;
        self.all()
    }
}
