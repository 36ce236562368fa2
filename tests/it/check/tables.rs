//! Tests unusual files: quotes, line breaks, encodings, separators, headers, and columns with other names.

use super::{CheckFolder, HOUSE, UNIT, check, check_row, check_table, refusal};

#[test]
fn columns_and_separators_are_found() {
    for table in [
        "postcode;huisnummer\n1234AB;29\n",
        "Naam,Zip Code,House number\nx,1234 ab,29\n",
        "PC\thnr\tPlaats\n1234AB\t29\t's-Ginds\n",
        "a|postcode|nr\nx|1234AB|29\n",
        "straat;huisnr;woonplaats\ndijk;29;s ginds\n",
        "adres;postcode\nDijk 29;1234AB\n",
        "address1,city\nDijk 29,'s-Ginds\n",
        "adres\n\"Dijk 29, 1234AB 's-Ginds\"\n",
        "adres\nDijk 29 's-Ginds\n",
        "naam;Straat + nr;PC\nx;Dijk 29;1234AB\n",
        "adres;Postcode/Plaats\nDijk 29;1234 AB 's-Ginds\n",
        "postcode;nummer\n'1234AB;'29\n",
        "postcode;nummer\n1234AB;29.0\n",
    ] {
        check_row(table, HOUSE);
    }
    for table in [
        "postcode;huisnummer\n1234AB;12a-1\n",
        "postcode;nr;letter;toev\n1234AB;12;a;1\n",
        "postcode;nr;toevoeging\n1234AB;12;A1\n",
        "adres;postcode\nDijk 12 A-1;1234AB\n",
    ] {
        check_row(table, UNIT);
    }
}

#[test]
fn each_mistake_has_its_status_and_reason() {
    check_table(
        "postcode;nummer;toevoeging;straat;plaats",
        &[
            "1234AB;29;;Dijk;'s-Ginds → ok||Dijk|29||",
            "1234AX;29;;Dijk;'s-Ginds → corrected|postcode:not_found|Dijk|29||",
            ";29;;Dijk;'s-Ginds → corrected|postcode:missing|Dijk|29||",
            "12 34;29;;Dijk;'s-Ginds → corrected|postcode:malformed|Dijk|29||",
            "1300AA;29;;Dijk;'s-Ginds → corrected|postcode:different|Dijk|29||",
            "1234AB;29;;Dyk;'s-Ginds → corrected|street:different|Dijk|29||",
            "1234AB;29;;Dijk;s Gints → corrected|city:different|Dijk|29||",
            "1234AB;29;;;'s-Ginds → corrected|street:missing|Dijk|29||",
            "1234AB;12;002;Dijk;'s-Ginds → ok|addition:spelling|Dijk|12||2",
            "1234AB;29;Z;Dijk;'s-Ginds → not_found|addition:not_found|Dijk|29||",
            "1234AB;30;;Dijk;'s-Ginds → not_found|number:not_found|Dijk|29||",
            "9999ZZ;30;;Nergens;Niets → not_found|postcode:not_found city:not_found||||",
            "1234AB;;;;'s-Ginds → unreadable|number:missing||||",
            "1234AB;twaalf;;Dijk;'s-Ginds → unreadable|number:malformed||||",
            ";;;; → unreadable|row:missing||||",
        ],
    );
}

#[test]
fn a_number_with_several_units_is_ambiguous() {
    let output = check("postcode;nummer;straat\n1234AB;12;Dijk\n", "street");
    assert!(
        output.contains(";ambiguous;addition:missing;Dijk;"),
        "{output}"
    );
}

#[test]
fn quotes_line_breaks_and_blank_lines_are_kept() {
    let rows = [
        "\"Jan \"\"de\"\" A; B\";1234AB;29",
        "\"twee\nregels\";1234AB;29",
        "",
        "5\" pijp;1234AB;29",
        "\"\";\"1234AB\";\"29\"",
    ];
    let input = format!("naam;postcode;nr\n{}\n", rows.join("\n"));
    let output = check(&input, "number");
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
    let input = "naam;postcode;nr\r\na;1234AB;29\nb;1234AB;29\rc;1234AB;29\r\n\r\nd;1234AB;29";
    let output = check(input, "number");
    let rows = ["a", "b", "c"].map(|name| format!("{name};1234AB;29;ok;;29;0.991\r\n"));
    let expected = format!("{}\r\nd;1234AB;29;ok;;29;0.991\r\n", rows.concat());
    assert!(output.ends_with(&expected), "{output}");
    let only_cr = check(input.replace(['\r', '\n'], "\r"), "number");
    assert_eq!(only_cr.matches(";ok;;29;").count(), 4, "{only_cr}");
    assert!(!only_cr.contains('\r'), "{only_cr}");
}

