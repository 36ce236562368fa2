//! Writes samples of a call in four programming languages, from the call's method, path and body. `tests/it/samples.rs` runs the samples.

use serde_json::Value;

use super::literal_syntax::{JAVASCRIPT, JSON, PHP, PYTHON, php_string};
use super::{PLACEHOLDER, highlight};
use crate::accounts::TRIAL_KEY;

/// A programming language in which samples are written.
pub(super) struct SampleLanguage {
    /// The language's name in `docs.css` and `docs.js`.
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    write: fn(&Call<'_>) -> String,
}

/// All programming languages. The first one is shown until the visitor chooses.
pub(super) const LANGUAGES: [SampleLanguage; 4] = [
    SampleLanguage {
        id: "curl",
        title: "curl",
        write: |call| call.to_curl(),
    },
    SampleLanguage {
        id: "javascript",
        title: "JavaScript",
        write: |call| call.to_javascript(),
    },
    SampleLanguage {
        id: "php",
        title: "PHP",
        write: |call| call.to_php(),
    },
    SampleLanguage {
        id: "python",
        title: "Python",
        write: |call| call.to_python(),
    },
];

/// A call that a sample makes.
pub(super) struct Call<'a> {
    url: String,
    body: Option<&'a Value>,
}

impl<'a> Call<'a> {
    /// Makes a call from a request such as `GET /path?query`. The call is a POST if it has a body.
    pub(super) fn new(request: &str, body: Option<&'a Value>) -> Self {
        let (_, path) = request.split_once(' ').unwrap_or_default();
        Self {
            url: format!("{PLACEHOLDER}{path}"),
            body,
        }
    }

    fn to_curl(&self) -> String {
        let mut lines = vec![
            format!("curl '{}'", self.url),
            format!("-H 'X-Api-Key: {TRIAL_KEY}'"),
        ];
        if let Some(body) = self.body {
            let body = JSON.write(body);
            lines.push("-H 'Content-Type: application/json'".to_owned());
            lines.push(format!("-d '{}'", body.replace('\'', r"'\''")));
        }
        lines.join(" \\\n  ")
    }

    fn to_javascript(&self) -> String {
        let url = &self.url;
        let mut code = format!("const url = \"{url}\";\nconst key = \"{TRIAL_KEY}\";\n");
        let options = match self.body {
            None => "  headers: { \"X-Api-Key\": key },\n",
            Some(body) => {
                let body = JAVASCRIPT.write(body);
                code += &format!("const body = {body};\n");
                "  method: \"POST\",\n  headers: { \"X-Api-Key\": key, \"Content-Type\": \"application/json\" },\n  \
                 body: JSON.stringify(body),\n"
            }
        };
        code += &format!(
            "\nconst response = await fetch(url, {{\n{options}}});\nconst answer = await response.json();\n\
                 console.log(JSON.stringify(answer, null, 2));"
        );
        code
    }

    fn to_php(&self) -> String {
        let (url, key) = (php_string(&self.url), php_string(TRIAL_KEY));
        let mut code = format!("<?php\n$url = {url};\n$key = {key};\n");
        let options = match self.body {
            None => "    'header' => [\"X-Api-Key: $key\"],\n",
            Some(body) => {
                let body = PHP.write(body);
                code += &format!("$body = {body};\n");
                "    'method' => 'POST',\n    'header' => [\"X-Api-Key: $key\", 'Content-Type: application/json'],\n    \
                 'content' => json_encode($body),\n"
            }
        };
        code += &format!(
            "\n$context = stream_context_create(['http' => [\n{options}    'timeout' => 5,\n]]);\n\
                 $answer = json_decode(file_get_contents($url, false, $context));\n\
                 echo json_encode($answer, JSON_PRETTY_PRINT);"
        );
        code
    }

    fn to_python(&self) -> String {
        let url = &self.url;
        let mut code = format!(
            "import json\nfrom urllib.request import Request, urlopen\n\n\
             url = \"{url}\"\nkey = \"{TRIAL_KEY}\"\n"
        );
        let request = match self.body {
            None => "headers = {\"X-Api-Key\": key}\n\nrequest = Request(url, headers=headers)",
            Some(body) => {
                let body = PYTHON.write(body);
                code += &format!("body = {body}\n");
                "headers = {\"X-Api-Key\": key, \"Content-Type\": \"application/json\"}\n\n\
                 request = Request(url, json.dumps(body).encode(), headers)"
            }
        };
        code += &format!(
            "{request}\nwith urlopen(request, timeout=5) as response:\n    answer = json.load(response)\n\
                 print(json.dumps(answer, indent=2))"
        );
        code
    }
}

/// Renders a call in all programming languages. The style sheet shows only the chosen language. Each label belongs to a radio button in
/// the bar; keyboards and screen readers use those buttons instead of the labels.
pub(super) fn render_call(call: &Call<'_>) -> String {
    let mut tabs = String::new();
    let mut samples = String::new();
    for language in &LANGUAGES {
        let (id, title) = (language.id, language.title);
        let sample = highlight::render(&(language.write)(call));
        tabs += &format!("<label for=\"in-{id}\">{title}</label>");
        samples += &format!("<pre data-sample=\"{id}\"><code>{sample}</code></pre>\n");
    }
    format!(
        "<div class=\"panel call\">\n<div class=\"head\"><span class=\"tabs\" aria-hidden=\"true\">{tabs}</span></div>\n{samples}</div>\n"
    )
}

/// Renders a value that a visitor may copy, with `name` above it.
pub(super) fn render_copyable(name: &str, value: &str) -> String {
    format!(
        "<div class=\"panel\">\n<div class=\"head\"><span>{name}</span></div>\n<pre><code>{}</code></pre>\n</div>\n",
        highlight::render(value)
    )
}
