//! Tests workbooks: which sheet `check` reads, and how the cells of the sheet become text.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};

use super::{CheckFolder, stderr_of};

/// Two rows of a sheet. Their cells contain texts and numbers.
const SHEET_ROWS: &str = r#"<row r="1"><c r="A1" t="inlineStr"><is><t>Naam; voluit</t></is></c><c r="B1" t="inlineStr"><is><t>Postcode</t></is></c><c r="C1" t="inlineStr"><is><t>Huisnummer</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>A</t></is></c><c r="B2" t="inlineStr"><is><t>1234AB</t></is></c><c r="C2"><v>29</v></c></row>"#;

/// Builds a minimal workbook: one sheet with these rows.
fn workbook(rows: &str) -> Vec<u8> {
    workbook_of(&[("Klanten", "visible", rows)], &[])
}

/// Builds a workbook with these sheets, each of which has a name, a state and rows. `parts` are further files in the archive.
fn workbook_of(sheets: &[(&str, &str, &str)], parts: &[(&str, &str)]) -> Vec<u8> {
    let (mut list, mut relations, mut files) = (String::new(), String::new(), Vec::new());
    for (index, (name, state, rows)) in (1..).zip(sheets) {
        write!(
            list,
            r#"<sheet name="{name}" state="{state}" sheetId="{index}" r:id="rId{index}"/>"#
        )
        .expect("writes");
        write!(relations, r#"<Relationship Id="rId{index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet{index}.xml"/>"#).expect("writes");
        files.push((format!("xl/worksheets/sheet{index}.xml"), format!(r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData></worksheet>"#)));
    }
    let list = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{list}</sheets></workbook>"#
    );
    let relations = format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relations}</Relationships>"#
    );
    let fixed: [(&str, &str); 4] = [
        (
            "[Content_Types].xml",
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        ("xl/workbook.xml", &list),
        ("xl/_rels/workbook.xml.rels", &relations),
    ];
    let fixed = fixed.iter().chain(parts);
    files.extend(fixed.map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        let options = zip::write::SimpleFileOptions::default();
        archive.start_file(name, options).expect("a new file");
        archive.write_all(text.as_bytes()).expect("writes");
    }
    archive.finish().expect("writes").into_inner()
}

#[test]
fn a_workbook_becomes_a_table() {
    let folder = CheckFolder::new();
    folder.write("in.xlsx", workbook(SHEET_ROWS));
    folder.run(&["in.xlsx", "--fields", "street"], 0);
    let output = folder.read("in.checked.csv");
    assert!(
        output.starts_with("\"Naam; voluit\";Postcode;Huisnummer;postduif_status;"),
        "{output}"
    );
    assert!(
        output.ends_with("\nA;1234AB;29;ok;;Dijk;0.991\n"),
        "{output}"
    );
    let message = folder.run(&["in.xlsx", "--force", "--separator", ";"], 64);
    assert!(message.contains("a workbook has no separator"), "{message}");
    folder.write("in.xlsx", "no workbook");
    let message = folder.run(&["in.xlsx", "--force"], 2);
    assert!(
        message.contains("in.xlsx: it is not an .xlsx workbook: open it"),
        "{message}"
    );
}

#[test]
fn formulas_without_a_value_are_reported() {
    let folder = CheckFolder::new();
    let formulas = r#"<c r="B3"><f>UPPER("1234ab")</f><v></v></c><c r="C3"><f>28+1</f></c><c r="D3" t="str"><f>""</f><v></v></c>"#;
    let rows =
        format!(r#"{SHEET_ROWS}<row r="3">{formulas}<c r="E3"><f>1+1</f><v>2</v></c></row>"#);
    folder.write("in.xlsx", workbook(&rows));
    let message = folder.run(&["in.xlsx"], 0);
    let warning = "warning: sheet Klanten: 2 formulas have no stored value, so their cells are read as empty; open the workbook in";
    assert!(message.contains(warning), "{message}");
    folder.write(
        "in.xlsx",
        workbook(&format!(r#"<row r="3">{formulas}</row>"#)),
    );
    let message = folder.run(&["in.xlsx", "--force"], 2);
    let reason = "the workbook has no rows with values: 2 formulas have no stored value";
    assert!(message.contains(reason), "{message}");
}

#[test]
fn a_workbook_on_standard_input_is_refused() {
    let folder = CheckFolder::new();
    let path = folder.write("in.xlsx", workbook(SHEET_ROWS));
    let input = fs::File::open(path).expect("opens");
    let mut command = folder.command(&["-"]);
    let output = command.stdin(input).output().expect("the binary runs");
    let message = stderr_of(&output, 2);
    let action = "give the name of a workbook, because it cannot be read from a pipe";
    assert!(message.contains(action), "{message}");
}

#[test]
fn a_workbook_may_have_another_extension() {
    let folder = CheckFolder::new();
    folder.write("in.xls", workbook(SHEET_ROWS));
    folder.run(&["in.xls", "--fields", "street"], 0);
    let output = folder.read("in.checked.csv");
    assert!(
        output.ends_with("\nA;1234AB;29;ok;;Dijk;0.991\n"),
        "{output}"
    );
}

#[test]
fn missing_cells_between_distant_cells_of_a_sheet_take_no_memory() {
    let folder = CheckFolder::new();
    let cell =
        |name: &str, row: u32| format!(r#"<row r="{row}"><c r="{name}{row}"><v>1</v></c></row>"#);
    let wide = format!("{SHEET_ROWS}{}", cell("XFD", 1_048_576));
    folder.write("in.xlsx", workbook(&wide));
    let message = folder.run(&["in.xlsx"], 2);
    assert!(
        message.contains("row 1048576 and column 16384"),
        "{message}"
    );
    let unordered = format!("{SHEET_ROWS}{}", cell("A", 1));
    folder.write("in.xlsx", workbook(&unordered));
    let message = folder.run(&["in.xlsx"], 2);
    assert!(message.contains("expected rows in order"), "{message}");
    let gap = format!("{SHEET_ROWS}{}", cell("A", 5));
    folder.write("in.xlsx", workbook(&gap));
    folder.run(&["in.xlsx", "--fields", "street"], 0);
    let output = folder.read("in.checked.csv");
    assert_eq!(output.lines().count(), 5, "{output}");
}

/// Two cell styles. The second one is a date.
const STYLES: &str = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#;

#[test]
fn cells_of_every_type_become_text() {
    let folder = CheckFolder::new();
    let header = [
        "sinds", "tijd", "actief", "bedrag", "postcode", "nr", "fout",
    ];
    let header: String = header
        .map(|name| format!(r#"<c t="inlineStr"><is><t>{name}</t></is></c>"#))
        .concat();
    // A date, a date with a time, a boolean, a fraction, a formula with its text, a number stored as 29.0, and an error.
    let row = r#"<c s="1"><v>46034</v></c><c s="1"><v>46034.5</v></c><c t="b"><v>1</v></c><c><v>19.95</v></c><c t="str"><f>A1&amp;B1</f><v>1234AB</v></c><c><v>29.0</v></c><c t="e"><v>#N/A</v></c>"#;
    // The spreadsheet has turned house number 12-1 into a date; the register has 12A-1. An empty row comes before the row with this date.
    let date =
        r#"<c r="E5" t="inlineStr"><is><t>1234AB</t></is></c><c r="F5" s="1"><v>46034</v></c>"#;
    let rows = format!(r#"<row r="2">{header}</row><row r="3">{row}</row><row r="5">{date}</row>"#);
    let sheets = [("Klanten", "visible", &*rows)];
    folder.write(
        "in.xlsx",
        workbook_of(&sheets, &[("xl/styles.xml", STYLES)]),
    );
    folder.run(&["in.xlsx", "--fields", "street"], 0);
    let output = folder.read("in.checked.csv");
    let rows: Vec<&str> = output.lines().skip(1).collect();
    assert_eq!(
        rows,
        [
            "2026-01-12;2026-01-12 12:00:00;true;19.95;1234AB;29;#N/A;ok;;Dijk;0.991",
            "",
            ";;;;1234AB;2026-01-12;;corrected;addition:spelling number:malformed;Dijk;0.490"
        ]
    );
}

#[test]
fn the_first_visible_sheet_with_rows_is_read() {
    let folder = CheckFolder::new();
    let other = r#"<row r="1"><c><v>1</v></c></row>"#;
    let sheets = [
        ("Lijsten", "hidden", other),
        ("Leeg", "visible", ""),
        ("Klanten", "visible", SHEET_ROWS),
        ("Oud", "visible", other),
    ];
    folder.write("in.xlsx", workbook_of(&sheets, &[]));
    folder.run(&["in.xlsx", "--fields", "street"], 0);
    assert!(
        folder
            .read("in.checked.csv")
            .ends_with("\nA;1234AB;29;ok;;Dijk;0.991\n")
    );
    let hidden = [
        ("Leeg", "visible", ""),
        ("Klanten", "veryHidden", SHEET_ROWS),
    ];
    folder.write("in.xlsx", workbook_of(&hidden, &[]));
    folder.run(&["in.xlsx", "--force"], 0);
    folder.write("in.xlsx", workbook(""));
    let message = folder.run(&["in.xlsx", "--force"], 2);
    assert!(message.contains("has no rows"), "{message}");
}

#[test]
fn the_sheet_with_addresses_or_the_named_sheet_is_read() {
    let folder = CheckFolder::new();
    let notes = r#"<row r="1"><c t="inlineStr"><is><t>Gemaakt op 12 januari</t></is></c></row>"#;
    let hidden = SHEET_ROWS.replace("29", "31");
    let sheets = [
        ("Oud", "hidden", &*hidden),
        ("Uitleg", "visible", notes),
        ("Klanten", "visible", SHEET_ROWS),
    ];
    folder.write("in.xlsx", workbook_of(&sheets, &[]));
    let run = |arguments: &[&str], code: i32| {
        let all = [&["in.xlsx", "--force", "--fields", "street"], arguments].concat();
        folder.run(&all, code)
    };
    let message = run(&[], 0);
    assert!(
        message.contains("sheet: Klanten; not used: Oud, Uitleg\n"),
        "{message}"
    );
    let output = folder.read("in.checked.csv");
    assert!(output.ends_with(";1234AB;29;ok;;Dijk;0.991\n"), "{output}");
    for sheet in ["oud", "1"] {
        run(&["--sheet", sheet], 0);
        let output = folder.read("in.checked.csv");
        assert!(output.contains("A;1234AB;31;"), "{sheet}: {output}");
    }
    let message = run(&["--sheet", "Klant"], 2);
    assert!(
        message.contains("no sheet \"Klant\"; the sheets are Oud, Uitleg, Klanten"),
        "{message}"
    );
    run(&["--sheet", "0"], 2);
    // A hidden sheet is not read, even if the visible sheet has no addresses.
    folder.write("in.xlsx", workbook_of(&sheets[..2], &[]));
    let message = run(&[], 2);
    assert!(message.contains("A=Gemaakt op 12 januari"), "{message}");
    folder.write("in.csv", "postcode;nr\n1234AB;29\n");
    let message = folder.run(&["in.csv", "--sheet", "1"], 64);
    assert!(message.contains("only a workbook"), "{message}");
}

#[test]
fn many_rows_of_a_workbook_keep_their_order() {
    let folder = CheckFolder::new();
    let mut rows = SHEET_ROWS.to_owned();
    for row in 3..6_000 {
        write!(rows, r#"<row r="{row}"><c><v>{row}</v></c><c t="inlineStr"><is><t>1234AB</t></is></c><c><v>29</v></c></row>"#).expect("writes");
    }
    folder.write("in.xlsx", workbook(&rows));
    folder.run(&["in.xlsx", "--fields", "street"], 0);
    let output = folder.read("in.checked.csv");
    let found: Vec<&str> = output.lines().skip(2).collect();
    let expected: Vec<String> = (3..6_000)
        .map(|row| format!("{row};1234AB;29;ok;;Dijk;0.991"))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn a_number_of_texts_that_exceeds_the_memory_is_refused() {
    let folder = CheckFolder::new();
    let texts = r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" uniqueCount="18446744073709551615"/>"#;
    let sheets = [("Klanten", "visible", SHEET_ROWS)];
    folder.write(
        "in.xlsx",
        workbook_of(&sheets, &[("xl/sharedStrings.xml", texts)]),
    );
    let message = folder.run(&["in.xlsx"], 2);
    assert!(message.contains("uniqueCount"), "{message}");
}
