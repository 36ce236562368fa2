//! Renders the errors of an operation. Each status has one line, which can be opened to show its bodies.

use serde_json::Value;

use super::page::Page;
use super::{as_text, code, examples};

/// Renders the errors of all statuses.
pub(super) fn render_errors<'a>(
    page: &Page<'_>,
    responses: impl Iterator<Item = (&'a str, &'a Value)>,
) -> String {
    let errors = responses.filter(|(status, _)| status.starts_with(['4', '5']));
    let errors: String = errors
        .map(|(status, response)| render_error(page, status, response))
        .collect();
    format!(
        "<h4>{}</h4>\n<div class=\"errors\">\n{errors}</div>\n",
        page.words("Errors")
    )
}

fn render_error(page: &Page<'_>, status: &str, response: &Value) -> String {
    let bodies = examples(response).map(|(_, example)| {
        let about = page.inline(as_text(&example["summary"]));
        format!(
            "<li>{about}: {}</li>\n",
            code(&example["value"].to_string())
        )
    });
    let bodies: String = bodies.collect();
    let about = page.inline(as_text(&response["description"]));
    format!(
        "<details><summary><b>{status}</b> <span>{about}</span></summary>\n<ul>\n{bodies}</ul></details>\n"
    )
}
