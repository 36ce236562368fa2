//! Renders one operation: its parameters, a sample call, and its responses.

use serde_json::Value;

use super::html::{code_block, escape, paragraphs, render_inline, shell_block, table};
use super::{as_text, code, entries, items, resolve, types};

/// An operation with its path and method.
pub(super) struct Operation<'a> {
    pub(super) path: &'a str,
    method: &'a str,
    spec: &'a Value,
}

/// All operations, in the order of the description.
pub(super) fn operations(description: &Value) -> impl Iterator<Item = Operation<'_>> {
    entries(&description["paths"]).flat_map(|(path, methods)| {
        entries(methods).map(move |(method, spec)| Operation { path, method, spec })
    })
}

impl<'a> Operation<'a> {
    pub(super) fn id(&self) -> &'a str {
        as_text(&self.spec["operationId"])
    }

    pub(super) fn tag(&self) -> &'a str {
        as_text(&self.spec["tags"][0])
    }

    /// Each response with its status.
    pub(super) fn responses(
        &self,
        description: &'a Value,
    ) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let responses = entries(&self.spec["responses"]);
        responses.map(|(status, response)| (status, resolve(description, response)))
    }

    pub(super) fn render(&self, description: &Value) -> String {
        let (id, method) = (self.id(), self.method.to_uppercase());
        let (path, summary) = (
            escape(self.path),
            render_inline(as_text(&self.spec["summary"])),
        );
        let about = paragraphs(as_text(&self.spec["description"]));
        format!(
            "<article aria-labelledby=\"{id}\">\n<h3 id=\"{id}\"><span class=\"method\">{method}</span> {path}</h3>\n\
             <p class=\"summary\">{summary}</p>\n{about}{}{}{}{}</article>\n",
            self.render_parameters(),
            self.render_body(description),
            self.render_success(description),
            self.render_errors(description),
        )
    }

    fn render_parameters(&self) -> String {
        let rows = items(&self.spec["parameters"]).map(|parameter| {
            let required = match parameter["required"] == true {
                true => "",
                false => ", optional",
            };
            let place = format!("{}{required}", as_text(&parameter["in"]));
            [
                code(as_text(&parameter["name"])),
                place,
                types::type_text(&parameter["schema"]),
                render_inline(as_text(&parameter["description"])),
            ]
        });
        let table = table(["Parameter", "In", "Kind", "Description"], rows);
        match table.is_empty() {
            true => table,
            false => format!("<h4>Parameters</h4>\n{table}"),
        }
    }

    fn render_body(&self, description: &Value) -> String {
        match &self.spec["requestBody"] {
            Value::Null => String::new(),
            body => format!(
                "<h4>Body</h4>\n<p>{}</p>\n",
                types::content_types(description, body)
            ),
        }
    }

    /// The 200: each example as a call and its response.
    fn render_success(&self, description: &Value) -> String {
        let response = &self.spec["responses"]["200"];
        let sent = examples(&self.spec["requestBody"]);
        let calls = examples(response).map(|(name, example)| {
            let sent = find_example(sent.clone(), name);
            let curl = curl_command(as_text(&example["summary"]), sent);
            let body_json = serde_json::to_string_pretty(&example["value"]);
            shell_block(&curl) + &code_block(&body_json.expect("JSON from JSON"))
        });
        let about = render_inline(as_text(&response["description"]));
        let content = types::content_types(description, response);
        let calls: String = calls.collect();
        format!("<h4>200</h4>\n<p>{about} {content}</p>\n{calls}")
    }

    /// All other statuses, with their bodies.
    fn render_errors(&self, description: &Value) -> String {
        let errors = self
            .responses(description)
            .filter(|(status, _)| *status != "200");
        let rows = errors.map(|(status, response)| {
            let bodies = examples(response).map(|(_, example)| {
                let about = render_inline(as_text(&example["summary"]));
                format!("<li>{about}: {}</li>", code(&example["value"].to_string()))
            });
            let bodies: String = bodies.collect();
            let about = render_inline(as_text(&response["description"]));
            [status.to_owned(), format!("{about}<ul>{bodies}</ul>")]
        });
        let table = table(["Status", "When, and the body"], rows);
        format!("<h4>Otherwise</h4>\n{table}")
    }
}

/// The examples of a request's body, or of a response.
fn examples(part: &Value) -> impl Iterator<Item = (&str, &Value)> + Clone {
    let contents = part["content"].as_object().into_iter().flatten();
    contents.flat_map(|(_, content)| {
        let examples = content["examples"].as_object().into_iter().flatten();
        examples.map(|(name, example)| (name.as_str(), example))
    })
}

fn find_example<'a>(
    mut examples: impl Iterator<Item = (&'a str, &'a Value)>,
    name: &str,
) -> Option<&'a Value> {
    let (_, example) = examples.find(|(other, _)| *other == name)?;
    Some(&example["value"])
}

/// The shell command for a request such as `GET /path`.
fn curl_command(request: &str, sent: Option<&Value>) -> String {
    let (_, path) = request.split_once(' ').unwrap_or_default();
    let curl = format!("curl -H \"X-Api-Key: $KEY\" \"$BASE{path}\"");
    match sent {
        Some(body) => format!("{curl} \\\n  --json '{body}'"),
        None => curl,
    }
}
