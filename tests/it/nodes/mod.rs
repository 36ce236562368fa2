//! Runs several real nodes with one PostgreSQL, directly and behind real balancers: accounts, rates and quotas stay correct while
//! nodes are restarted, killed and disconnected.

mod affinity;
mod answers;
mod balancer;
mod client;
mod cluster;
pub(crate) mod load;
mod offline_quota;
mod outages;
mod quotas;
mod rates;
mod restarts;
mod retries;
mod smuggling;

fn sleep(milliseconds: u64) {
    std::thread::sleep(std::time::Duration::from_millis(milliseconds));
}

/// The path of a look-up that finds an address.
const PATH: &str = "/v3/lookup/1234AB/29";
