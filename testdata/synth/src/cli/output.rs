//! Prints the contents of the deliveries, as text or as JSON.

use std::io::{self, Write};
use std::path::Path;
use synth::{DeliveriesSummary, ExtractSummary};

pub(crate) fn print_text(
    path: &Path,
    extract: &ExtractSummary,
    days: Option<&DeliveriesSummary>,
    out: &mut dyn Write,
) -> io::Result<()> {
    print_extract(path, extract, out)?;
    writeln!(
        out,
        "not to be served: {} without a postcode, {} withdrawn",
        extract.without_postcode, extract.withdrawn
    )?;
    let Some(days) = days else { return Ok(()) };
    for (path, groups) in days.deliveries.iter().zip(&days.groups) {
        writeln!(out, "{}: {groups} groups of mutations", path.display())?;
    }
    for (name, count) in &days.changes {
        writeln!(out, "  {count:>8} {name}")?;
    }
    print_extract(&days.end, &days.end_summary, out)?;
    let expected = days.expected.display();
    writeln!(out, "{expected}: these addresses as JSON, one per line")
}

fn print_extract(path: &Path, extract: &ExtractSummary, out: &mut dyn Write) -> io::Result<()> {
    let path = path.display();
    let (served, bytes) = (extract.served, extract.xml_bytes);
    writeln!(out, "{path}: {served} addresses in {bytes} bytes of XML")
}

pub(crate) fn print_json(
    extract: &ExtractSummary,
    days: Option<&DeliveriesSummary>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut counts = serde_json::json!({
        "addresses": extract.served,
        "withoutPostcode": extract.without_postcode,
        "withdrawn": extract.withdrawn,
        "xmlBytes": extract.xml_bytes,
    });
    if let Some(days) = days {
        counts["deliveries"] = serde_json::json!({
            "files": days.deliveries,
            "groups": days.groups,
            "shapes": days.changes,
            "xmlBytes": days.xml_bytes,
            "end": days.end,
            "endAddresses": days.end_summary.served,
            "expected": days.expected,
        });
    }
    writeln!(out, "{counts}")
}
