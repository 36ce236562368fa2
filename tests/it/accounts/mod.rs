//! Tests accounts on a real process. Quotas stay exact when the process is killed, a running service applies changes, and the
//! process leaves no key in files or output.

mod changes;
mod holders;
mod notices;
mod outages;
mod quotas;
mod secrets;

use std::net::TcpListener;

const PATH: &str = "/v3/lookup/1234AB/29";

/// Returns the URL of a database server that closes every connection, so that the service notices the failure at once. With a port
/// that nothing listens on, the service would try to connect for ten seconds.
fn unreachable_database() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    std::thread::spawn(move || listener.incoming().for_each(drop));
    crate::postgres::url(address, "accounts")
}