#[test]
fn a_row_that_cannot_be_read_affects_no_other_row() {
    let input = "postcode;nr\n\"1234AB 29\n1234AB;29\n1234AB\n1234AB;29;;;x\n1234AB;29";
    let output = check(input, "number");
    let status = |row: &str| row.rsplit(';').nth(3).expect("a status").to_owned();
    let statuses: Vec<String> = output.lines().skip(1).map(status).collect();
    assert_eq!(
        statuses,
        ["unreadable", "ok", "unreadable", "ok", "ok"],
        "{output}"
    );
    let quoted = "\"\"\"1234AB 29\";;;;;unreadable;row:malformed";
    assert!(output.contains(quoted), "{output}");
}

#[test]
fn a_quote_that_opens_no_cell_joins_no_rows() {
    let row = |name: &str, number: &str| format!("{name};Dijk;{number};1234AB\n");
    let header = "naam;straat;nr;postcode\n";
    for name in ["\"t Zwaantje", "\"Jan\"", "19\" monitor", "tv 19\"", "Jan"] {
        let rows = [row("\"t Hoekje", "29"), row("Jan", "12"), row(name, "29")];
        let input = format!("{header}{}", rows.concat());
        let output = check(&input, "number");
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
    let output = check(format!("{header}{many}"), "number");
    assert_eq!(output.matches("1234AB;ok;;29;").count(), 62, "{output}");
}

#[test]
fn a_quoted_cell_may_have_many_lines() {
    let note = "regel, van de notitie\n".repeat(500);
    let row = |name: &str| format!("{name};1234AB;29;\"{note}einde\"");
    let input = format!("naam;postcode;nr;notitie\n{}\n{}\n", row("a"), row("b"));
    let output = check(input, "number");
    let [a, b] = ["a", "b"].map(|name| format!("\n{};ok;;29;0.991\n", row(name)));
    assert!(output.contains(&a) && output.ends_with(&b), "{output}");
}

#[test]
fn a_line_in_quotes_is_a_row() {
    let output = check(
        "naam,nr,postcode\nJan,29,1234AB\n\"\"\"Bos, J.\"\",29,1234AB\"\n",
        "number",
    );
    assert!(
        output.contains("\n\"Bos, J.\",29,1234AB,ok,,29,"),
        "{output}"
    );
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
    let output = check(format!("postcode;nr\n{rows}{long}{rows}"), "number");
    assert!(output.contains("\n1234AB;29;ok;;29;0.991;;\n"), "{output}");
    let with_cells = output.lines().find(|line| line.ends_with(";a;\"b;c\""));
    let with_cells = with_cells.expect("the row with its cells");
    assert!(
        with_cells.starts_with("1234AX;29;corrected;postcode:not_found row:extra_cells;"),
        "{with_cells}"
    );
    assert_eq!(output.lines().count(), 203);
    folder.write("in.csv", format!("postcode;nr\n{long}"));
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
    let row = "Zoë \"\"de\"\" 𝄞\t1234AB\t29\r\n";
    let text = format!("Naam\tPostcode\tHuisnummer\r\n{}", row.repeat(5_000));
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let output = check(utf16(&text, to_bytes), "street");
        let header = "\u{feff}Naam\tPostcode\tHuisnummer\tpostduif_status\tpostduif_reason\tpostduif_street\tpostduif_score\r\n";
        let expected = row.trim_end().to_owned() + "\tok\t\tDijk\t0.991\r\n";
        assert!(output == format!("{header}{}", expected.repeat(5_000)));
    }
    for unmarked in [u16::to_le_bytes, u16::to_be_bytes] {
        let message = refusal(&utf16("postcode;nr\n1234AB;29\n", unmarked)[2..]);
        assert!(message.contains("zero bytes"), "{message}");
    }
}

