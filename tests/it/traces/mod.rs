//! Tests the export of traces by OTLP, and the environment variables that name the collector.
//!
//! Most of these tests need the feature `otlp`: `cargo test --features otlp --test it traces`.

#[cfg(feature = "otlp")]
mod collector;
#[cfg(feature = "otlp")]
mod exported;

use crate::data_dir::village_folder;
use crate::process::postduif;

/// Runs `config check` with these environment variables; returns the exit code and standard error.
fn check(variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = village_folder();
    let mut command = postduif();
    command
        .args(["config", "check", "--settings-only", "--data"])
        .arg(folder.path())
        .envs(variables.iter().copied());
    let output = command.output().expect("the binary runs");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    (output.status.code(), error)
}

#[test]
fn an_invalid_variable_is_reported_by_name_without_its_value() {
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
    for (variable, value) in [
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://duif:geheim@localhost",
        ),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "geheim"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "geheim"),
        ("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "geheim"),
    ] {
        let (code, error) = check(&[endpoint, (variable, value)]);
        assert_eq!(code, Some(64), "{variable}: {error}");
        assert!(
            error.contains(variable) && error.contains("expected"),
            "{error}"
        );
        assert!(!error.contains("geheim"), "{error}");
        let (code, error) = check(&[endpoint, (variable, value), ("OTEL_SDK_DISABLED", "true")]);
        assert_eq!(code, Some(0), "{variable}: {error}");
    }
}

#[cfg(not(feature = "otlp"))]
#[test]
fn a_build_without_otlp_reports_a_configured_collector() {
    let folder = village_folder();
    let mut command = postduif();
    command
        .arg("serve")
        .arg("--data")
        .arg(folder.path())
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let service = crate::process::Service::start_by(command);
    let log = service.whole_log();
    assert!(log.contains("OTEL_EXPORTER_OTLP_ENDPOINT is set, but this program was built without the feature otlp"), "{log}");
}
