//! Checks that the files in `docker/` agree with the program: paths of copied files, commands, settings, ports and times.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use postduif::config::SETTINGS;

use crate::process::postduif;
use crate::scratch;
use crate::tools::{optional_program, root};

const DOCKERFILE: &str = include_str!("../../../docker/Dockerfile");
pub(super) const COMPOSE: &str = include_str!("../../../docker/compose.yaml");
const COMPOSE_NODES: &str = include_str!("../../../docker/compose-nodes.yaml");
pub(super) const UNITS: [(&str, &str); 2] = [
    (
        "postduif.service",
        include_str!("../../../docker/postduif.service"),
    ),
    (
        "postduif-watch.service",
        include_str!("../../../docker/postduif-watch.service"),
    ),
];
const FETCH_UNITS: [(&str, &str); 2] = [
    (
        "postduif-fetch.service",
        include_str!("../../../docker/postduif-fetch.service"),
    ),
    (
        "postduif-fetch.timer",
        include_str!("../../../docker/postduif-fetch.timer"),
    ),
];
const COMPOSE_FETCH: &str = include_str!("../../../docker/compose-fetch.yaml");
const README: &str = include_str!("../../../docker/README.md");
const NGINX: &str = include_str!("../../../docker/nginx.conf");
const NGINX_PROXY: &str = include_str!("../../../docker/nginx-proxy.conf");

/// For each line that begins with `word`, the rest of the line.
pub(super) fn values_after<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let lines = text.lines().map(str::trim);
    lines
        .filter_map(|line| line.strip_prefix(word))
        .map(str::trim)
        .collect()
}

pub(super) fn list(json: &str) -> Vec<String> {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

pub(super) fn default(name: &str) -> &'static str {
    let setting = SETTINGS.iter().find(|setting| setting.name == name);
    setting.expect("a setting").default
}

pub(super) fn port(name: &str) -> &'static str {
    default(name).rsplit(':').next().expect("a port")
}

/// Checks that postduif accepts these arguments. The test adds `--help`, which postduif obeys only after it has parsed the
/// arguments.
#[track_caller]
pub(super) fn assert_accepted(words: &[String]) {
    let output = postduif()
        .args(words)
        .arg("--help")
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {message}");
}

