//! Runs the samples on the page `/docs`: each sample in each language must run as copied and print the answer that the page shows.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::process::{Service, open_account};
use crate::scratch;
use crate::tools::{in_venv, program};

/// The base URL in the samples as served. The page's script replaces it by the URL of the service.
const PLACEHOLDER: &str = "https://HOST/api";

const TRIAL_KEY: &str = "pd_test_postduifPublicTrialKeyForSandbox48myOs";

/// A sample, and the answer that the page shows below it.
struct Sample {
    code: String,
    answer: Value,
}

/// The samples in a language that have an answer, in the order of the page. The sample in the introduction has no answer.
fn samples(page: &str, language: &str) -> Vec<Sample> {
    let calls = page.split("<div class=\"panel call\">").skip(1);
    let samples = calls.filter_map(|call| {
        let (call, answer) = call.split_once("<div class=\"panel answer\">")?;
        let (_, code) = call
            .split_once(&format!("<pre data-sample=\"{language}\">"))
            .expect("each language");
        let (_, answer) = answer.split_once("<pre").expect("an answer");
        let answer = text_of(answer.split_once('>').expect("an element").1);
        Some(Sample {
            code: text_of(code),
            answer: serde_json::from_str(&answer).expect("JSON"),
        })
    });
    samples.collect()
}

/// The text of a `pre` element up to its end tag, as a browser copies it.
fn text_of(html: &str) -> String {
    let (html, _) = html.split_once("</pre>").expect("its end");
    let pieces = html.split('<').map(|piece| match piece.split_once('>') {
        Some((_, text)) => text,
        None => piece,
    });
    let text = pieces.collect::<String>().replace("&quot;", "\"");
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// Runs all samples in a language. Only one language may use the trial key, because the key allows forty calls a minute.
#[track_caller]
fn run_samples(language: &str, file: &str, interpreter: Option<PathBuf>, with_trial_key: bool) {
    let Some(interpreter) = interpreter else {
        return;
    };
    let folder = scratch::folder();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).expect("a folder");
    let [_, key] = open_account(&data);
    let service = Service::start(&data, &[]);
    let page = service.get("live", "/docs?lang=nl", None).body;
    let base = format!("http://{}/api", service.address("live"));
    let samples = samples(&page, language);
    assert_eq!(samples.len(), 16, "{language}");
    for sample in samples {
        assert!(sample.code.contains(PLACEHOLDER) && sample.code.contains(TRIAL_KEY));
        let code = sample.code.replace(PLACEHOLDER, &base);
        let code = match with_trial_key {
            true => code,
            false => code.replace(TRIAL_KEY, &key),
        };
        let script = folder.path().join(file);
        std::fs::write(&script, &code).expect("a file");
        let output = Command::new(&interpreter).arg(&script).output();
        let output = output.expect("the interpreter runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        let failed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{code}\n{failed}");
        let printed: Value = serde_json::from_str(&printed)
            .unwrap_or_else(|error| panic!("{error}: {code}\n{printed}\n{failed}"));
        assert_eq!(printed, sample.answer, "{code}");
    }
}

#[test]
fn every_curl_sample_runs_as_it_is_copied() {
    // Run the samples in a shell, because they continue lines with a backslash.
    let shell = program("curl").and_then(|_| program("bash"));
    run_samples("curl", "sample.sh", shell, true);
}

#[test]
fn every_javascript_sample_runs() {
    run_samples("javascript", "sample.mjs", program("node"), false);
}

#[test]
fn every_php_sample_runs() {
    run_samples("php", "sample.php", program("php"), false);
}

#[test]
fn every_python_sample_runs() {
    run_samples("python", "sample.py", in_venv("bin/python"), false);
}
