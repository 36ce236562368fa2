//! Checks which generation is served: the first one, the next one, and none that is invalid.

use std::path::Path;

use postduif_schema::{Address, DataFolder};

use super::{PATH, village_folder};
use crate::addresses::{house, village};
use crate::generation::{publish, publish_damaged};
use crate::process::{Service, open_account, open_account_with, wait_until};
use crate::tools::skip_as_not_permitted;

fn street(name: &str) -> Vec<Address> {
    vec![Address {
        street: name.into(),
        ..house(29, ("", ""), 1)
    }]
}

#[test]
fn a_generation_published_while_serving_is_swapped_in_without_a_failed_request() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Eerst"));
    let service = Service::start(folder.path(), &[]);
    for (name, next) in [("2026-01-03-1", "Daarna"), ("2026-01-03-2", "Ten slotte")] {
        publish(&data, name, &street(next));
        wait_until("the next generation is served", || {
            let found = service.get("live", PATH, Some(&live));
            assert_eq!(found.status, 200, "{}", found.body);
            found.body.contains(next)
        });
    }
}

#[test]
fn a_damaged_generation_is_reported_and_the_old_one_stays_served() {
    let (folder, data, [live, _]) = village_folder();
    publish(&data, "2026-01-02-1", &street("Heel"));
    let service = Service::start(folder.path(), &[]);
    // The live listener starts only after the data folder has been checked.
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    publish_damaged(&data, "2026-01-03-1", &street("Stuk"));
    wait_until("the failure is reported", || {
        service
            .get("admin", "/health/ready", None)
            .body
            .contains("failed")
    });
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 200);
    assert!(
        ready.body.contains(r#""generation":"2026-01-03-1""#) && ready.body.contains("SHA-256"),
        "{}",
        ready.body
    );
    assert!(
        service
            .get("admin", "/version", None)
            .body
            .contains(r#""generation":"2026-01-02-1""#)
    );
    assert!(
        service
            .get("admin", "/metrics", None)
            .body
            .contains("postduif_generation_reload_failures_total 1\n")
    );
    assert!(service.get("live", PATH, Some(&live)).body.contains("Heel"));

    data.set_current("2026-01-02-1".parse().expect("a name"))
        .expect("rolls back");
    wait_until("the failure is no longer reported", || {
        !service
            .get("admin", "/health/ready", None)
            .body
            .contains("failed")
    });
    publish(&data, "2026-01-03-2", &street("Hersteld"));
    wait_until("the undamaged generation is served", || {
        service
            .get("live", PATH, Some(&live))
            .body
            .contains("Hersteld")
    });
}

#[test]
fn a_dangling_current_is_reported_and_the_old_generation_stays_served() {
    let (folder, data, [live, _]) = village_folder();
    let service = Service::start(folder.path(), &[]);
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
    std::fs::write(data.path().join("CURRENT"), "../../etc\n").expect("writes");
    wait_until("the failure is reported", || {
        service
            .get("admin", "/version", None)
            .body
            .contains("../../etc")
    });
    data.set_current("2026-01-09-1".parse().expect("a name"))
        .expect("writes");
    wait_until("the missing generation is reported", || {
        let ready = service.get("admin", "/health/ready", None).body;
        ready.contains(r#""generation":"2026-01-09-1""#) && ready.contains("manifest.json")
    });
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

#[test]
fn the_service_starts_without_a_generation_and_serves_the_first() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [live, test] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    let early = service.get("live", PATH, Some(&live));
    assert_eq!(early.status, 503);
    assert!(!early.head.contains("retry-after"), "{}", early.head);
    assert_eq!(service.get("admin", "/health/ready", None).status, 503);
    assert_eq!(service.get("admin", "/health/live", None).status, 200);
    assert_eq!(
        service
            .get("sandbox", "/v3/lookup/6545CA/29", Some(&test))
            .status,
        200
    );
    publish(&DataFolder::new(folder.path()), "2026-01-01-1", &village());
    wait_until("it is ready", || {
        service.get("admin", "/health/ready", None).status == 200
    });
    assert_eq!(service.get("live", PATH, Some(&live)).status, 200);
}

/// The service runs as a user that may write to no file. The test copies the binary to a place where that user can run it.
#[cfg(unix)]
#[test]
fn a_read_only_data_folder_is_served() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    const UNPRIVILEGED_USER: u32 = 65_534;

    let (folder, data, _) = village_folder();
    let own = tempfile::tempdir().expect("a temporary folder");
    let open = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
            .expect("the test may change it")
    };
    if folder.path().metadata().expect("a folder").uid() != 0 {
        skip_as_not_permitted("to become another user");
        return;
    }
    let binary = own.path().join("postduif");
    std::fs::copy(env!("CARGO_BIN_EXE_postduif"), &binary).expect("copies");
    // Tantivy's file lists are readable only by their owner, so make them readable for every user.
    let generation = data.generation_path("2026-01-01-1".parse().expect("a name"));
    for index in [postduif_schema::ADDRESSES_DIR, postduif_schema::PLACES_DIR] {
        std::fs::read_dir(generation.join(index))
            .expect("an index")
            .for_each(|file| open(&file.expect("a file").path(), 0o444));
    }
    open(folder.path(), 0o555);
    open(own.path(), 0o777);
    let mut command = std::process::Command::new(&binary);
    let database = format!("sqlite://{}/accounts.db?mode=rwc", own.path().display());
    command
        .arg("serve")
        .arg("--data")
        .arg(folder.path())
        .args(["--database-url", &database])
        .uid(UNPRIVILEGED_USER)
        .gid(UNPRIVILEGED_USER);
    open_account_with(
        folder.path(),
        &["--plan", "free", "--database-url", &database],
    );
    for file in std::fs::read_dir(own.path()).expect("a folder") {
        std::os::unix::fs::chown(file.expect("a file").path(), Some(UNPRIVILEGED_USER), None)
            .expect("the test may change it");
    }
    let service = Service::start_by(command);
    // The live listener starts only after the data folder has been checked.
    assert_eq!(service.get("live", PATH, None).status, 401);
    let ready = service.get("admin", "/health/ready", None);
    assert_eq!(ready.status, 200, "{} {}", ready.body, service.log());
    open(folder.path(), 0o755);
}
