//! Tests unusual files: quotes, line breaks, encodings, separators, headers, and columns with other names.

use super::CheckFolder;

/// Checks a file with a header and one row. `expected` has the status, reasons, street, number, letter and addition of the row.
#[track_caller]
pub(super) fn check_row(folder: &CheckFolder, content: impl AsRef<[u8]>, expected: &str) {
    let content = content.as_ref();
    let output = folder.check(content, "street,number,letter,addition");
    let last = output.lines().last().expect("a row");
    assert_eq!(
        added_cells(last),
        expected,
        "{}",
        String::from_utf8_lossy(content)
    );
}

/// Checks a file with a header and one row for each expected result. [`check_row`] describes a result.
#[track_caller]
pub(super) fn check_rows(folder: &CheckFolder, content: &str, expected: &[&str]) {
    let output = folder.check(content, "street,number,letter,addition");
    let rows = || output.lines().skip(1);
    assert_eq!(rows().count(), expected.len(), "{output}");
    for (row, expected) in rows().zip(expected) {
        assert_eq!(added_cells(row), *expected, "{row}");
    }
}

/// Returns the six cells before the last one: status, reasons, street, number, letter and addition.
fn added_cells(row: &str) -> String {
    let mut cells: Vec<&str> = row.rsplit([';', ',', '\t', '|']).skip(1).take(6).collect();
    cells.reverse();
    cells.join("|")
}

#[test]
fn columns_and_separators_are_found() {
    let folder = CheckFolder::new();
    let right = "ok||Dijk|29||";
    check_row(&folder, "postcode;huisnummer\n1234AB;29\n", right);
    check_row(&folder, "Naam,Zip Code,House number\nx,1234 ab,29\n", right);
    check_row(&folder, "PC\thnr\tPlaats\n1234AB\t29\t's-Ginds\n", right);
    check_row(&folder, "a|postcode|nr\nx|1234AB|29\n", right);
    check_row(
        &folder,
        "straat;huisnr;woonplaats\ndijk;29;s ginds\n",
        right,
    );
    check_row(&folder, "adres;postcode\nDijk 29;1234AB\n", right);
    check_row(&folder, "address1,city\nDijk 29,'s-Ginds\n", right);
    check_row(&folder, "adres\n\"Dijk 29, 1234AB 's-Ginds\"\n", right);
    check_row(&folder, "adres\nDijk 29 's-Ginds\n", right);
    check_row(&folder, "naam;Straat + nr;PC\nx;Dijk 29;1234AB\n", right);
    check_row(
        &folder,
        "adres;Postcode/Plaats\nDijk 29;1234 AB 's-Ginds\n",
        right,
    );
    check_row(&folder, "postcode;nummer\n'1234AB;'29\n", right);
    let unit = "ok||Dijk|12|A|1";
    check_row(&folder, "postcode;huisnummer\n1234AB;12a-1\n", unit);
    check_row(&folder, "postcode;nr;letter;toev\n1234AB;12;a;1\n", unit);
    check_row(&folder, "postcode;nr;toevoeging\n1234AB;12;A1\n", unit);
    check_row(&folder, "adres;postcode\nDijk 12 A-1;1234AB\n", unit);
    check_row(&folder, "postcode;nummer\n1234AB;29.0\n", right);
}

#[test]
fn each_mistake_has_its_status_and_reason() {
    let folder = CheckFolder::new();
    let of = |row: &str, expected: &str| {
        let header = "postcode;nummer;toevoeging;straat;plaats";
        check_row(&folder, format!("{header}\n{row}\n"), expected);
    };
    of("1234AB;29;;Dijk;'s-Ginds", "ok||Dijk|29||");
    of(
        "1234AX;29;;Dijk;'s-Ginds",
        "corrected|postcode:not_found|Dijk|29||",
    );
    of(";29;;Dijk;'s-Ginds", "corrected|postcode:missing|Dijk|29||");
    of(
        "12 34;29;;Dijk;'s-Ginds",
        "corrected|postcode:malformed|Dijk|29||",
    );
    of(
        "1300AA;29;;Dijk;'s-Ginds",
        "corrected|postcode:different|Dijk|29||",
    );
    of(
        "1234AB;29;;Dyk;'s-Ginds",
        "corrected|street:different|Dijk|29||",
    );
    of(
        "1234AB;29;;Dijk;s Gints",
        "corrected|city:different|Dijk|29||",
    );
    of("1234AB;29;;;'s-Ginds", "corrected|street:missing|Dijk|29||");
    of(
        "1234AB;12;002;Dijk;'s-Ginds",
        "ok|addition:spelling|Dijk|12||2",
    );
    of(
        "1234AB;29;Z;Dijk;'s-Ginds",
        "not_found|addition:not_found|Dijk|29||",
    );
    of(
        "1234AB;30;;Dijk;'s-Ginds",
        "not_found|number:not_found|Dijk|29||",
    );
    of(
        "9999ZZ;30;;Nergens;Niets",
        "not_found|postcode:not_found city:not_found||||",
    );
    of("1234AB;;;;'s-Ginds", "unreadable|number:missing||||");
    of(
        "1234AB;twaalf;;Dijk;'s-Ginds",
        "unreadable|number:malformed||||",
    );
    of(";;;;", "unreadable|row:missing||||");
}

