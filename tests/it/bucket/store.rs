//! Checks what the other tests assume about the store: it keeps its port when it is killed and restarted.

use std::net::{SocketAddr, TcpStream};

use crate::store::Store;

fn is_answering(store: &Store) -> bool {
    let address = store.endpoint().replace("http://", "");
    let address: SocketAddr = address.parse().expect("an address");
    TcpStream::connect(address).is_ok()
}

#[test]
fn a_killed_store_restarts_at_the_same_port() {
    let Some(mut store) = Store::start() else {
        return;
    };
    assert!(is_answering(&store));
    let before = store.environment();
    store.kill();
    assert!(!is_answering(&store));
    store.restart();
    assert!(is_answering(&store));
    assert_eq!(store.environment(), before);
}
