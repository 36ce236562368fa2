//! Checks that the files in `docker/` for several nodes agree: the Compose file, the balancers' configuration files, and the
//! default settings of the program.

use postduif::config::SETTINGS;

use super::packaging::{assert_accepted, default, list, port, values_after};

const COMPOSE: &str = include_str!("../../../docker/compose-nodes.yaml");
const HAPROXY: &str = include_str!("../../../docker/haproxy.cfg");
const NGINX: &str = include_str!("../../../docker/nginx-nodes.conf");

const NGINX_PROXY: &str = include_str!("../../../docker/nginx-proxy.conf");

/// Converts a time such as `500ms` or `2s` to milliseconds; ignores a `;` at the end.
fn ms(time: &str) -> u32 {
    let time = time.trim_end_matches(';');
    let (number, unit) = match time.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (time.trim_end_matches('s'), 1_000),
    };
    number.parse::<u32>().expect("a number") * unit
}

/// The word that follows the first occurrence of `word`.
#[track_caller]
fn word_after(text: &str, word: &str) -> String {
    let (_, rest) = text.split_once(word).unwrap_or_else(|| panic!("no {word}"));
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    rest[..end].to_owned()
}

#[test]
fn commands_and_settings_of_the_nodes_are_accepted() {
    let commands = values_after(COMPOSE, "command: ");
    assert_eq!(commands.len(), 2);
    for command in commands {
        // Fill in the variable that an operator sets in `.env`.
        assert_accepted(&list(
            &command.replace("${GENERATIONS:?}", "s3://bucket/postduif"),
        ));
    }
    let lines = COMPOSE.lines();
    let names = lines.filter_map(|line| line.trim().strip_prefix("POSTDUIF_"));
    let names: Vec<String> = names
        .filter_map(|line| Some(line.split_once(':')?.0.to_lowercase()))
        .collect();
    assert_eq!(names.len(), 4);
    for name in names {
        let known = SETTINGS.iter().any(|setting| setting.name == name);
        assert!(known, "{name}");
    }
}

#[test]
fn both_balancers_list_the_nodes_of_the_compose_file() {
    let services = COMPOSE.split_once("\nservices:").expect("services").1;
    let addresses: Vec<&str> = services
        .split("<<: *node")
        .skip(1)
        .map(|node| {
            let (_, address) = node.split_once("ipv4_address: ").expect("a fixed address");
            address.split_once('}').expect("its end").0
        })
        .collect();
    assert_eq!(addresses.len(), 3);
    for (listener, at_haproxy) in [("listen", "live"), ("sandbox_listen", "sandbox")] {
        let (port, admin) = (port(listener), port("admin_listen"));
        let nodes: Vec<String> = addresses
            .iter()
            .map(|address| format!("{address}:{port}"))
            .collect();
        let backend = HAPROXY
            .split_once(&format!("\nbackend {at_haproxy}\n"))
            .expect("it is there")
            .1;
        let lines = values_after(backend.split("\nbackend ").next().expect("one"), "server ");
        let message: Vec<String> = (1..)
            .zip(&nodes)
            .map(|(n, node)| format!("node{n} {node} check port {admin}"))
            .collect();
        assert_eq!(lines, message);
        let upstream = NGINX
            .split("\nupstream ")
            .find(|part| part.contains(&nodes[0]))
            .expect("one");
        let message: Vec<String> = nodes
            .iter()
            .map(|node| format!("{node} max_fails=2 fail_timeout=2s;"))
            .collect();
        assert_eq!(values_after(upstream, "server ")[..3], message);
    }
    let haproxy = services.split_once("\n  haproxy:").expect("it is there").1;
    let address = haproxy
        .split_once("ipv4_address: ")
        .expect("a fixed address")
        .1;
    let trusted = values_after(COMPOSE, "POSTDUIF_TRUSTED_PROXY: ");
    assert_eq!(trusted, [address.split_once('}').expect("its end").0]);
}

#[test]
fn timeouts_of_balancers_and_nodes_are_consistent() {
    let setting = |name: &str| ms(&format!("{}s", default(name)));
    let (header, request) = (setting("header_timeout_s"), setting("request_timeout_s"));
    assert!(ms(&word_after(HAPROXY, "timeout server ")) > request);
    // HAProxy closes half of its idle connections in each interval, so after 16 intervals even 2¹⁶ connections are closed.
    assert!(ms(&word_after(HAPROXY, "pool-purge-delay ")) * 16 < header);
    let [read, next] = ["read", "next_upstream"].map(|name| {
        ms(&word_after(
            NGINX_PROXY,
            &format!("\nproxy_{name}_timeout "),
        ))
    });
    assert!(next < request && request < read);
    let idle = values_after(NGINX, "keepalive_timeout ");
    assert!(idle.len() == 2 && idle.iter().all(|idle| ms(idle) < header));
    // The longest time until HAProxy considers a node down: one interval after a passed check, then the faster interval between two
    // failed checks.
    let out = ms(&word_after(HAPROXY, " inter ")) + ms(&word_after(HAPROXY, "fastinter "));
    assert_eq!(word_after(HAPROXY, "fall "), "2");
    let delay = word_after(COMPOSE, "POSTDUIF_STOP_DELAY_S: ");
    assert!(ms(&format!("{}s", delay.trim_matches('"'))) > 2 * out);
}

/// The first node builds the image; the other nodes must neither build nor pull an image.
#[test]
fn the_node_image_is_built_once_and_never_pulled() {
    let count = |word: &str| values_after(COMPOSE, word).len();
    assert_eq!((count("<<: *node"), count("build: ")), (3, 1));
    assert_eq!(values_after(COMPOSE, "pull_policy: "), ["never", "build"]);
}
