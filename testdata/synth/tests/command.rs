//! Checks the command line: output, files and exit codes.

use std::path::Path;
use std::process::Command;

/// Runs the command in a folder and checks the exit code; returns standard output and standard error.
#[track_caller]
fn run(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_synth"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    let [out, err] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
    (out, err)
}

fn temporary_folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

#[test]
fn an_extract_is_written_and_described() {
    let folder = temporary_folder();
    let arguments = ["--addresses", "300", "--seed", "5", "--out", "extract.zip"];
    let (out, err) = run(folder.path(), &arguments, 0);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("extract.zip: 300 addresses in "),
        "{out}"
    );
    assert!(lines[1].starts_with("not to be served: "), "{out}");
    assert_eq!(err, "writing the delivery …\n");
    assert!(folder.path().join("extract.zip").is_file());
}

#[test]
fn days_of_mutations_are_written_beside_the_extract() {
    let folder = temporary_folder();
    let arguments = [
        "--addresses", "300", "--out", "extract.zip", "--deliveries", "2", "--changes", "45",
        "--json",
    ];
    let (out, _) = run(folder.path(), &arguments, 0);
    let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(json["addresses"], 300);
    let days = &json["deliveries"];
    assert_eq!(days["files"].as_array().map(Vec::len), Some(2));
    assert!(days["groups"][0].as_u64() >= Some(45), "{days}");
    for file in [
        &days["files"][0], &days["files"][1], &days["end"], &days["expected"],
    ] {
        let name = file.as_str().expect("a name");
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let folder = temporary_folder();
    #[track_caller]
    fn case(folder: &Path, arguments: &[&str], message: &str) {
        let all = [&["--out", "none.zip"], arguments].concat();
        let (_, err) = run(folder, &all, 2);
        assert!(err.starts_with("synth: ") && err.contains(message), "{err}");
        assert!(!folder.join("none.zip").exists());
    }
    case(folder.path(), &["--addresses", "0"], "1 to 12000000");
    let days = ["--addresses", "9", "--deliveries", "0"];
    case(folder.path(), &days, "1 to 366");
    let changes = ["--addresses", "9", "--deliveries", "1", "--changes", "0"];
    case(folder.path(), &changes, "1 to 1000000");
    std::fs::write(folder.path().join("names.tsv"), "0\tKade\n").expect("writable");
    let names = ["--addresses", "9", "--names", "names.tsv"];
    case(
        folder.path(),
        &names,
        "names.tsv: line 1 of the street names",
    );
}

#[test]
fn unusable_files_make_the_command_fail() {
    let folder = temporary_folder();
    let arguments = ["--addresses", "9", "--out", "missing/extract.zip"];
    let (_, err) = run(folder.path(), &arguments, 1);
    assert_eq!(err.matches("No such file").count(), 1, "{err}");
    let names = [
        "--addresses", "9", "--out", "extract.zip", "--names", "missing.tsv",
    ];
    let (_, err) = run(folder.path(), &names, 1);
    assert!(err.starts_with("synth: missing.tsv: No such file"), "{err}");
}

#[test]
fn usage_errors_have_their_own_code() {
    let folder = temporary_folder();
    let (_, err) = run(folder.path(), &["--addresses", "9"], 64);
    assert!(err.contains("--out"), "{err}");
    let changes = ["--addresses", "9", "--out", "none.zip", "--changes", "9"];
    let (_, err) = run(folder.path(), &changes, 64);
    assert!(err.contains("--deliveries"), "{err}");
    for page in ["--help", "--version"] {
        assert!(!run(folder.path(), &[page], 0).0.is_empty(), "{page}");
    }
}
