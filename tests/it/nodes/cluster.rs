//! Starts three nodes with one PostgreSQL. Each node has its own data folder, and ports that stay the same when the node restarts.

use std::net::SocketAddr;
use std::path::Path;
use std::{fs, io};

use postduif_schema::DataFolder;
use serde_json::Value;
use tempfile::TempDir;

use super::PATH;
use super::balancer::Balancer;
use crate::addresses::village;
use crate::generation::publish;
use crate::ports::ReservedPort;
use crate::postgres::Server;
use crate::process::{
    Answer, Service, get_at, open_account_with, postduif, run_json, send, wait_until,
};
use crate::relay::Relay;
use crate::scratch;

/// Options of a plan with limits that no test reaches.
pub(super) const UNLIMITED_PLAN: [&str; 6] = [
    "--plan", "enterprise", "--calls-per-month", "1000000000", "--calls-per-second", "1000000",
];

/// A running cluster, stopped on drop.
pub(super) struct Cluster {
    pub(super) nodes: Vec<Node>,
    pub(super) database: Server,
    /// Data folder for the commands; the nodes do not use it.
    folder: TempDir,
}

/// One node, running or not.
pub(super) struct Node {
    folder: TempDir,
    /// Live, sandbox and admin.
    pub(super) addresses: [SocketAddr; 3],
    _ports: [ReservedPort; 3],
    settings: Vec<String>,
    service: Option<Service>,
}

impl Cluster {
    /// Starts three nodes with these settings; `None` if PostgreSQL is not installed.
    pub(super) fn start(settings: &[&str]) -> Option<Self> {
        let database = Server::start()?;
        let mut cluster = Self::without_nodes(database);
        let url = cluster.url();
        let urls = [url.as_str(); 3];
        cluster.add(urls, settings);
        Some(cluster)
    }

    /// Starts three nodes; `None` if PostgreSQL is not installed. The first `nodes` of them reach the database through a relay.
    pub(super) fn behind_a_relay(nodes: usize, settings: &[&str]) -> Option<(Self, Relay)> {
        let database = Server::start()?;
        let (address, url) = (database.address(), database.url("postgres"));
        let relay = Relay::start(address);
        let by_relay = url.replace(&address.to_string(), &relay.address().to_string());
        let mut cluster = Self::without_nodes(database);
        let way = |node| if node < nodes { &*by_relay } else { &*url };
        cluster.add([0, 1, 2].map(way), settings);
        Some((cluster, relay))
    }

    /// Opens an account and starts no node. The account is needed because a node is ready only if a live key exists.
    fn without_nodes(database: Server) -> Self {
        let folder = scratch::folder();
        let url = database.url("postgres");
        open_account_with(folder.path(), &["--plan", "free", "--database-url", &url]);
        Self {
            nodes: Vec::new(),
            database,
            folder,
        }
    }

    /// Starts a node for each of these database URLs.
    fn add(&mut self, urls: [&str; 3], settings: &[&str]) {
        let template = scratch::folder();
        publish(
            &DataFolder::new(template.path()),
            "2026-01-01-1",
            &village(),
        );
        let nodes = urls.map(|url| Node::new(template.path(), url, settings));
        self.nodes.extend(nodes);
        self.nodes.iter_mut().for_each(Node::begin);
        for node in &self.nodes {
            wait_until("the node is ready", || node.ready().status == 200);
        }
    }

    pub(super) fn url(&self) -> String {
        self.database.url("postgres")
    }

    /// Runs a command on the accounts and parses its JSON output.
    #[track_caller]
    pub(super) fn command(&self, arguments: &[&str]) -> Value {
        let on = ["--json", "--database-url", &self.url()];
        run_json(self.folder.path(), &[arguments, &on].concat())
    }

    /// Opens an account with these options, and waits until every node knows it.
    #[track_caller]
    pub(super) fn account(&self, options: &[&str]) -> Account {
        let email = format!("{}@example.org", uuid::Uuid::now_v7());
        let create = ["accounts", "create", "--email", &email];
        let message = self.command(&[&create[..], options].concat());
        let text = |name: &str| message[name].as_str().expect("a text").to_owned();
        let account = Account {
            id: message["account"]["id"].as_str().expect("an id").to_owned(),
            live: text("live_key"),
            test: text("test_key"),
        };
        // Poll with sandbox calls, which show whether a node knows the account and are not counted.
        let head = format!(
            "X-Api-Key: {}\r\nX-Forwarded-For: 127.0.0.2\r\n",
            account.test
        );
        let knows = |node: &Node| {
            let answer = send(node.addresses[1], "GET", "/v3/lookup/6545CA/29", &head, "");
            answer.status == 200
        };
        wait_until("every node knows the account", || {
            self.nodes.iter().all(knows)
        });
        account
    }

