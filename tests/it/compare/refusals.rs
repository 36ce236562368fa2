//! Checks that arguments and files that cannot be used are refused before any request is sent.

use super::{Files, set_mode, start_same_street_service};

#[test]
fn files_that_cannot_be_used_are_refused_before_any_request() {
    #[track_caller]
    fn case(prepare: impl Fn(&Files), expected: &str) {
        let (old, new) = (start_same_street_service(), start_same_street_service());
        let files = Files::new(&["1234AB,5"]);
        prepare(&files);
        let compared = files.compare(&old.url(""), &new.url(""), &[]);
        assert_eq!(compared.code, Some(64), "{}", compared.stderr);
        assert!(compared.stderr.contains(expected), "{}", compared.stderr);
        assert!(old.paths().is_empty() && new.paths().is_empty());
    }
    case(
        |files| set_mode(&files.path("old.key"), 0o644),
        "chmod 0600",
    );
    case(|files| files.write("new.key", "\n"), "expected one line");
    case(|files| files.write("pairs.csv", ""), "no rows");
    case(
        |files| files.write("pairs.csv", "postcode,number\n"),
        "no row has a postcode",
    );
    case(
        |files| files.write("pairs.csv", "postcode,number\n1234AB,5a\n12,5\n"),
        "no row has a postcode such as 1234AB and a house number such as 5 (2 rows were read)",
    );
    case(
        |files| files.write("pairs.csv", "a,b\n1234AB,5\n"),
        "--columns",
    );
    case(
        |files| files.write("pairs.csv", "adres\nDijk 5 Elders\n"),
        "no column is recognised as the postcode; name it with --columns",
    );
    case(
        |files| std::fs::remove_file(files.path("pairs.csv")).expect("it exists"),
        "pairs.csv",
    );
}

#[test]
fn a_url_with_a_secret_is_refused() {
    let files = Files::new(&["1234AB,5"]);
    for url in [
        "http://jan:wachtwoord@127.0.0.1:1",
        "http://127.0.0.1:1?key=x",
        "127.0.0.1",
    ] {
        let compared = files.compare(url, "http://127.0.0.1:1", &[]);
        assert_eq!(compared.code, Some(64), "{}", compared.stderr);
        assert!(compared.stderr.contains("--old"), "{}", compared.stderr);
    }
}

#[test]
fn the_columns_of_a_file_without_a_header_can_be_named() {
    let (old, new, files) = (
        start_same_street_service(),
        start_same_street_service(),
        Files::new(&[]),
    );
    files.write("pairs.csv", "1234AB;5\n1234AB;6\n");
    let more = ["--json", "--columns", "postcode=A,number=B"];
    let report = files.compare(&old.url(""), &new.url(""), &more).json(0);
    assert_eq!(report["equal"], 2);
    let more = ["--json", "--no-header", "--columns", "postcode=A,number=B"];
    let report = files.compare(&old.url(""), &new.url(""), &more).json(0);
    assert_eq!(report["equal"], 2);
}
