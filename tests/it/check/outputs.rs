//! Tests the output of `check`: files that must not be overwritten, JSON lines, corrections in the columns of the input, and the
//! summary.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use super::{CheckFolder, apply, check, stderr_of};

const INPUT: &str =
    "naam;postcode;nr;straat;plaats\nx;1234AX;29;Dijk;s ginds\ny;1234AB;29;Dyk;'s-Ginds\n";

#[test]
fn a_filled_in_postcode_does_not_leave_the_wrong_one_in_the_line() {
    let output = apply(
        "Adres;Postcode;Plaats\n\"Dijk 29, 1234AC 's-Ginds\";;\n",
        0.0,
    );
    let row = output.lines().last().expect("a row");
    assert!(
        row.starts_with("Dijk 29, 1234AB 's-Ginds;1234AB;"),
        "{output}"
    );
}

#[test]
fn an_address_on_the_second_line_is_corrected_there() {
    let header = "Adres 1;Adres 2;Postcode;Plaats\n";
    for (row, expected) in [
        ("Bos BV;Dyk 29;1234AB;'s-Ginds", "Bos BV;Dijk 29;"),
        (";Dyk 29;1234AB;'s-Ginds", ";Dijk 29;"),
        ("Bos BV;Dijk 29;1234AC;'s-Ginds", "Bos BV;Dijk 29;1234AB;"),
    ] {
        let output = apply(format!("{header}{row}\n"), 0.0);
        let row = output.lines().last().expect("a row");
        assert!(row.starts_with(expected), "{output}");
    }
}

#[test]
fn nothing_is_overwritten() {
    let folder = CheckFolder::new();
    folder.write("in.csv", INPUT);
    folder.run(&["in.csv"], 0);
    let first = folder.read("in.checked.csv");
    let message = folder.run(&["in.csv"], 2);
    assert!(message.contains("--force"), "{message}");
    folder.run(&["in.csv", "--force"], 0);
    assert_eq!(folder.read("in.checked.csv"), first);
    for arguments in [
        &["in.csv", "--output", "in.csv", "--force"][..],
        &["in.csv", "--output", "./in.csv", "--force"],
    ] {
        let message = folder.run(arguments, 2);
        assert!(message.contains("is the input"), "{message}");
    }
    fs::hard_link(folder.path("in.csv"), folder.path("linked.part")).expect("links");
    let message = folder.run(&["in.csv", "--output", "linked", "--force"], 2);
    assert!(message.contains("is the input"), "{message}");
    assert_eq!(folder.read("in.csv"), INPUT);
    let missing = folder.run(&["no-such.csv"], 2);
    assert!(missing.contains("no-such.csv"), "{missing}");
    let is_part = |name: &str| folder.path(name).exists();
    assert!(!is_part("in.checked.csv.part") && !is_part("in.checked.csv.part.json"));
}

#[test]
fn a_dash_as_the_output_is_standard_output() {
    let folder = CheckFolder::new();
    folder.write("in.csv", INPUT);
    let mut command = folder.command(&["in.csv", "--output", "-"]);
    let output = command.output().expect("the binary runs");
    stderr_of(&output, 0);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains(";postduif_status;"), "{text}");
    assert!(!folder.path("-").exists());
}

#[test]
fn a_file_in_which_nothing_is_readable_is_reported_with_advice() {
    let folder = CheckFolder::new();
    folder.write("in.csv", "straat;postcode;xnr\nDijk;1234AB;29\n");
    let report = folder.run(&["in.csv"], 0);
    let columns = "the columns are A=straat, B=postcode, C=xnr";
    let last = format!(
        "\nwarning: nearly all rows are unreadable (number:missing): name the columns with --columns; {columns}\n"
    );
    assert!(report.contains(&last), "{report}");
    folder.run(&["in.csv", "--force", "--columns", "number=xnr"], 0);
    assert!(folder.read("in.checked.csv").contains(";29;ok;"));
}

