//! Accounts on a real process: exact quotas through kills, changes to a running service, and no key in anything that the process
//! leaves behind.

mod changes;
mod holders;
mod notices;
mod outages;
mod quotas;
mod secrets;

use std::net::TcpListener;

const PATH: &str = "/v3/lookup/1234AB/29";

/// The URL of a database server that closes every connection. A port without a listener would be detected only after ten seconds.
fn unreachable_database() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("a bound port");
    std::thread::spawn(move || listener.incoming().for_each(drop));
    crate::postgres::url(address, "accounts")
}
