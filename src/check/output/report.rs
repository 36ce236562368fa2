//! Renders the report of a checked file as one HTML page that needs no scripts or other files and can be printed.

use super::summary::CheckSummary;
use crate::check::rows::CheckStatus;
use crate::check::table::TableFormat;
use html_escape::encode_double_quoted_attribute as escape;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}\
h1{font-size:1.6rem;margin-bottom:0}h2{font-size:1.15rem;margin-top:2rem}p{margin:.3rem 0}\
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}\
table+table{margin-top:1.2rem}table.samples{table-layout:fixed}strong{white-space:nowrap}td.n,th.n{text-align:right;white-space:nowrap}svg,strong{print-color-adjust:exact}svg{width:100%;height:2rem;display:block;margin:1rem 0}code{font-size:.9em}\
@media print{body{margin:0;max-width:none;font-size:11pt}h2,tr{break-inside:avoid}h2{break-after:avoid}}";

/// The colour of a status in the report, and the advice to the reader.
fn status_colour_and_advice(status: CheckStatus) -> (&'static str, &'static str) {
    match status {
        CheckStatus::Ok => ("#2e7d32", "The address is right. Nothing to do."),
        CheckStatus::Corrected => (
            "#1565c0",
            "The address was found, and some fields were wrong or missing. Accept the corrections with a score of at least 0.95 \
             (<code>--apply</code> does), and look at the others.",
        ),
        CheckStatus::Ambiguous => (
            "#8e24aa",
            "Several addresses fit, often because the addition was left out. Ask the customer which one.",
        ),
        CheckStatus::NotFound => (
            "#c62828",
            "The register has no such address. It may be new, or the number is wrong: ask the customer. The nearest address is given \
             where there is one; check it before you accept it.",
        ),
        CheckStatus::Unreadable => (
            "#616161",
            "The row has no address that can be read. Correct it in the source, and check again.",
        ),
    }
}

/// Renders the report as an HTML page. `file` is the name of the checked file.
pub fn render_report(
    file: &str,
    generation: &str,
    (table, summary): (&TableFormat, &CheckSummary),
) -> String {
    let mut page = String::new();
    let name = escape(file);
    page.push_str("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width\">");
    page.push_str(&format!(
        "<title>Addresses of {name}</title><style>{STYLE}</style></head><body>\n"
    ));
    page.push_str(&format!("<h1>Addresses of {name}</h1>\n"));
    page.push_str(&format!(
        "<p>{} rows, checked against the register of {}</p>\n",
        summary.rows(),
        escape(generation)
    ));
    push_columns(&mut page, table);
    push_status_bar(&mut page, summary);
    push_statuses(&mut page, summary);
    push_reasons(&mut page, summary);
    push_corrections(&mut page, summary);
    page.push_str("</body></html>\n");
    page
}

fn push_columns(page: &mut String, table: &TableFormat) {
    let used = table.describe_used_columns();
    let used = escape(&used);
    page.push_str(&format!("<p>Columns: {used}</p>\n"));
    let unused = table.describe_unused_columns();
    if !unused.is_empty() {
        let unused = escape(&unused);
        page.push_str(&format!("<p>Not used: {unused}</p>\n"));
    }
}

/// Adds a bar with the share of each status.
fn push_status_bar(page: &mut String, summary: &CheckSummary) {
    page.push_str("<svg viewBox=\"0 0 1000 32\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Share of each status\">");
    let mut from = 0.0;
    for status in CheckStatus::ALL {
        let width = 10.0 * summary.percent(summary.count(status));
        let (colour, _) = status_colour_and_advice(status);
        page.push_str(&format!(
            "<rect x=\"{from:.2}\" width=\"{width:.2}\" height=\"32\" fill=\"{colour}\"><title>{status}</title></rect>"
        ));
        from += width;
    }
    page.push_str("</svg>\n");
}

fn push_statuses(page: &mut String, summary: &CheckSummary) {
    page.push_str("<h2>What to do</h2>\n<table><tr><th>status</th><th class=\"n\">rows</th><th class=\"n\">share</th><th>what to do</th></tr>\n");
    for status in CheckStatus::ALL {
        let count = summary.count(status);
        let (colour, advice) = status_colour_and_advice(status);
        let percent = summary.percent(count);
        page.push_str(&format!(
            "<tr><td><strong style=\"color:{colour}\">{status}</strong></td><td class=\"n\">{count}</td><td class=\"n\">{percent:.1}%</td><td>{advice}</td></tr>\n"
        ));
    }
    page.push_str("</table>\n");
}

fn push_reasons(page: &mut String, summary: &CheckSummary) {
    if summary.reasons.is_empty() {
        return;
    }
    page.push_str("<h2>Mistakes</h2>\n");
    let mut reasons: Vec<_> = summary.reasons.iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(a.1));
    for (reason, count) in reasons {
        page.push_str(&format!(
            "<table class=\"samples\"><tr><th>{}: {count} rows, such as</th><th>in the register</th></tr>\n",
            escape(&reason.replace([':', '_'], " "))
        ));
        for sample in summary.samples.get(reason).into_iter().flatten() {
            let [entered, found] = [&sample.entered, &sample.found].map(|text| escape(text));
            page.push_str(&format!("<tr><td>{entered}</td><td>{found}</td></tr>\n"));
        }
        page.push_str("</table>\n");
    }
}

fn push_corrections(page: &mut String, summary: &CheckSummary) {
    let corrections = summary.top_corrections();
    if corrections.is_empty() {
        return;
    }
    page.push_str("<h2>Most frequent corrections</h2>\n<table>\n");
    for (correction, count) in corrections {
        page.push_str(&format!(
            "<tr><td>{}</td><td class=\"n\">{count}</td></tr>\n",
            escape(correction)
        ));
    }
    page.push_str("</table>\n");
}