#[test]
fn a_file_in_which_most_rows_fail_ends_with_a_warning() {
    let folder = CheckFolder::new();
    let rows = format!(
        "{}{}",
        "Kade;9;1234AB\n".repeat(6),
        "Kade;;1234AB\n".repeat(5)
    );
    folder.write("in.csv", format!("straat;nr;postcode\n{rows}"));
    let report = folder.run(&["in.csv"], 0);
    let warning = "\nwarning: for 100% of the rows no address was found; perhaps a wrong column is used: name the columns";
    assert!(report.contains(warning), "{report}");
    folder.write("plain.csv", rows);
    let report = folder.run(
        &["plain.csv", "--no-header", "--columns", "street=A,number=B"],
        0,
    );
    assert!(report.contains("the columns are A to C\n"), "{report}");
    // A shop repeats an order for each article, without its address.
    let order = format!("Dijk;29;1234AB{}\n", "\n;;".repeat(3));
    let header = "straat;nr;postcode\n";
    folder.write("orders.csv", format!("{header}{}", order.repeat(10)));
    let report = folder.run(&["orders.csv"], 0);
    assert!(!report.contains("warning"), "{report}");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = CheckFolder::new();
    let mut command = folder.command(&["-", "--json", "--fields", "postcode,number,lon"]);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(INPUT.as_bytes()).expect("writes");
    drop(stdin);
    let output = child.wait_with_output().expect("ends");
    stderr_of(&output, 0);
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0]["row"], 2);
    assert_eq!(rows[0]["status"], "corrected");
    assert_eq!(
        rows[0]["reasons"],
        serde_json::json!(["postcode:not_found"])
    );
    assert_eq!(
        rows[0]["address"],
        serde_json::json!({"postcode": "1234AB", "number": 29, "lon": 5.04})
    );
    assert_eq!(rows[0]["input"]["plaats"], "s ginds");
    assert!(rows[0]["score"].as_f64().is_some_and(|score| score > 0.9));
}

#[test]
fn json_has_every_column_also_if_names_occur_twice() {
    let folder = CheckFolder::new();
    let rows = "Adres,,Postcode,B,Postadres,Postcode\nDijk 29,x,1234AB,y,Postbus 1,1234AC\n";
    folder.write("in.csv", rows);
    let columns = "line=A,postcode=C";
    let arguments = ["in.csv", "--json", "--fields", "id", "--columns", columns];
    let message = folder.run(&arguments, 0);
    let output = folder.read("in.checked.jsonl");
    let input = r#""input":{"Adres":"Dijk 29","B (B)":"x","Postcode":"1234AB","B":"y","Postadres":"Postbus 1","Postcode (F)":"1234AC"}"#;
    assert!(output.contains(input), "{output}");
    assert!(message.contains("postcode=Postcode (C)"), "{message}");
    let unused = "not used: Postadres, Postcode (F), B\n";
    assert!(message.contains(unused), "{message}");
}

#[test]
fn the_result_of_an_earlier_check_is_replaced() {
    let input = "naam;postcode;nr;straat\n\"x\";1234AX;29;Dijk\ny;1234AB;29\nz\n";
    let once = check(input, "postcode,number");
    let with_other_fields = check(input, "street");
    for checked in [&once, &with_other_fields] {
        assert_eq!(check(checked, "postcode,number"), once);
    }
    let folder = CheckFolder::new();
    folder.write("in.csv", once);
    let report = folder.run(&["in.csv", "--json"], 0);
    assert!(!report.contains("postduif_"), "{report}");
    let rows = folder.read("in.checked.jsonl");
    assert!(!rows.contains("postduif_"), "{rows}");
}

#[test]
fn cells_that_are_not_corrected_keep_their_quotes() {
    let folder = CheckFolder::new();
    let rows = [
        "klant;straat;postcode;nr;\"plaats\"",
        "\"007\";\"Dyk\";\"1234AB\";29;\"'s-Ginds\"",
        "\"a; \"\"b\"\"\";Dyk;1234AB;\"29\" ;\"s ginds\"",
    ];
    assert_eq!(
        applied_rows(&folder, &rows.join("\n")),
        [
            "\"007\";Dijk;\"1234AB\";29;\"'s-Ginds\";corrected",
            "\"a; \"\"b\"\"\";Dijk;1234AB;\"29\" ;\"s ginds\";corrected",
        ]
    );
}