#[test]
fn commands_of_the_examples_are_accepted() {
    let command = values_after(DOCKERFILE, "CMD ");
    assert_eq!(values_after(DOCKERFILE, "ENTRYPOINT "), [r#"["postduif"]"#]);
    command
        .iter()
        .for_each(|words| assert_accepted(&list(words)));
    let check = values_after(DOCKERFILE, "HEALTHCHECK ");
    let (_, check) = check[0].split_once("CMD ").expect("a command");
    assert_accepted(&list(check)[1..]);
    // The health check must pass for a service that runs but is not ready, so that it is not restarted.
    assert!(check.contains("--live"), "{check}");
    let (_, check) = COMPOSE
        .split_once("healthcheck: {test: ")
        .expect("the watcher's");
    let (check, _) = check.split_once('}').expect("its end");
    assert!(check.contains("--live"), "{check}");
    assert_accepted(&list(check)[2..]);
    let commands = values_after(COMPOSE, "command: ");
    let fetching = values_after(COMPOSE_FETCH, "command: ");
    assert_eq!((commands.len(), fetching.len()), (2, 1));
    assert!(fetching[0].contains("\"--fetch\""), "{fetching:?}");
    commands
        .iter()
        .chain(&fetching)
        .for_each(|words| assert_accepted(&list(words)));
    for (name, unit) in UNITS.iter().chain(&FETCH_UNITS[..1]) {
        let start = values_after(unit, "ExecStart=");
        let words: Vec<String> = start[0].split(' ').map(str::to_owned).collect();
        assert_eq!(words[0], "/usr/local/bin/postduif", "{name}");
        assert_accepted(&words[1..]);
    }
    let wrong = postduif()
        .args(["serve", "--datum", "x", "--help"])
        .output();
    assert_eq!(
        wrong.expect("it runs").status.code(),
        Some(64),
        "arguments are parsed before --help"
    );
}

/// Commands on the host need the settings file, because it names the folder of the accounts. A container already has these settings
/// in its environment.
#[test]
fn commands_of_the_readme_are_accepted() {
    let commands = ["postduif accounts ", "service accounts "].map(|start| {
        // Skip commands that begin with `target/release/`, because CI runs them.
        let is_run = |line: &str| line.starts_with("target/release/");
        let lines = README
            .lines()
            .filter(|line| !line.starts_with('`') && !is_run(line));
        let commands = lines.filter_map(|line| line.split_once(start));
        let words = commands.map(|(_, words)| words.replace("$(date +", "").replace(").db", ".db"));
        words.collect::<Vec<_>>()
    });
    assert_eq!(commands.each_ref().map(Vec::len), [3, 2], "{commands:?}");
    for words in commands.iter().flatten() {
        let words = ["accounts"].into_iter().chain(words.split(' '));
        assert_accepted(&words.map(str::to_owned).collect::<Vec<_>>());
    }
    let settings = " --config /etc/postduif/postduif.toml --data /var/lib/postduif ";
    assert!(commands[0].iter().all(|words| words.contains(settings)));
}

#[test]
fn the_image_has_its_sources_settings_and_ports() {
    for copied in values_after(DOCKERFILE, "COPY ")
        .iter()
        .filter(|copied| !copied.starts_with("--"))
    {
        let (sources, _) = copied.rsplit_once(' ').expect("a target");
        for source in sources.split(' ') {
            assert!(root().join(source).exists(), "{source}");
            let ignore = include_str!("../../../docker/Dockerfile.dockerignore");
            assert!(
                ignore.lines().any(|line| line == format!("!{source}")),
                "{source}"
            );
        }
    }
    for (folder, prefix) in [
        ("", "tests/"),
        ("schema", "../tests/"),
        ("indexer", "../tests/"),
        ("testdata/synth", "../../tests/"),
    ] {
        let path = root().join(folder).join("Cargo.toml");
        let manifest = fs::read_to_string(path).expect("reads");
        let targets = values_after(&manifest, &format!("path = \"{prefix}"));
        assert!(targets.len() > 3 || !folder.is_empty());
        let scripts = values_after(&manifest, &format!("build = \"{prefix}"));
        for target in targets.iter().chain(&scripts) {
            let path = format!("tests/{}", target.trim_end_matches('"'));
            assert!(
                DOCKERFILE.contains(&path),
                "the Dockerfile must name {path}"
            );
        }
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("reads");
    let example = values_after(&manifest, "path = \"docker/")[0].trim_end_matches('"');
    assert!(DOCKERFILE.contains(&format!("touch docker/{example}")));
    let variables = DOCKERFILE
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("POSTDUIF_"));
    let variables: Vec<&str> = variables
        .filter_map(|word| word.split('=').next())
        .collect();
    assert_eq!(variables.len(), 4);
    for variable in variables {
        let known = |setting: &postduif::config::Setting| setting.env_var().ends_with(variable);
        assert!(SETTINGS.iter().any(known), "{variable}");
    }
    let ports = ["listen", "sandbox_listen", "admin_listen"].map(port);
    assert_eq!(values_after(DOCKERFILE, "EXPOSE "), [ports.join(" ")]);
    for port in ports {
        assert!(DOCKERFILE.contains(&format!("0.0.0.0:{port}")));
        assert!(COMPOSE.contains(&format!("\"127.0.0.1:{port}:{port}\"")));
    }
    for port in ["listen", "sandbox_listen"].map(port) {
        assert_eq!(
            values_after(NGINX, &format!("server 127.0.0.1:{port};")).len(),
            1
        );
    }
}

#[test]
fn a_container_trusts_the_proxy_of_its_host() {
    let (_, gateway) = COMPOSE.split_once("gateway: ").expect("a fixed one");
    let (gateway, _) = gateway.split_once('}').expect("its end");
    let trusted = values_after(COMPOSE, "POSTDUIF_TRUSTED_PROXY: ");
    assert_eq!(trusted, [gateway]);
    let settings = values_after(COMPOSE, "POSTDUIF_CONFIG: ");
    let mounted = format!("./postduif.toml:{}:ro", settings[0]);
    assert!(COMPOSE.contains(&mounted), "{mounted}");
    let output = postduif()
        .args(["config", "check", "--settings-only"])
        .env("POSTDUIF_TRUSTED_PROXY", gateway)
        .env("POSTDUIF_CONFIG", root().join("docker/postduif.toml"))
        .output();
    let output = output.expect("it runs");
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && message.contains(gateway),
        "{message}"
    );
}

/// One service builds the image. Another service with the same image must neither build nor pull an image.
#[test]
fn the_image_is_built_once_and_never_pulled() {
    let services = COMPOSE.matches("<<: *postduif").count();
    let [built, never] =
        ["build: ", "pull_policy: never"].map(|word| values_after(COMPOSE, word).len());
    assert_eq!((services, built, never), (2, 1, 1));
}

#[test]
fn systemd_restarts_the_units_without_a_limit() {
    for (name, unit) in UNITS {
        let (about, rest) = unit.split_once("[Service]").expect("two parts");
        assert_eq!(
            values_after(about, "StartLimitIntervalSec="),
            ["0"],
            "{name}"
        );
        assert_eq!(values_after(rest, "Restart="), ["always"], "{name}");
    }
}

#[test]
fn timeouts_of_examples_and_service_are_consistent() {
    let number = |text: &str| -> u32 {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("a number")
    };
    let drain = number(default("drain_deadline_s"));
    assert!(number(values_after(COMPOSE, "stop_grace_period: ")[0]) > drain);
    // The stop timeout of the units must also exceed the stop delay of a node in a cluster.
    let delay = number(values_after(COMPOSE_NODES, "POSTDUIF_STOP_DELAY_S: \"")[0]);
    assert!(number(values_after(UNITS[0].1, "TimeoutStopSec=")[0]) > delay + drain);
    assert!(number(values_after(COMPOSE_NODES, "stop_grace_period: ")[0]) > delay + drain);
    let idle = values_after(NGINX, "keepalive_timeout ");
    assert_eq!(idle.len(), 2);
    assert!(
        idle.iter()
            .all(|idle| number(idle) < number(default("header_timeout_s")))
    );
    let waits = number(values_after(NGINX_PROXY, "proxy_read_timeout ")[0]);
    assert!(waits > number(default("request_timeout_s")));
}

#[test]
fn every_example_file_is_documented() {
    for file in root().join("docker").read_dir().expect("a folder") {
        let name = file
            .expect("an entry")
            .file_name()
            .into_string()
            .expect("UTF-8");
        let message = name == "README.md" || README.contains(&format!("`{name}`"));
        assert!(message, "{name}");
    }
}

/// Checks the units with `systemd-analyze` if it is installed.
#[test]
fn systemd_accepts_the_units() {
    let Some(analyze) = optional_program("systemd-analyze") else {
        return;
    };
    let folder = scratch::folder();
    let files: Vec<PathBuf> = UNITS
        .iter()
        .chain(&FETCH_UNITS)
        .map(|(name, unit)| {
            // Replace the path of the binary and the user with those of the test.
            let unit = unit.replace("/usr/local/bin/postduif", env!("CARGO_BIN_EXE_postduif"));
            let unit = unit
                .replace("User=postduif", "User=daemon")
                .replace("Group=postduif", "Group=daemon");
            let path = folder.path().join(name);
            fs::write(&path, unit).expect("writes");
            path
        })
        .collect();
    let output = Command::new(analyze)
        .arg("verify")
        .args(files)
        .output()
        .expect("it runs");
    let message = String::from_utf8_lossy(&output.stderr);
    let ours: Vec<&str> = message
        .lines()
        .filter(|line| line.contains("postduif"))
        .collect();
    assert!(output.status.success() && ours.is_empty(), "{message}");
}
