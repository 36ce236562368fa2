//! Builds the image with `docker/package` and starts it with podman: checks its files, the demonstration, and the services of the
//! Compose file.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::Path;

use serde_json::{Value, json};

use super::containers::Engine;
use super::packaging::{COMPOSE, UNITS, list, values_after};
use crate::process::wait_until;
use crate::tools::root;

/// The user id of the image. The Compose file, the folders of the systemd units and docker/README.md must name the same id.
const USER: u32 = 10_001;

/// The restrictions of both services: the line in the Compose file and the equivalent options of podman. `--read-only-tmpfs=false`
/// keeps podman from adding writable folders.
const RIGHTS: [(&str, &[&str]); 5] = [
    (
        "read_only: true",
        &["--read-only", "--read-only-tmpfs=false"],
    ),
    ("cap_drop: [ALL]", &["--cap-drop", "all"]),
    (
        "security_opt: [\"no-new-privileges:true\"]",
        &["--security-opt", "no-new-privileges"],
    ),
    ("tmpfs: [/tmp]", &["--tmpfs", "/tmp"]),
    ("pids_limit: 512", &["--pids-limit", "512"]),
];

/// Returns the podman options of [`RIGHTS`]; checks that the Compose file contains each line of [`RIGHTS`].
fn rights() -> Vec<&'static str> {
    for (compose, _) in RIGHTS {
        assert_eq!(values_after(COMPOSE, compose), [""], "{compose}");
    }
    RIGHTS
        .iter()
        .flat_map(|(_, podman)| *podman)
        .copied()
        .collect()
}

/// The paths of all files below a folder, written as if the folder were the root.
fn files_below(folder: &Path) -> BTreeSet<String> {
    let (mut folders, mut found) = (vec![folder.to_owned()], BTreeSet::new());
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(folder).expect("below it");
                found.insert(format!("/{}", below.display()));
            }
        }
    }
    found
}

fn assert_files(engine: &Engine) {
    let image = engine.files();
    let mut files = files_below(&image);
    // Ignore the libraries, because their paths depend on the machine.
    files.retain(|file| !file.starts_with("/lib"));
    let expected = [
        "/etc/group",
        "/etc/nsswitch.conf",
        "/etc/passwd",
        "/etc/ssl/certs/ca-certificates.crt",
        "/usr/local/bin/postduif",
        "/usr/local/share/doc/postduif/LICENSE",
    ];
    assert_eq!(files, expected.map(str::to_owned).into());
    let owner = |path: &str| {
        let metadata = fs::metadata(image.join(path)).expect("it is there");
        (metadata.uid(), metadata.gid(), metadata.mode() & 0o7777)
    };
    for folder in ["data", "inbox"] {
        assert_eq!(owner(folder), (USER, USER, 0o750), "{folder}");
    }
    assert_eq!(owner("tmp"), (0, 0, 0o1777));
    assert_eq!(owner("usr/local/bin/postduif"), (0, 0, 0o755));
    let users = fs::read_to_string(image.join("etc/passwd")).expect("users");
    assert!(
        users.contains(&format!("postduif:x:{USER}:{USER}:")),
        "{users}"
    );
    for (name, unit) in UNITS {
        let start = values_after(unit, "ExecStart=");
        let (program, _) = start[0].split_once(' ').expect("arguments");
        assert!(files.contains(program), "{name}: {program}");
    }
}

fn assert_configuration(image: &Value) {
    let config = &image["Config"];
    assert_eq!(config["User"], format!("{USER}:{USER}"));
    assert_eq!(config["Entrypoint"], json!(["postduif"]));
    assert_eq!(config["Cmd"], json!(["serve"]));
    assert_eq!(config["StopSignal"], "SIGTERM");
    assert_eq!(config["Volumes"], json!({"/data": {}}));
    let ports = config["ExposedPorts"].as_object().expect("ports").keys();
    assert!(ports.eq(["8080/tcp", "8081/tcp", "9090/tcp"]));
    // The OCI image format has no health check, so the image has Docker's format.
    let check = &image["Healthcheck"]["Test"];
    assert_eq!(*check, json!(["CMD", "postduif", "healthcheck", "--live"]));
    assert_eq!(image["RootFS"]["Layers"].as_array().map(Vec::len), Some(1));
}

/// Checks user, capabilities and root file system of a container's process. Source: proc(5), `status` and `mountinfo`.
fn assert_confined(engine: &Engine, name: &str) {
    let process = engine.process(name);
    let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).expect("proc");
    let (status, mounts) = (read("status"), read("mountinfo"));
    let ids = format!("{USER}\t{USER}\t{USER}\t{USER}");
    assert_eq!(values_after(&status, "Uid:"), [&ids], "{status}");
    assert_eq!(values_after(&status, "Gid:"), [&ids], "{status}");
    assert_eq!(values_after(&status, "CapBnd:"), ["0000000000000000"]);
    assert_eq!(values_after(&status, "NoNewPrivs:"), ["1"]);
    let fields = mounts
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    let mut at_root = fields.filter(|fields| fields[4] == "/");
    let options = at_root.next().expect("a root")[5];
    assert!(options.split(',').any(|option| option == "ro"), "{options}");
}