#[test]
fn corrections_are_applied_where_the_score_suffices() {
    let folder = CheckFolder::new();
    folder.write("in.csv", INPUT);
    folder.run(&["in.csv", "--apply", "--fields", "number"], 0);
    let output = folder.read("in.checked.csv");
    assert!(
        output.contains("\nx;1234AB;29;Dijk;s ginds;corrected;postcode:not_found;"),
        "{output}"
    );
    assert!(
        output.contains("\ny;1234AB;29;Dijk;'s-Ginds;corrected;street:different;"),
        "{output}"
    );
    folder.run(&["in.csv", "--force", "--apply", "--min-score", "1"], 0);
    assert!(
        folder
            .read("in.checked.csv")
            .contains("\nx;1234AX;29;Dijk;")
    );
    // One cell has several parts of the address and is corrected. The next cell is right.
    folder.write("in.csv", "adres;postcode\nDyk 12a-1;1234AB\n");
    folder.run(
        &[
            "in.csv", "--force", "--apply", "--min-score", "0.5", "--fields", "number",
        ],
        0,
    );
    let output = folder.read("in.checked.csv");
    assert!(
        output.contains("\nDijk 12a-1;1234AB;corrected;"),
        "{output}"
    );
    folder.run(&["in.csv", "--min-score", "0.5"], 64);
    folder.run(&["in.csv", "--apply", "--min-score", "2"], 64);
    folder.run(&["in.csv", "--fields", "postcode,zip"], 64);
    let message = folder.run(&["in.csv", "--fields", "id,number,id"], 64);
    assert!(message.contains("id is given twice"), "{message}");
}

/// Runs `check --apply` on this input; returns each row of the output without its last three cells.
#[track_caller]
fn applied_rows(folder: &CheckFolder, input: &str) -> Vec<String> {
    folder.write("in.csv", input);
    folder.run(&["in.csv", "--force", "--apply", "--fields", "number"], 0);
    let output = folder.read("in.checked.csv");
    let cells = |row: &str| row.rsplitn(4, ';').last().expect("a row").to_owned();
    output.lines().skip(1).map(cells).collect()
}

#[test]
fn corrections_are_applied_in_a_cell_with_the_whole_address() {
    let folder = CheckFolder::new();
    let rows = [
        "naam;adres",
        "\"X; Y\";\"Dyk 29, 1234AB 's-Ginds\"",
        "x;Dyk 12 a-1 1234AB 's-Ginds",
        "x;Dyk 29 1234 ab s ginds",
        "x;dijk 29 1234ab",
        "x;\"Dyk 30, 1234AB 's-Ginds\"",
    ];
    assert_eq!(
        applied_rows(&folder, &rows.join("\n")),
        [
            "\"X; Y\";Dijk 29, 1234AB 's-Ginds;corrected",
            "x;Dijk 12 a-1 1234AB 's-Ginds;corrected",
            "x;Dijk 29 1234 ab s ginds;corrected",
            "x;dijk 29 1234ab;ok",
            "x;\"Dyk 30, 1234AB 's-Ginds\";not_found",
        ]
    );
}

