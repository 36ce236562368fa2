//! Tracks the open connections of a listener that closes idle connections when it is full. It closes the connection of the client that has
//! waited longest without sending a request, because that client is the least likely to send one. nginx closes idle connections for the
//! same reason (`worker_connections`).

use tokio::task::AbortHandle;

use super::WhenFull;
use super::deadlines::ConnectionDeadlines;

/// The open connections of a listener, with the tasks that serve them. Some of these tasks may have ended. Always empty if the listener
/// never closes idle connections.
pub(super) struct OpenConnections {
    when_full: WhenFull,
    connections: Vec<(ConnectionDeadlines, AbortHandle)>,
}

impl OpenConnections {
    pub(super) fn new(when_full: WhenFull) -> Self {
        Self {
            when_full,
            connections: Vec::new(),
        }
    }

    /// Adds a connection, and removes connections that have ended.
    pub(super) fn add(&mut self, connection: (ConnectionDeadlines, AbortHandle)) {
        if self.when_full == WhenFull::CloseIdle {
            self.connections.retain(|(_, task)| !task.is_finished());
            self.connections.push(connection);
        }
    }

    /// Closes the connection that has waited longest for a request. If all connections are being answered, closes the connection that has
    /// waited longest for its response. Returns true if it closed one.
    pub(super) fn close_longest_waiting(&mut self) -> bool {
        self.connections.retain(|(_, task)| !task.is_finished());
        let waits = self.connections.iter().enumerate();
        let longest = waits.min_by_key(|(_, (deadlines, _))| deadlines.current_wait());
        let Some((index, _)) = longest else {
            return false;
        };
        let (_, task) = self.connections.swap_remove(index);
        task.abort();
        true
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use tokio::task::JoinHandle;

    use super::*;
    use crate::http::server::deadlines::ConnectionTimeouts;

    const TIMEOUTS: ConnectionTimeouts = ConnectionTimeouts {
        head: Duration::MAX,
        response: Duration::MAX,
    };

    fn is_finished(task: &JoinHandle<()>) -> bool {
        task.is_finished()
    }

    #[tokio::test]
    async fn the_connection_that_waits_longest_for_a_request_is_closed_first() {
        let mut open = OpenConnections::new(WhenFull::CloseIdle);
        let mut connections = Vec::new();
        for _ in 0..3 {
            let (deadlines, task) = (ConnectionDeadlines::new(TIMEOUTS), tokio::spawn(pending()));
            open.add((deadlines.clone(), task.abort_handle()));
            connections.push((deadlines, task));
            // Waits are compared in whole milliseconds, so the waits must differ by more than one.
            tokio::time::sleep(Duration::from_millis(3)).await;
        }
        // The request of the first connection is being answered. The request of the second connection has just been answered.
        connections[0].0.begin_response_wait();
        connections[1].0.begin_head_wait();
        for expected in [[false, false, true], [false, true, true], [true; 3]] {
            assert!(open.close_longest_waiting());
            tokio::task::yield_now().await;
            let closed: Vec<bool> = connections
                .iter()
                .map(|(_, task)| is_finished(task))
                .collect();
            assert_eq!(closed, expected);
        }
        assert!(!open.close_longest_waiting(), "no connection is left");
    }

    #[tokio::test]
    async fn a_listener_whose_clients_wait_closes_no_connection() {
        let mut open = OpenConnections::new(WhenFull::Wait);
        let task = tokio::spawn(pending());
        open.add((ConnectionDeadlines::new(TIMEOUTS), task.abort_handle()));
        assert!(!open.close_longest_waiting());
        assert!(!is_finished(&task));
    }
}