#[test]
fn encodings_and_line_ends_are_found() {
    let folder = CheckFolder::new();
    // Windows-1252 and UTF-8 in one file.
    let mixed = b"straat;nr;plaats\r\nDijk;29;'s-Ginds\r\nD\xefjk;29;'s-G\xc3\xadnds\r\n";
    let output = check(mixed, "street");
    assert!(output.starts_with('\u{feff}'), "spreadsheets need the mark");
    assert!(
        output.contains("\r\nDïjk;29;'s-Gínds;ok;;Dijk;"),
        "{output}"
    );
    assert_eq!(output.matches('\n').count(), output.matches("\r\n").count());
    let marked = check("\u{feff}postcode;nr\n1234AB;29\n", "street");
    assert!(
        marked.starts_with("\u{feff}postcode;nr;postduif_status"),
        "{marked}"
    );
    let plain = check("postcode;nr\n1234AB;29\n", "street");
    assert!(plain.starts_with("postcode;"), "{plain}");
    for (content, word) in [
        (
            &b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\n"[..],
            "old workbook (.xls)",
        ),
        (b"\xef\xbb\xbf\r\n<HTML><table>", "a web page"),
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"a;b\nc;d\n", "--columns"),
    ] {
        let message = refusal(content);
        assert!(message.contains(word), "{message}");
    }
    folder.write("in.csv", b"PK\x03\x04");
    let message = folder.run(&["in.csv", "--force"], 2);
    assert!(message.contains(".xlsx"), "{message}");
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

#[test]
fn zero_bytes_that_fill_a_cell_are_ignored() {
    for row in [
        "Dijk;12;A-1\0;1234AB",
        "Dijk\0\0\0;12\0;A-1\0\0;1234AB\0",
        "\"Dijk\0\";12;\"A-1\0\";1234AB",
    ] {
        check_row(format!("Straat;Nr;Toev;Postcode\n{row}\n"), UNIT);
    }
    check_row("Straat\0;Nr\0\0;Postcode\0\nDijk;29;1234AB\n", HOUSE);
}

#[test]
fn a_file_of_another_kind_is_refused_with_its_name() {
    #[rustfmt::skip]
    let cases = [
        (&b"{\"straat\":\"Dijk\",\"nr\":29,\"postcode\":\"1234AB\"}\n"[..], "JSON", "convert it to CSV"),
        (b"[\n  {\"straat\": \"Dijk\"}\n]\n", "JSON", "convert it to CSV"),
        (b"<table><tr><td>Dijk</td></tr></table>\n", "a web page", "in a spreadsheet program"),
        (b"%PDF-1.7\n%\xe2\xe3\n", "a PDF document", "export the addresses as CSV"),
        (b"{\\rtf1\\ansi Straat;Nr;Postcode\n", "a text document", "export the addresses as CSV"),
        (b"\x89PNG\r\n\x1a\n", "an image", "export the addresses as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old workbook (.xls)", "export the addresses as CSV"),
        (b"\x1f\x8b\x08\0", "a packed file", "unpack it"),
        (b"PK\x03\x04", "a ZIP archive", "unpack packed files"),
        (b"PK\x03\x04", "a workbook (.xlsx) on standard input", "give the name of a workbook"),
        (b"SQLite format 3\0", "a database", "export the addresses as CSV"),
        (b"\x03\0A\x02;Straat;Nr;Postcode\n", "zero bytes", "save it as CSV in UTF-8"),
    ];
    for (content, kind, action) in cases {
        let message = refusal(content);
        assert!(message.contains(kind), "{kind}: {message}");
        assert!(message.contains(action), "{action}: {message}");
    }
    check_row("[Straat];[Nr];[Postcode]\nDijk;29;1234AB\n", HOUSE);
    // With columns that were named, the first row may be such a cell.
    let folder = CheckFolder::new();
    folder.write(
        "in.csv",
        "{\"straat\": \"Dijk\", \"huisnummer\": 29, \"postcode\": \"1234AB\"}\n",
    );
    let args = [
        "in.csv", "--force", "--no-header", "--columns", "line=A", "--separator", "|",
    ];
    folder.run(&args, 0);
}