#[test]
fn a_number_with_several_units_is_ambiguous() {
    let folder = CheckFolder::new();
    let output = folder.check("postcode;nummer;straat\n1234AB;12;Dijk\n", "street");
    assert!(
        output.contains(";ambiguous;addition:missing;Dijk;"),
        "{output}"
    );
}

#[test]
fn quotes_line_breaks_and_blank_lines_are_kept() {
    let folder = CheckFolder::new();
    let rows = [
        "\"Jan \"\"de\"\" A; B\";1234AB;29",
        "\"twee\nregels\";1234AB;29",
        "",
        "5\" pijp;1234AB;29",
        "\"\";\"1234AB\";\"29\"",
    ];
    let input = format!("naam;postcode;nr\n{}\n", rows.join("\n"));
    let output = folder.check(&input, "number");
    let expected: Vec<String> = rows
        .iter()
        .map(|row| match *row {
            "" => String::new(),
            row => format!("{row};ok;;29;0.991"),
        })
        .collect();
    let header = "naam;postcode;nr;postduif_status;postduif_reason;postduif_number;postduif_score";
    assert_eq!(output, format!("{header}\n{}\n", expected.join("\n")));
}

#[test]
fn rows_may_have_any_line_ending() {
    let folder = CheckFolder::new();
    let input = "naam;postcode;nr\r\na;1234AB;29\nb;1234AB;29\rc;1234AB;29\r\n\r\nd;1234AB;29";
    let output = folder.check(input, "number");
    let rows = ["a", "b", "c"].map(|name| format!("{name};1234AB;29;ok;;29;0.991\r\n"));
    let expected = format!("{}\r\nd;1234AB;29;ok;;29;0.991\r\n", rows.concat());
    assert!(output.ends_with(&expected), "{output}");
    let only_cr = folder.check(input.replace(['\r', '\n'], "\r"), "number");
    assert_eq!(only_cr.matches(";ok;;29;").count(), 4, "{only_cr}");
    assert!(!only_cr.contains('\r'), "{only_cr}");
}

#[test]
fn a_row_that_cannot_be_read_affects_no_other_row() {
    let folder = CheckFolder::new();
    let input = "postcode;nr\n\"1234AB 29\n1234AB;29\n1234AB\n1234AB;29;;;x\n1234AB;29";
    let output = folder.check(input, "number");
    let statuses: Vec<&str> = output
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.rsplit(';').collect();
            cells[3]
        })
        .collect();
    assert_eq!(
        statuses,
        [
            "postduif_status",
            "unreadable",
            "ok",
            "unreadable",
            "ok",
            "ok"
        ],
        "{output}"
    );
    assert!(
        output.contains("\"\"\"1234AB 29\";;;;;unreadable;row:malformed"),
        "{output}"
    );
}

#[test]
fn a_quote_that_opens_no_cell_joins_no_rows() {
    let folder = CheckFolder::new();
    let row = |name: &str, number: &str| format!("{name};Dijk;{number};1234AB\n");
    let header = "naam;straat;nr;postcode\n";
    for name in ["\"t Zwaantje", "\"Jan\"", "19\" monitor", "tv 19\"", "Jan"] {
        let rows = [row("\"t Hoekje", "29"), row("Jan", "12"), row(name, "29")];
        let input = format!("{header}{}", rows.concat());
        let output = folder.check(&input, "number");
        let added: Vec<String> = output.lines().skip(1).map(last_cells).collect();
        assert_eq!(
            added,
            ["ok;;29", "ambiguous;addition:missing;12", "ok;;29"],
            "{output}"
        );
        assert!(
            output.contains("\n\"\"\"t Hoekje\";Dijk;29;1234AB;ok"),
            "{output}"
        );
    }
    // A row that is skipped when the format is detected is read in the same way.
    let many = row("Jan", "29").repeat(60) + &row("\"t Hoekje", "29").repeat(2);
    let output = folder.check(format!("{header}{many}"), "number");
    assert_eq!(output.matches("1234AB;ok;;29;").count(), 62, "{output}");
}

/// Returns status, reasons and number, which are the cells before the score.
fn last_cells(row: &str) -> String {
    let mut cells: Vec<&str> = row.rsplit(';').skip(1).take(3).collect();
    cells.reverse();
    cells.join(";")
}

