//! One operation: what it takes, how it is called, and all that it answers.

use serde_json::Value;

use super::html::{block, call, escaped, inline, prose, table};
use super::{code, fields, list, resolved, text, types};

/// An operation under its path and method.
pub(super) struct Operation<'a> {
    pub(super) path: &'a str,
    method: &'a str,
    told: &'a Value,
}

/// All operations, in the order of the description.
pub(super) fn operations(description: &Value) -> impl Iterator<Item = Operation<'_>> {
    fields(&description["paths"]).flat_map(|(path, methods)| {
        fields(methods).map(move |(method, told)| Operation { path, method, told })
    })
}

impl<'a> Operation<'a> {
    pub(super) fn id(&self) -> &'a str {
        text(&self.told["operationId"])
    }

    pub(super) fn tag(&self) -> &'a str {
        text(&self.told["tags"][0])
    }

    /// Each response under its status.
    pub(super) fn responses(
        &self,
        description: &'a Value,
    ) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let responses = fields(&self.told["responses"]);
        responses.map(|(status, response)| (status, resolved(description, response)))
    }

    pub(super) fn written(&self, description: &Value) -> String {
        let (id, method) = (self.id(), self.method.to_uppercase());
        let (path, summary) = (escaped(self.path), inline(text(&self.told["summary"])));
        let about = prose(text(&self.told["description"]));
        format!(
            "<article aria-labelledby=\"{id}\">\n<h3 id=\"{id}\"><span class=\"method\">{method}</span> {path}</h3>\n\
             <p class=\"summary\">{summary}</p>\n{about}{}{}{}{}</article>\n",
            self.parameters(),
            self.body(description),
            self.answer(description),
            self.errors(description),
        )
    }

    fn parameters(&self) -> String {
        let rows = list(&self.told["parameters"]).map(|parameter| {
            let required = match parameter["required"] == true {
                true => "",
                false => ", optional",
            };
            let place = format!("{}{required}", text(&parameter["in"]));
            [
                code(text(&parameter["name"])),
                place,
                types::kind(&parameter["schema"]),
                inline(text(&parameter["description"])),
            ]
        });
        let table = table(["Parameter", "In", "Kind", "What it is"], rows);
        match table.is_empty() {
            true => table,
            false => format!("<h4>Parameters</h4>\n{table}"),
        }
    }

    fn body(&self, description: &Value) -> String {
        match &self.told["requestBody"] {
            Value::Null => String::new(),
            body => format!(
                "<h4>Body</h4>\n<p>{}</p>\n",
                types::of_content(description, body)
            ),
        }
    }

    /// The 200: each example as a call and what comes back.
    fn answer(&self, description: &Value) -> String {
        let found = &self.told["responses"]["200"];
        let sent = examples(&self.told["requestBody"]);
        let calls = examples(found).map(|(name, example)| {
            let sent = sent_with(sent.clone(), name);
            let curl = curl(text(&example["summary"]), sent);
            let told = serde_json::to_string_pretty(&example["value"]);
            call(&curl) + &block(&told.expect("JSON from JSON"))
        });
        let about = inline(text(&found["description"]));
        let content = types::of_content(description, found);
        let calls: String = calls.collect();
        format!("<h4>200</h4>\n<p>{about} {content}</p>\n{calls}")
    }

    /// All other statuses, with the very bodies.
    fn errors(&self, description: &Value) -> String {
        let errors = self
            .responses(description)
            .filter(|(status, _)| *status != "200");
        let rows = errors.map(|(status, response)| {
            let bodies = examples(response).map(|(_, example)| {
                let about = inline(text(&example["summary"]));
                format!("<li>{about}: {}</li>", code(&example["value"].to_string()))
            });
            let bodies: String = bodies.collect();
            let about = inline(text(&response["description"]));
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

fn sent_with<'a>(
    mut sent: impl Iterator<Item = (&'a str, &'a Value)>,
    name: &str,
) -> Option<&'a Value> {
    let (_, example) = sent.find(|(other, _)| *other == name)?;
    Some(&example["value"])
}

/// A call of the shell, from a request such as `GET /path`.
fn curl(request: &str, sent: Option<&Value>) -> String {
    let (_, path) = request.split_once(' ').unwrap_or_default();
    let curl = format!("curl -H \"X-Api-Key: $KEY\" \"$BASE{path}\"");
    match sent {
        Some(body) => format!("{curl} \\\n  --json '{body}'"),
        None => curl,
    }
}
