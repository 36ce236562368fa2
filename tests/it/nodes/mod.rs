//! Several real nodes with one PostgreSQL, directly and behind real balancers: what stays true of accounts, rates and bundles
//! while nodes are rolled, killed and cut off.

mod affinity;
mod balancer;
mod bundles;
mod client;
mod cluster;
mod credit;
pub(crate) mod load;
mod outages;
mod rates;
mod retries;
mod rolls;
mod smuggling;
mod words;

fn sleep(milliseconds: u64) {
    std::thread::sleep(std::time::Duration::from_millis(milliseconds));
}

/// A look-up that is found.
const PATH: &str = "/v3/lookup/1234AB/29";
