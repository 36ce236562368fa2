//! Sends generated requests to a running service: valid and invalid ones, alone and in sequences. Every answer must be described,
//! valid requests must be accepted and invalid ones refused.
//!
//! The generator is `schemathesis`, from the Python packages that `.ci/run` installs. Its seed is fixed unless `POSTDUIF_TEST_SEED`
//! is set. `POSTDUIF_TEST_TRIES` sets the number of requests for each operation.
#![expect(
    clippy::print_stdout,
    reason = "the test prints how many requests it tried"
)]

use std::path::Path;
use std::process::Command;

use super::FROZEN;
use crate::chance::tries;
use crate::process::{Service, open_account};
use crate::tools::{in_venv, root};

/// Generated requests for each operation; the long form makes 60 or more.
const EXAMPLES: usize = 10;

const SEED: &str = "1767700000";

#[test]
fn generated_requests_get_only_described_answers() {
    let Some(program) = in_venv("bin/schemathesis") else {
        return;
    };
    let folder = crate::data_dir::village_folder();
    let [live, test] = open_account(folder.path());
    let service = Service::start(folder.path(), &[]);
    for (listener, key) in [("live", live), ("sandbox", test)] {
        run(&program, &service, listener, &key, folder.path());
    }
}

#[track_caller]
fn run(program: &Path, service: &Service, listener: &str, key: &str, folder: &Path) {
    let url = format!("http://{}", service.address(listener));
    let header = format!("X-Api-Key: {key}");
    let seed = std::env::var("POSTDUIF_TEST_SEED").unwrap_or_else(|_| SEED.to_owned());
    let mut command = Command::new(program);
    command
        .arg("--config-file")
        .arg(root().join("tests/schemathesis.toml"))
        .arg("run")
        .arg(root().join(FROZEN))
        .args(["--url", &url, "--header", &header, "--checks", "all"])
        .args(["--phases", "examples,coverage,fuzzing,stateful"])
        .args(["--max-examples", &tries(EXAMPLES).to_string()])
        .args(["--seed", &seed, "--no-color"])
        // A slow answer is not a failure, because the machine may be slow.
        .args([
            "--request-timeout",
            "60",
            "--suppress-health-check",
            "too_slow",
        ])
        // Run in the temporary folder, where schemathesis writes its files, and bypass any proxy.
        .current_dir(folder)
        .env("NO_PROXY", "*")
        .env("no_proxy", "*");
    let output = command.output().expect("the program starts");
    let message = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{listener}: {message}\n{complaint}"
    );
    for ran in ["Tested: 8", "Examples", "Coverage", "Fuzzing", "Stateful"] {
        assert!(
            message.contains(ran) && !message.contains("⏭"),
            "{listener}, {ran}: {message}"
        );
    }
    println!("{listener}: {message}");
}
