//! Sends ambiguous requests through real balancers. Each client must get the answers to its own requests, although all clients
//! share the balancer's connections to the node. No client may forge its IP.

use std::collections::HashSet;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use super::PATH;
use super::balancer::Balancer;
use super::client::Client;
use crate::process::{Answer, Service, WAIT_TIMEOUT, open_account, open_account_with, wait_until};
use crate::wire::{send_raw, table};

/// The number of clients that send valid requests continuously.
const OTHERS: usize = 2;

/// One node. Each balancer lists it three times.
struct Node {
    folder: TempDir,
    service: Service,
}

impl Node {
    fn start() -> Self {
        let folder = crate::data_dir::village_folder();
        open_account(folder.path());
        let settings = ["--trusted-proxy", "127.0.0.1", "--request-timeout-s", "5"];
        let service = Service::start(folder.path(), &settings);
        // Start the balancer later: it considers a node down if the node's first health checks fail.
        wait_until("the node is ready", || {
            service.get("admin", "/health/ready", None).status == 200
        });
        Self { folder, service }
    }

    fn balancers(&self) -> Vec<Balancer> {
        let addresses = ["live", "sandbox", "admin"].map(|name| self.service.address(name));
        Balancer::all(&[addresses; 3])
    }

    /// The number of requests that the node has answered.
    fn answered(&self) -> u64 {
        let page = self.service.get("admin", "/metrics", None).body;
        let counts = page
            .lines()
            .filter(|line| line.starts_with("postduif_requests_total{"));
        let counts = counts.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        counts.sum()
    }
}

/// The request id that the node gave to an answer; `None` if the balancer answered itself.
fn id(answer: &Answer) -> Option<String> {
    let id = answer.header("x-request-id")?;
    let known: uuid::Uuid = id.parse().expect("a UUID");
    (known.get_version_num() == 7).then(|| id.to_owned())
}

/// Sends requests with a short pause between them, each with a unique query, until `stop` is set; returns the request ids of the answers.
fn ask_on(mut client: Client, key: &str, caller: usize, stop: &AtomicBool) -> Vec<String> {
    let mut ids = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let asked = format!("mine{caller}x{}", ids.len());
        let path = format!("{}{asked}", table::ECHO);
        let answer = client.get(&path, key).expect("an answer");
        let own = format!(r#""query":"{asked}""#);
        assert_eq!(answer.status, 200, "{asked}: {}", answer.body);
        assert!(answer.body.contains(&own), "{asked} got {}", answer.body);
        ids.extend(id(&answer));
        // The clients with ambiguous requests need processor time too.
        thread::sleep(Duration::from_millis(2));
    }
    ids
}

#[test]
fn no_request_is_smuggled_through_a_balancer() {
    let node = Node::start();
    let [live, _] = open_account(node.folder.path());
    let known = || node.service.get("live", PATH, Some(&live)).status == 200;
    wait_until("the key is known", known);
    let cases = table::cases(&live);
    for balancer in node.balancers() {
        let (before, stop) = (node.answered(), AtomicBool::new(false));
        let mut ids = thread::scope(|scope| {
            let others: Vec<_> = (0..OTHERS)
                .map(|caller| {
                    let (client, stop, live) = (balancer.client(), &stop, &live);
                    scope.spawn(move || ask_on(client, live, caller, stop))
                })
                .collect();
            let senders = cases.chunks(cases.len().div_ceil(8)).map(|cases| {
                let to = balancer.address;
                scope.spawn(move || {
                    let mut ids = Vec::new();
                    for (sent, _) in cases {
                        let raw = send_raw(to, sent.as_bytes(), WAIT_TIMEOUT);
                        for answer in &raw.answers {
                            assert!(!answer.body.contains("mine"), "{sent:?}: {answer:?}");
                        }
                        ids.extend(raw.answers.iter().filter_map(id));
                        // An answer without a head has no request id. Count it with a made-up one.
                        ids.extend(raw.headless.then(|| format!("for {sent:?}")));
                    }
                    ids
                })
            });
            let senders: Vec<_> = senders.collect();
            let raw = senders.into_iter().map(thread::ScopedJoinHandle::join);
            let raw: Vec<_> = raw.collect();
            stop.store(true, Ordering::Relaxed);
            let others = others.into_iter().map(thread::ScopedJoinHandle::join);
            let all = raw.into_iter().chain(others);
            all.flat_map(|ids| ids.expect("no panic"))
                .collect::<Vec<_>>()
        });
        let total = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), total, "every answer has its own id");
        let counted = node.answered() - before;
        assert_eq!(
            counted,
            u64::try_from(total).expect("64 bits"),
            "{:?}: the node answered other requests than those that the clients sent",
            balancer.kind
        );
        let distinct: HashSet<_> = ids.into_iter().collect();
        assert!(distinct.len() > cases.len() / 2, "{}", distinct.len());
    }
}

#[test]
fn a_client_cannot_forge_its_ip_through_a_balancer() {
    let node = Node::start();
    let [bound, _] = open_account_with(node.folder.path(), &["--plan", "pro", "--ip", "127.0.0.2"]);
    let [own, other] = [2, 3].map(|host| Ipv4Addr::new(127, 0, 0, host));
    for balancer in node.balancers() {
        let status = |from: Ipv4Addr, lies: &str| {
            let head = format!("X-Api-Key: {bound}\r\n{lies}");
            let answer = Client::from(from, balancer.address).send("GET", PATH, &head, "");
            answer.expect("an answer").status
        };
        wait_until("the key is known", || status(own, "") == 200);
        for lie in [
            "X-Forwarded-For: {}",
            "X-Forwarded-For: {}, 127.0.0.1",
            "X-Forwarded-For: {}\r\nX-Forwarded-For: {}",
            "x-forwarded-for: {}:80",
            "X-Forwarded-For : {}",
            "X_Forwarded_For: {}",
            "Forwarded: for={}",
            "Forwarded: for={}\r\nForwarded: for=127.0.0.1",
            "Forwarded: for={}\r\nX-Forwarded-For: {}",
            "X-Real-IP: {}",
            "Connection: X-Forwarded-For\r\nForwarded: for={}",
            "X-Forwarded-For: ::ffff:{}",
            "Via: {}\r\nTrue-Client-IP: {}\r\nCF-Connecting-IP: {}",
        ] {
            let distinct = |address: Ipv4Addr| lie.replace("{}", &address.to_string()) + "\r\n";
            assert_ne!(
                status(other, &distinct(own)),
                200,
                "{:?}: {lie}",
                balancer.kind
            );
            // The forged header does not replace the real IP either. A header with a space before the colon is invalid HTTP, so that
            // request may be refused.
            if !lie.contains(" :") {
                assert_eq!(
                    status(own, &distinct(other)),
                    200,
                    "{:?}: {lie}",
                    balancer.kind
                );
            }
        }
    }
}