    /// Opens an account with limits that no test reaches.
    #[track_caller]
    pub(super) fn busy_account(&self) -> Account {
        self.account(&UNLIMITED_PLAN)
    }

    /// The live, sandbox and admin address of each node.
    pub(super) fn addresses(&self) -> Vec<[SocketAddr; 3]> {
        self.nodes.iter().map(|node| node.addresses).collect()
    }

    /// Opens accounts with these options until the balancer sends the calls of one to this node; returns that account.
    #[track_caller]
    pub(super) fn account_of(&self, balancer: &Balancer, node: usize, options: &[&str]) -> Account {
        for _ in 0..40 {
            let account = self.account(options);
            let owner = self.answering_node(|| {
                let answer = balancer.client().get(PATH, &account.live);
                assert_eq!(answer.map(|answer| answer.status), Ok(200));
            });
            if owner == node {
                return account;
            }
        }
        panic!("of forty accounts, the balancer sends none to node {node}");
    }

    /// The calls of an account in the accounts database.
    pub(super) fn calls(&self, account: &Account) -> i64 {
        let message = self.command(&["usage", "show", "--account", &account.id]);
        message["lines"].as_i64().expect("a number")
    }

    /// For each node, the number of look-ups that it has answered with 200.
    pub(super) fn count_served(&self) -> Vec<u64> {
        let of = |node: &Node| {
            node.metric(
                r#"postduif_requests_total{route="/v3/lookup/{postcode}/{number}",status="2xx"}"#,
            )
        };
        self.nodes.iter().map(of).collect()
    }

    /// The node that answered the calls that `make_calls` makes.
    #[track_caller]
    pub(super) fn answering_node(&self, make_calls: impl FnOnce()) -> usize {
        let before = self.count_served();
        make_calls();
        let after = self.count_served();
        let grew = |node: &usize| after[*node] > before[*node];
        let grown: Vec<usize> = (0..self.nodes.len()).filter(grew).collect();
        assert_eq!(
            grown.len(),
            1,
            "not exactly one node answered: {before:?} {after:?}"
        );
        grown[0]
    }
}

/// An account and its first keys.
pub(super) struct Account {
    pub(super) id: String,
    pub(super) live: String,
    pub(super) test: String,
}

impl Node {
    /// A node with a copy of a data folder, not started.
    fn new(data: &Path, url: &str, settings: &[&str]) -> Self {
        let folder = scratch::folder();
        copy_folder(data, folder.path()).expect("copies");
        let ports = [(); 3].map(|()| ReservedPort::new());
        let ours = ["--database-url", url, "--trusted-proxy", "127.0.0.1"];
        let settings = [&ours[..], settings].concat();
        Self {
            folder,
            addresses: [0, 1, 2].map(|listener: usize| ports[listener].address()),
            _ports: ports,
            settings: settings.into_iter().map(str::to_owned).collect(),
            service: None,
        }
    }

    /// Starts the node and waits until it is ready.
    pub(super) fn start(&mut self) {
        self.begin();
        wait_until("the node is ready", || self.ready().status == 200);
    }

    /// Starts the node and waits until it listens.
    fn begin(&mut self) {
        let mut command = postduif();
        command.arg("serve").arg("--data").arg(self.data());
        command.args(&self.settings);
        self.service = Some(Service::start_at(command, self.addresses));
    }

    /// Sends the first SIGTERM: during the stop delay the node answers, but is not ready.
    pub(super) fn begin_stop(&self) {
        self.service.as_ref().expect("it runs").terminate();
        wait_until("it is leaving", || self.ready().status == 503);
    }

    /// Sends the second SIGTERM, which ends the stop delay, and waits for the end of the process.
    pub(super) fn stop(&mut self) {
        let mut service = self.service.take().expect("it runs");
        service.terminate();
        assert_eq!(service.wait().code(), Some(0), "{}", service.log());
    }

    /// Kills the node without warning, as a power cut would.
    pub(super) fn kill(&mut self) {
        self.service.take().expect("it runs").kill();
    }

    /// Whether the node's last database check failed.
    pub(super) fn database_is_away(&self) -> bool {
        self.metric("postduif_accounts_database_unavailable ") == 1
    }

    fn data(&self) -> &Path {
        self.folder.path()
    }

    /// The node's answer to the readiness check of a balancer.
    pub(super) fn ready(&self) -> Answer {
        get_at(self.addresses[2], "/health/ready", None)
    }

    /// GET without a balancer.
    pub(super) fn get(&self, path: &str, key: &str) -> Answer {
        get_at(self.addresses[0], path, Some(key))
    }

    /// The value of a metric by its name and labels; 0 if it is absent.
    pub(super) fn metric(&self, series: &str) -> u64 {
        let page = get_at(self.addresses[2], "/metrics", None).body;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count is small and not negative"
        )]
        crate::process::metric(&page, series).map_or(0, |value| value as u64)
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
