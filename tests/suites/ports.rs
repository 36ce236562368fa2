//! Reserves ports for servers that start, stop and restart in a test.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::TcpSocket;

/// A loopback port that the kernel assigns to no other socket until this value is dropped.
///
/// A socket is bound to the port but does not listen. A server that sets `SO_REUSEADDR`, as servers do, can listen on the port each
/// time it starts. While no server runs, connections are refused. Source: Linux, socket(7).
pub(crate) struct ReservedPort {
    socket: TcpSocket,
}

impl ReservedPort {
    pub(crate) fn new() -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_reuseaddr(true).expect("a socket");
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        socket.bind(any).expect("a free port");
        Self { socket }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.socket.local_addr().expect("the socket is bound")
    }
}
