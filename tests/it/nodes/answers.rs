//! Checks answers through a balancer: it passes the nodes' answers unchanged, and answers in the contract's format itself if no
//! node is available.

use uuid::Uuid;

use super::PATH;
use super::balancer::{Balancer, Kind, addresses, check_config, no_nodes};
use super::client::Client;
use super::cluster::Cluster;
use crate::process::Answer;

const V1: &str = r#"{"error":{"code":"service_unavailable","message":"no node answers at the moment, try again later"}}"#;
const V3: &str = r#"{"title":"Service unavailable"}"#;

#[track_caller]
fn assert_unavailable(answer: &Answer, body: &str, content_type: &str) {
    assert_eq!((answer.status, answer.body.as_str()), (503, body));
    assert_eq!(
        answer.header("content-type"),
        Some(content_type),
        "{}",
        answer.head
    );
    let ids: Vec<&str> = answer
        .head
        .lines()
        .filter_map(|line| line.strip_prefix("x-request-id: "))
        .collect();
    let id = ids
        .first()
        .and_then(|id| Uuid::parse_str(id).ok())
        .expect("a UUID");
    assert_eq!((ids.len(), id.get_version_num()), (1, 4));
}

#[test]
fn a_balancer_without_nodes_answers_in_the_format_of_the_api_version() {
    let ports = no_nodes();
    let balancers = Balancer::all(&addresses(&ports));
    balancers.iter().for_each(assert_all_unavailable);
    // nginx has now marked the nodes as down. The answers must stay the same.
    balancers
        .iter()
        .for_each(|balancer| balancer.wait_until_it_uses(&[]));
    balancers.iter().for_each(assert_all_unavailable);
}

fn assert_all_unavailable(balancer: &Balancer) {
    let key = "pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLMN2qXoQJ";
    let mut client = balancer.client();
    {
        for (path, body, content_type) in [
            (PATH, V3, "application/problem+json"),
            ("/v3", V3, "application/problem+json"),
            ("/api/v3/lookup/1234AB/29", V3, "application/problem+json"),
            ("/v1/addresses/0307200000377070", V1, "application/json"),
            ("/api/v1/postcodes/1234AB", V1, "application/json"),
            ("/v30?x=/v3/", V1, "application/json"),
        ] {
            let answer = client.get(path, key).expect("an answer");
            assert_unavailable(&answer, body, content_type);
        }
        let answer = client.post("/v1/validate", key, "{}").expect("an answer");
        assert_unavailable(&answer, V1, "application/json");
    }
}

#[test]
fn both_balancers_accept_their_configuration_without_a_warning() {
    for kind in [Kind::Haproxy, Kind::Nginx] {
        let Some((assert_unavailable, taken)) = check_config(kind) else {
            continue;
        };
        let warned = ["warn", "alert", "emerg"]
            .iter()
            .any(|word| assert_unavailable.to_lowercase().contains(word));
        assert!(taken && !warned, "{kind:?}: {assert_unavailable}");
    }
}

#[test]
fn balancers_pass_node_answers_unchanged() {
    let Some(cluster) = Cluster::start(&[]) else {
        return;
    };
    for balancer in Balancer::all(&cluster.addresses()) {
        assert_unchanged(&cluster, &balancer);
    }
}

#[track_caller]
fn assert_unchanged(cluster: &Cluster, balancer: &Balancer) {
    let account = cluster.account(&["--plan", "pro", "--ip", "127.0.0.2"]);
    let mut allowed = Client::from([127, 0, 0, 2].into(), balancer.address);
    let found = allowed.get(PATH, &account.live).expect("an answer");
    assert_eq!(found.status, 200, "{}", found.body);
    let id = found.header("x-request-id").map(Uuid::parse_str);
    assert!(
        id.is_some_and(|id| id.is_ok_and(|id| id.get_version_num() == 7)),
        "{}",
        found.head
    );
    assert_eq!(found.header("cache-control"), Some("public, max-age=86400"));
    let key = format!("X-Api-Key: {}\r\n", account.live);
    for lie in [
        "X-Forwarded-For: 127.0.0.2",
        "Forwarded: for=127.0.0.2",
        "X-Forwarded-For: 127.0.0.2\r\nX-Forwarded-For: 127.0.0.2",
    ] {
        let head = format!("{key}{lie}\r\n");
        let answer = balancer
            .client()
            .send("GET", PATH, &head, "")
            .expect("an answer");
        assert_eq!(answer.status, 401, "{lie}");
    }
    let large = " ".repeat((1 << 20) + 1);
    let answer = allowed
        .post("/v1/bulk/lookup", &account.live, &large)
        .expect("an answer");
    assert!(
        answer.status == 413 && answer.body.contains("payload_too_large"),
        "{}",
        answer.body
    );
    let body = r#"{"addresses":[{"postcode":"1234AB","number":29}]}"#;
    let body = format!("{body}{}", " ".repeat((1 << 20) - body.len()));
    let answer = allowed
        .post("/v1/bulk/lookup", &account.live, &body)
        .expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
    let nowhere = allowed
        .get("/v1/nowhere", &account.live)
        .expect("an answer");
    assert!(
        nowhere.status == 404 && nowhere.body.contains("not_found"),
        "{}",
        nowhere.body
    );
    let mut sandbox = balancer.client();
    sandbox.host = "sandbox.example.org";
    let answer = sandbox
        .get("/v3/lookup/6545CA/29", postduif::accounts::TRIAL_KEY)
        .expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(
        sandbox.get(PATH, &account.live).expect("an answer").status,
        401
    );
}