#[test]
fn corrections_are_applied_in_a_cell_with_street_and_number() {
    let folder = CheckFolder::new();
    let rows = [
        "straat;postcode;plaats;opmerking",
        "Dyk 29;1234AB;'s-Ginds;a",
        "Dyk 12 a 1;1234AB;'s-Ginds;b",
        "dijk 29;1234AX;'s-Ginds;c",
        "dijk 12a1;1234AB;s ginds;d",
        "Dyk 30;1234AB;'s-Ginds;e",
    ];
    assert_eq!(
        applied_rows(
            &folder,
            "adres;Postcode en plaats\nDijk 29;1234AX 's-Ginds\nDyk 29;1234AB  's-Ginds\n\
             Dijk 29;1234  's-Ginds\nDijk 29;1234 AB\nDijk 29;'s-Ginds"
        ),
        [
            "Dijk 29;1234AB 's-Ginds;corrected",
            "Dijk 29;1234AB  's-Ginds;corrected",
            "Dijk 29;1234AB  's-Ginds;corrected",
            "Dijk 29;1234 AB 's-Ginds;corrected",
            "Dijk 29;'s-Ginds;ok",
        ]
    );
    assert_eq!(
        applied_rows(&folder, &rows.join("\n")),
        [
            "Dijk 29;1234AB;'s-Ginds;a;corrected",
            "Dijk 12 a 1;1234AB;'s-Ginds;b;corrected",
            "dijk 29;1234AB;'s-Ginds;c;corrected",
            "dijk 12a1;1234AB;s ginds;d;ok",
            "Dyk 30;1234AB;'s-Ginds;e;not_found",
        ]
    );
}

#[test]
fn the_summary_counts_statuses_reasons_and_corrections() {
    let folder = CheckFolder::new();
    let wrong = "x;1234AB;29;Dyk;'s-Ginds\n".repeat(3);
    folder.write("in.csv", format!("{INPUT}{wrong}\n"));
    let summary = folder.run(&["in.csv"], 0);
    let squeezed = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "columns: postcode=postcode, number=nr, street=straat, city=plaats",
        "0 ok 0.0%",
        "5 corrected 100.0%",
        "1 blank lines",
        "4 street:different",
        "1 postcode:not_found",
        "4 street: Dyk → Dijk",
        "written to in.checked.csv",
    ] {
        assert!(squeezed.contains(part), "{part}: {summary}");
    }
    folder.write("unnamed.csv", "adres;;postcode\nDijk;29;1234AB\n");
    let summary = folder.run(&["unnamed.csv"], 0);
    let part = "columns: postcode=postcode, number=column 2, line=adres";
    assert!(summary.contains(part), "{summary}");
}

#[test]
fn the_report_is_one_page_and_shows_cells_as_text() {
    let folder = CheckFolder::new();
    let hostile = "x;1234AB;29;Dyk;<script>alert(1)</script>\n".repeat(2);
    folder.write("in.csv", format!("{INPUT}{hostile}"));
    folder.run(&["in.csv", "--report", "report.html"], 0);
    let page = folder.read("report.html");
    assert!(page.starts_with("<!doctype html>"), "{page}");
    for part in [
        "4 rows, checked against the register of 2026-01-01-1",
        "<rect x=\"0.00\" width=\"0.00\"",
        "<rect x=\"0.00\" width=\"1000.00\"",
        "street different: 3 rows",
        "street: Dyk → Dijk",
        "&lt;script&gt;alert(1)",
        "Dijk 29, 1234AB 's-Ginds",
        "@media print",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for outside in ["<script", "http://", "https://", "url(", "<link", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    let arguments = ["in.csv", "--output", "other.csv", "--report", "report.html"];
    let message = folder.run(&arguments, 2);
    assert!(message.contains("report.html exists"), "{message}");
    let message = folder.run(&["in.csv", "--force", "--report", "in.csv"], 2);
    assert!(message.contains("is the input"), "{message}");
    let missing = ["in.csv", "--force", "--report", "missing/report.html"];
    let message = folder.run(&missing, 2);
    assert!(message.contains("its folder does not exist"), "{message}");
    let mut command = folder.command(&["in.csv", "--force", "--report", "-"]);
    let output = command.output().expect("the binary runs");
    stderr_of(&output, 0);
    assert!(output.stdout.starts_with(b"<!doctype html>") && !folder.path("-").exists());
    let message = folder.run(&["in.csv", "--output", "-", "--report", "-"], 64);
    assert!(
        message.contains("standard output has the rows"),
        "{message}"
    );
    let message = folder.run(&["in.csv", "--force", "--output", "."], 2);
    assert!(
        message.contains("is a folder; name a file with --output"),
        "{message}"
    );
}
