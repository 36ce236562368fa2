//! Counts the connections of one listener.

use std::sync::Arc;

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

const OPEN: &str = "postduif_connections_open";
const LIMIT: &str = "postduif_connections_limit";
const ACCEPTED: &str = "postduif_connections_accepted_total";
const CUT: &str = "postduif_connections_cut_total";
const ACCEPT_FAILURES: &str = "postduif_accept_failures_total";

/// The metrics of one listener. They are looked up once.
pub(super) struct ConnectionMetrics {
    open: Gauge,
    accepted: Counter,
    pub(super) accept_failures: Counter,
    /// Connections that were closed because the client was silent for too long, or because a response took too long.
    pub(super) timed_out: Counter,
    /// Connections that were closed when the listener was full, because they had waited longest for a request.
    pub(super) displaced: Counter,
    /// Connections that broke, or on which the client sent bytes that are not HTTP.
    pub(super) broken: Counter,
}

impl ConnectionMetrics {
    /// Registers the metrics of the listener with this name.
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
            displaced: cut("displaced"),
            broken: cut("broken"),
        })
    }

    /// Counts one connection as open until the guard is dropped.
    pub(super) fn open_connection(self: &Arc<Self>) -> OpenConnectionGuard {
        self.accepted.increment(1);
        self.open.increment(1.0);
        OpenConnectionGuard(self.clone())
    }
}

fn describe_metrics() {
    describe_gauge!(OPEN, "Open connections");
    describe_gauge!(
        LIMIT,
        "Connections that may be open at once. When all are open, a client of the live or sandbox listener waits in the system's queue; the admin listener closes an idle connection"
    );
    describe_counter!(ACCEPTED, "Accepted connections");
    describe_counter!(
        CUT,
        "Connections that were cut, by cause: silent or idle for too long (timeout), broken by the client (broken), or idle when the admin listener was full (displaced)"
    );
    describe_counter!(
        ACCEPT_FAILURES,
        "Failed attempts to accept a connection, for example for lack of file descriptors"
    );
}

/// Counts a connection as open until this guard is dropped.
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
