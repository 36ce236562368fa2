//! Renders one operation of the API: on the left its parameters, its body and its responses, on the right a sample of each call.

use serde_json::Value;

use super::errors::render_errors;
use super::html::{Field, field_list};
use super::literal_syntax::JSON;
use super::page::Page;
use super::samples::{Call, render_call};
use super::titles::operation_title;
use super::{as_text, code, entries, examples, highlight, items, types};
use html_escape::encode_double_quoted_attribute as escape;

/// An answer with more lines than this scrolls in a box of its own.
const MAX_ANSWER_LINES: usize = 34;

/// An operation with its path and method.
pub(super) struct Operation<'a> {
    path: &'a str,
    method: &'a str,
    spec: &'a Value,
}

/// All operations, in the order of the OpenAPI description.
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

    pub(super) fn summary(&self) -> &'a str {
        as_text(&self.spec["summary"])
    }

    /// The responses, each with its status.
    pub(super) fn responses(&self, page: &Page<'a>) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let responses = entries(&self.spec["responses"]);
        responses.map(|(status, response)| (status, page.resolve(response)))
    }

    pub(super) fn render(&self, page: &Page<'a>) -> String {
        let (id, path) = (self.id(), code(self.path));
        let (method, verb) = (self.method, self.method.to_uppercase());
        format!(
            "<article class=\"split\" aria-labelledby=\"{id}\">\n<div class=\"text\">\n<h3 id=\"{id}\">{title}</h3>\n\
             <p class=\"endpoint\"><span class=\"verb {method}\">{verb}</span> {path}</p>\n\
             <p class=\"summary\">{summary}.</p>\n{about}{parameters}{body}{success}{errors}</div>\n{samples}</article>\n",
            title = page.translate_and_escape(operation_title(id, self.summary())),
            summary = page.translate_inline(self.summary()),
            about = page.paragraphs(as_text(&self.spec["description"])),
            parameters = self.render_parameters(page),
            body = self.render_body(page),
            success = self.render_success(page),
            errors = render_errors(page, self.responses(page)),
            samples = self.render_samples(page),
        )
    }

    fn render_parameters(&self, page: &Page<'_>) -> String {
        let fields = items(&self.spec["parameters"]).map(|parameter| {
            let place = match parameter["in"] == "path" {
                true => page.translate_and_escape("in the path"),
                false => page.translate_and_escape("in the query"),
            };
            let kind = types::type_text(page, &parameter["schema"]);
            Field {
                name: code(as_text(&parameter["name"])),
                mark: page.required_mark(parameter["required"] == true),
                kind: format!("{place}, {kind}"),
                about: page.translate_inline(as_text(&parameter["description"])),
            }
        });
        let list = field_list(fields);
        match list.is_empty() {
            true => list,
            false => format!(
                "<h4>{}</h4>\n{list}",
                page.translate_and_escape("Parameters")
            ),
        }
    }

    fn render_body(&self, page: &Page<'a>) -> String {
        match &self.spec["requestBody"] {
            Value::Null => String::new(),
            body => format!(
                "<h4>{}</h4>\n<p>{}</p>\n",
                page.translate_and_escape("Body"),
                types::content_types(page, body)
            ),
        }
    }

    fn render_success(&self, page: &Page<'a>) -> String {
        let responses = self.responses(page);
        let successes = responses.filter(|(status, _)| status.starts_with(['2', '3']));
        let rendered = successes.map(|(status, response)| {
            format!(
                "<h4>{} {status}</h4>\n<p>{} {}</p>\n",
                page.translate_and_escape("Response"),
                page.translate_inline(as_text(&response["description"])),
                types::content_types(page, response)
            )
        });
        rendered.collect()
    }

    /// The call that the example `name` shows. `request` is the summary of that example, such as `GET /path`.
    fn call(&self, name: &str, request: &str) -> Call<'a> {
        let mut sent = examples(&self.spec["requestBody"]);
        let body = sent.find(|(other, _)| *other == name);
        Call::new(request, body.map(|(_, example)| &example["value"]))
    }

    /// The call in the first example.
    pub(super) fn first_call(&self) -> Option<Call<'a>> {
        let (name, example) = examples(&self.spec["responses"]["200"]).next()?;
        Some(self.call(name, as_text(&example["summary"])))
    }

    /// Renders each example of a 200 as a call and its answer. All examples but the first are collapsed.
    fn render_samples(&self, page: &Page<'_>) -> String {
        let samples = examples(&self.spec["responses"]["200"]).enumerate();
        let samples = samples.map(|(at, (name, example))| {
            let request = as_text(&example["summary"]);
            let panels =
                render_call(&self.call(name, request)) + &render_answer(page, &example["value"]);
            let request = escape(request);
            match at {
                0 => format!("<div role=\"group\" aria-label=\"{request}\">\n{panels}</div>\n"),
                _ => format!(
                    "<details><summary>{} <code>{request}</code></summary>\n{panels}</details>\n",
                    page.translate_and_escape("Another sample:")
                ),
            }
        });
        let samples: String = samples.collect();
        format!("<div class=\"samples\">\n{samples}</div>\n")
    }
}

fn render_answer(page: &Page<'_>, body: &Value) -> String {
    let text = JSON.write(body);
    let long = match text.lines().count() > MAX_ANSWER_LINES {
        true => " class=\"long\" tabindex=\"0\"",
        false => "",
    };
    format!(
        "<div class=\"panel answer\">\n<div class=\"head\"><span>{} 200</span></div>\n<pre{long}><code>{}</code></pre>\n</div>\n",
        page.translate_and_escape("Response"),
        highlight::render(&text)
    )
}
