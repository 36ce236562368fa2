//! The mail server of the tests, as these tests wait for it.

use serde_json::Value;

use crate::accounts::tests::watch::until;

#[path = "../../../tests/suites/mail_sink.rs"]
mod mail_sink;

pub(super) use mail_sink::Sink;

impl Sink {
    /// Everything that arrived, accepted or not: these many messages at least. The server says what arrived before it answers,
    /// but this process may read that later than the answer.
    pub(super) async fn messages(&self, at_least: usize) -> Vec<Value> {
        let what = format!("{at_least} messages arrive");
        until(&what, || self.count() >= at_least).await;
        self.all()
    }
}