#[test]
fn cells_without_a_column_are_written_last() {
    let folder = CheckFolder::new();
    let rows = "1234AB;29\n".repeat(100);
    let long = "1234AB;29;;\n1234AX;29;a;\"b;c\"\n";
    let output = folder.check(format!("postcode;nr\n{rows}{long}{rows}"), "number");
    assert!(output.contains("\n1234AB;29;ok;;29;0.991;;\n"), "{output}");
    let with_cells = output.lines().find(|line| line.ends_with(";a;\"b;c\""));
    let with_cells = with_cells.expect("the row with its cells");
    assert!(
        with_cells.starts_with("1234AX;29;corrected;postcode:not_found row:extra_cells;"),
        "{with_cells}"
    );
    assert_eq!(output.lines().count(), 203);
    folder.run(&["in.csv", "--json", "--fields", "number"], 0);
    let lines = folder.read("in.checked.jsonl");
    let input = r#""input":{"postcode":"1234AX","nr":"29","C":"a","D":"b;c"}"#;
    assert!(lines.contains(input), "{lines}");
}

/// UTF-16 with a byte-order mark, as spreadsheets save "Unicode text".
fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    units.flat_map(to_bytes).collect()
}

#[test]
fn utf16_is_read_and_utf8_is_written() {
    let folder = CheckFolder::new();
    let row = "Zoë \"\"de\"\" 𝄞\t1234AB\t29\r\n";
    let text = format!("Naam\tPostcode\tHuisnummer\r\n{}", row.repeat(5_000));
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let output = folder.check(utf16(&text, to_bytes), "street");
        let header = "\u{feff}Naam\tPostcode\tHuisnummer\tpostduif_status\tpostduif_reason\tpostduif_street\tpostduif_score\r\n";
        let expected = row.trim_end().to_owned() + "\tok\t\tDijk\t0.991\r\n";
        assert!(output == format!("{header}{}", expected.repeat(5_000)));
    }
    for unmarked in [u16::to_le_bytes, u16::to_be_bytes] {
        folder.write("in.csv", &utf16("postcode;nr\n1234AB;29\n", unmarked)[2..]);
        let message = folder.run(&["in.csv", "--force"], 2);
        assert!(message.contains("zero bytes"), "{message}");
    }
}

#[test]
fn encodings_and_line_ends_are_found() {
    let folder = CheckFolder::new();
    // Windows-1252 and UTF-8 in one file.
    let mixed = b"straat;nr;plaats\r\nDijk;29;'s-Ginds\r\nD\xefjk;29;'s-G\xc3\xadnds\r\n";
    let output = folder.check(mixed, "street");
    assert!(output.starts_with('\u{feff}'), "spreadsheets need the mark");
    assert!(
        output.contains("\r\nDïjk;29;'s-Gínds;ok;;Dijk;"),
        "{output}"
    );
    assert_eq!(output.matches('\n').count(), output.matches("\r\n").count());
    let marked = folder.check("\u{feff}postcode;nr\n1234AB;29\n", "street");
    assert!(
        marked.starts_with("\u{feff}postcode;nr;postduif_status"),
        "{marked}"
    );
    let plain = folder.check("postcode;nr\n1234AB;29\n", "street");
    assert!(plain.starts_with("postcode;"), "{plain}");
    for (content, word) in [
        (&b"PK\x03\x04"[..], ".xlsx"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\n",
            "old workbook (.xls)",
        ),
        (b"\xef\xbb\xbf\r\n<HTML><table>", "a web page"),
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"a;b\nc;d\n", "--columns"),
    ] {
        folder.write("in.csv", content);
        let message = folder.run(&["in.csv", "--force"], 2);
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_file_without_a_header_needs_columns() {
    let folder = CheckFolder::new();
    folder.write("in.csv", "x;1234AB;29\ny;1234AB;12a-1\n");
    folder.run(
        &[
            "in.csv",
            "--columns",
            "postcode=B,number=3",
            "--fields",
            "street",
        ],
        0,
    );
    let output = folder.read("in.checked.csv");
    assert_eq!(
        output,
        "x;1234AB;29;ok;;Dijk;0.991\ny;1234AB;12a-1;ok;;Dijk;0.991\n"
    );
    // A row of column names is a header even if `check` recognises none of the names.
    folder.write("in.csv", "wie;waar;hoe\nx;1234AB;29\n");
    folder.run(
        &[
            "in.csv",
            "--force",
            "--columns",
            "postcode=waar,number=hoe",
            "--fields",
            "street",
        ],
        0,
    );
    let output = folder.read("in.checked.csv");
    assert!(
        output.starts_with("wie;waar;hoe;postduif_status"),
        "{output}"
    );
    for (columns, word) in [
        ("postcode=Z,number=C", "no column"),
        ("post=A", "unknown part"),
    ] {
        let message = folder.run(&["in.csv", "--force", "--columns", columns], 64);
        assert!(message.contains(word), "{message}");
    }
}
