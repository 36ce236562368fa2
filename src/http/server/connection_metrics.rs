//! The figures of one listener's connections.

use std::sync::Arc;

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

const OPEN: &str = "postduif_connections_open";
const LIMIT: &str = "postduif_connections_limit";
const ACCEPTED: &str = "postduif_connections_accepted_total";
const CUT: &str = "postduif_connections_cut_total";
const ACCEPT_FAILURES: &str = "postduif_accept_failures_total";

/// What one listener shows, looked up once.
pub(super) struct ConnectionMetrics {
    open: Gauge,
    accepted: Counter,
    pub(super) accept_failures: Counter,
    /// The other end was silent for too long, or an answer took too long.
    pub(super) timed_out: Counter,
    /// The connection broke, or what came over it is no HTTP.
    pub(super) broken: Counter,
}

impl ConnectionMetrics {
    /// The figures of the listener with this name, shown from now on.
    pub(super) fn new(listener: &'static str, limit: usize) -> Arc<Self> {
        describe_metrics();
        let limit = u32::try_from(limit).unwrap_or(u32::MAX);
        gauge!(LIMIT, "listener" => listener).set(f64::from(limit));
        let cut = |cause| counter!(CUT, "listener" => listener, "cause" => cause);
        let open = gauge!(OPEN, "listener" => listener);
        open.set(0.0);
        Arc::new(Self {
            open,
            accepted: counter!(ACCEPTED, "listener" => listener),
            accept_failures: counter!(ACCEPT_FAILURES, "listener" => listener),
            timed_out: cut("timeout"),
            broken: cut("broken"),
        })
    }

    /// Counts one connection for as long as the answer is held.
    pub(super) fn open_connection(self: &Arc<Self>) -> OpenConnectionGuard {
        self.accepted.increment(1);
        self.open.increment(1.0);
        OpenConnectionGuard(self.clone())
    }
}

fn describe_metrics() {
    describe_gauge!(OPEN, "Connections that are open");
    describe_gauge!(
        LIMIT,
        "Connections that may be open; further ones wait in the system's queue"
    );
    describe_counter!(ACCEPTED, "Connections that were accepted");
    describe_counter!(
        CUT,
        "Connections that did not end in order, by cause: silent for too long, idle ones included (timeout), or broken by the other end (broken)"
    );
    describe_counter!(
        ACCEPT_FAILURES,
        "Times that the system had no connection to give, such as for want of descriptors"
    );
}

/// A connection that is open.
pub(super) struct OpenConnectionGuard(Arc<ConnectionMetrics>);

impl Drop for OpenConnectionGuard {
    fn drop(&mut self) {
        self.0.open.decrement(1.0);
    }
}

impl std::ops::Deref for OpenConnectionGuard {
    type Target = ConnectionMetrics;

    fn deref(&self) -> &ConnectionMetrics {
        &self.0
    }
}
