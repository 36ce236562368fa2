//! No key in anything that the service leaves behind.

use std::fs;
use std::path::Path;

use super::{PATH, village_folder};
use crate::process::{Service, open_account};

/// All bytes of a folder, with those of the folders in it.
fn bytes_of(folder: &Path) -> Vec<u8> {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => bytes_of(&path),
            false => fs::read(&path).expect("a file"),
        })
        .collect()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

#[test]
fn neither_files_nor_logs_nor_figures_hold_a_key() {
    let folder = village_folder();
    let [live, test] = open_account(folder.path());
    let mut service = Service::start(folder.path(), &["--log", "debug,sqlx=trace,hyper=trace"]);
    let unknown = live.replace("pd_live_", "pd_live_x");
    for key in [&live, &test, &unknown] {
        service.get("live", PATH, Some(key));
        service.get("live", "/v1/autocomplete?q=dijk", Some(key));
        service.get("live", &format!("/v1/nowhere?X-Api-Key={key}"), None);
        service.get("sandbox", "/v3/lookup/6545CA/29", Some(key));
        service.post("/v1/validate", key, "{}");
    }
    let figures = service.get("admin", "/metrics", None).body;
    service.terminate();
    assert_eq!(service.wait().code(), Some(0));
    let files = bytes_of(folder.path());
    assert!(
        holds(&files, "lookup"),
        "the request log is there to be searched"
    );
    for key in [&live, &test] {
        let secret = &key[16..40];
        assert!(!holds(&files, secret) && !figures.contains(secret));
        // What somebody puts into an address stands in the debug log; nothing else does.
        let in_address = [key, &unknown].map(|key| format!("X-Api-Key={key}"));
        let log = in_address
            .iter()
            .fold(service.log(), |log, text| log.replace(text, ""));
        assert!(!log.contains(secret), "a key is in the log");
    }
}