#[test]
fn the_image_serves_the_demonstration_from_a_read_only_root() {
    let Some(engine) = Engine::new() else {
        return;
    };
    engine.build();
    assert_configuration(&engine.image());
    assert_files(&engine);

    engine.start("demo", &rights(), &["demo"]);
    wait_until("the demonstration is served", || {
        engine.log("demo").contains("Ctrl-C stops it")
    });
    assert_confined(&engine, "demo");
    let log = engine.log("demo");
    let mut requests = values_after(&log, "curl -H").into_iter();
    let look_up = requests.find(|line| line.contains(":8080/v3/lookup/"));
    let look_up = format!("curl --silent --fail -H {}", look_up.expect("a request"));
    wait_until("a look-up is answered", || {
        let answer = engine.in_network("demo", &look_up).stdout;
        serde_json::from_slice::<Value>(&answer).is_ok_and(|answer| answer["postcode"].is_string())
    });
    engine.wait_until_healthy("demo", None);
    engine.wait_until_healthy("demo", Some(&["postduif", "healthcheck"]));
    assert_eq!(engine.stop("demo"), "0", "{}", engine.log("demo"));
}

/// The lines of a service in the Compose file.
fn service(name: &str) -> &'static str {
    let (_, rest) = COMPOSE
        .split_once(&format!("\n  {name}:\n"))
        .expect("it is there");
    let end = rest.find("\n\n").expect("an empty line after it");
    &rest[..end]
}

/// Podman's options for one service of the Compose file. Paths in the Compose file are relative to its own folder; the inbox is
/// replaced.
fn options(engine: &Engine, service: &str) -> Vec<String> {
    let mut options: Vec<String> = rights().into_iter().map(str::to_owned).collect();
    for variable in values_after(service, "POSTDUIF_") {
        let (name, value) = variable.split_once(": ").expect("a value");
        options.extend(["--env".to_owned(), format!("POSTDUIF_{name}={value}")]);
    }
    let volumes = list(values_after(service, "volumes: ")[0]);
    for volume in volumes {
        let inbox = engine.folder().join("inbox").display().to_string();
        let volume = volume.replace("./inbox", &inbox);
        let docker = root().join("docker").display().to_string();
        options.extend([
            "--volume".to_owned(),
            volume.replace("./", &format!("{docker}/")),
        ]);
    }
    let memory = values_after(service, "mem_limit: ")[0].to_owned();
    options.extend(["--memory".to_owned(), memory]);
    options
}

fn start_service(engine: &Engine, name: &str) {
    let compose = service(name);
    let options = options(engine, compose);
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let command = list(values_after(compose, "command: ")[0]);
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    engine.start(name, &options, &command);
}

/// Checks that, in the container, a process listens on each port that the Compose file publishes.
fn assert_ports_answer(engine: &Engine, name: &str) {
    for published in list(values_after(service(name), "ports: ")[0]) {
        let port = published.rsplit(':').next().expect("a port");
        let request = format!("curl --silent --output /dev/null http://127.0.0.1:{port}/");
        let output = engine.in_network(name, &request);
        assert!(
            output.status.success(),
            "{name} {port}: {}",
            engine.log(name)
        );
    }
}

#[test]
fn services_of_compose_run_in_the_image() {
    let Some(engine) = Engine::new() else {
        return;
    };
    engine.build();
    start_look_up_of_a_host(&engine);
    let inbox = engine.folder().join("inbox");
    fs::create_dir(&inbox).expect("a new folder");
    chown(&inbox, Some(USER), Some(USER)).expect("root may");
    start_service(&engine, "service");
    start_service(&engine, "watcher");
    engine.wait_until_healthy("service", None);
    let check = values_after(service("watcher"), "healthcheck: {test: ")[0];
    let check = list(check.trim_end_matches('}'));
    let check: Vec<&str> = check[1..].iter().map(String::as_str).collect();
    engine.wait_until_healthy("watcher", Some(&check));
    for name in ["service", "watcher"] {
        assert_ports_answer(&engine, name);
        assert_confined(&engine, name);
    }
    let create = "postduif accounts create --email you@example.org --plan pro";
    let created = engine.exec("service", &create.split(' ').collect::<Vec<_>>());
    assert!(created.status.success(), "{created:?}");
    for name in ["watcher", "service"] {
        assert_eq!(engine.stop(name), "0", "{}", engine.log(name));
    }
    // `localhost` is resolved and refuses the connection, so the C library of the image can resolve names.
    wait_until("the command gives up on the bucket", || {
        engine.log("bucket").contains("no connection")
    });
    let log = engine.log("bucket");
    assert!(log.contains("refused"), "{log}");
}

/// Starts a container whose command connects to `localhost`, where nothing listens, and gives up after a few attempts.
fn start_look_up_of_a_host(engine: &Engine) {
    let mut options = rights();
    for variable in [
        "AWS_ENDPOINT_URL=http://localhost:1",
        "AWS_ALLOW_HTTP=true",
        "AWS_ACCESS_KEY_ID=none",
        "AWS_SECRET_ACCESS_KEY=none",
        "AWS_REGION=none",
    ] {
        options.extend(["--env", variable]);
    }
    let command = ["index", "publications", "--from", "s3://bucket"];
    engine.start("bucket", &options, &command);
}
