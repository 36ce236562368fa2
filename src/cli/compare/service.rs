//! Looks up addresses in one of the two compared services, through v3 over HTTP. Stays within the rate limit of the service.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};
use serde_json::{Map, Value};
use url::Url;

use super::pacer::CallPacer;
use super::pairs::AddressPair;
use crate::cli::http_client::{http_client_builder, read_secret_file};
use crate::cli::outcome::full_message;

/// Maximum time of one call. Source: contract.md, section Limits, which suggests this timeout to clients.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Maximum number of tries of a call while the service asks to wait. After that, the pair has no answer.
const MAX_TRIES: u32 = 6;

/// Maximum time that the command waits if a service asks to wait. A rate limit needs only seconds. If a service asks for more, its
/// quota is probably used up, so the comparison stops.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// Maximum number of bytes of an answer. A longer answer counts as an error. An address of v3 has about 250 bytes.
const MAX_BODY_BYTES: usize = 64 << 10;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");

/// The answer of a service: the address, or `None` if the service finds no address.
pub(super) type LookupAnswer = Option<Map<String, Value>>;

/// Why a call has no answer.
#[derive(Debug)]
pub(super) enum CallError {
    /// There is no answer for this pair. Other pairs may get an answer.
    Failed(String),
    /// There will be no answer for any pair, so the comparison stops.
    Stop(String),
}

/// A service that speaks v3.
pub(super) struct ComparedService {
    /// `old` or `new`.
    name: &'static str,
    base: Url,
    key: HeaderValue,
    client: Client,
    pacer: CallPacer,
}

impl ComparedService {
    pub(super) fn new(
        name: &'static str,
        base: &Url,
        key: HeaderValue,
        max_calls_per_second: Option<u32>,
    ) -> anyhow::Result<Self> {
        let client = http_client_builder()
            .timeout(CALL_TIMEOUT)
            .build()
            .context("preparing the HTTP client")?;
        Ok(Self {
            name,
            base: base.clone(),
            key,
            client,
            pacer: CallPacer::new(max_calls_per_second),
        })
    }

    /// Looks up a pair. If the service asks to wait, waits and tries again.
    pub(super) async fn look_up(&self, pair: AddressPair) -> Result<LookupAnswer, CallError> {
        let path = format!("v3/lookup/{}/{}", pair.postcode, pair.number);
        let url = self.base.join(&path);
        let url = url.map_err(|error| CallError::Failed(error.to_string()))?;
        for tries in 0..MAX_TRIES {
            self.pacer.wait().await;
            let request = self.client.get(url.clone());
            let response = request.header(API_KEY, self.key.clone()).send().await;
            let response = response.map_err(describe_error)?;
            let limit = numeric_header(&response, &RATE_LIMIT);
            self.pacer
                .set_limit(limit.and_then(|limit| limit.try_into().ok()));
            match self.requested_wait(&response, tries)? {
                Some(wait) => self.pacer.pause(wait),
                None => return self.read_answer(response).await,
            }
        }
        Err(CallError::Failed(format!(
            "the service still asks to wait after {MAX_TRIES} tries"
        )))
    }

    /// How long the service asks to wait before the same call is made again; `None` if it does not ask to wait.
    fn requested_wait(
        &self,
        response: &Response,
        tries: u32,
    ) -> Result<Option<Duration>, CallError> {
        let retry_after = numeric_header(response, &RETRY_AFTER).map(Duration::from_secs);
        let wait = match (response.status().as_u16(), retry_after) {
            (429, None) => Duration::from_secs(1 << tries),
            (429 | 503, Some(retry_after)) => retry_after,
            _ => return Ok(None),
        };
        if wait > MAX_WAIT {
            let (name, seconds) = (self.name, wait.as_secs());
            let status = response.status().as_u16();
            return Err(CallError::Stop(format!(
                "the {name} service asks to wait {seconds} s (status {status}); status 429 usually means that its quota is used up"
            )));
        }
        Ok(Some(wait))
    }

    async fn read_answer(&self, response: Response) -> Result<LookupAnswer, CallError> {
        let status = response.status().as_u16();
        match status {
            200 => read_object(response).await.map(Some),
            // A server that does not speak v3 also answers 404, but without a JSON object. Then `read_object` fails.
            404 => read_object(response).await.map(|_| None),
            401 | 403 => Err(CallError::Stop(format!(
                "the {} service refuses the key (status {status})",
                self.name
            ))),
            _ => Err(CallError::Failed(format!("status {status}"))),
        }
    }
}

/// Reads a body as a JSON object.
async fn read_object(mut response: Response) -> Result<Map<String, Value>, CallError> {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(describe_error)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_BODY_BYTES {
            return Err(CallError::Failed(format!(
                "status {status} with more than {MAX_BODY_BYTES} bytes"
            )));
        }
    }
    serde_json::from_slice(&body).map_err(|_| {
        CallError::Failed(format!(
            "status {status} without a JSON object; is the base URL right?"
        ))
    })
}

/// Converts an error to a message with its causes. Leaves out the URL, because the report already shows the pair.
fn describe_error(error: reqwest::Error) -> CallError {
    CallError::Failed(match error.is_timeout() {
        true => format!("no answer within {} s", CALL_TIMEOUT.as_secs()),
        false => full_message(&error.without_url().into()),
    })
}

fn numeric_header(response: &Response, name: &HeaderName) -> Option<u64> {
    let value = response.headers().get(name)?.to_str().ok()?;
    value.trim().parse().ok()
}

/// Parses a base URL, which is the part before `/v3/lookup`. Also accepts a `/v3` at the end, because the documents of such
/// services give the base URL in that form.
pub(super) fn parse_base_url(text: &str) -> Result<Url, String> {
    let base = text.trim_end_matches('/');
    let paths = ["/v3/lookup", "/v3"];
    let base = paths
        .iter()
        .find_map(|path| base.strip_suffix(path))
        .unwrap_or(base);
    let url = Url::parse(&format!("{base}/")).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("expected a URL such as https://api.example.org".to_owned());
    }
    let has_extras = url.query().is_some() || url.fragment().is_some();
    if has_extras || !url.username().is_empty() || url.password().is_some() {
        return Err("expected a URL without user name, password, query and fragment".to_owned());
    }
    Ok(url)
}

/// Reads a key from a file. Refuses a file that every user of the machine can read.
pub(super) fn read_key_file(path: &Path) -> anyhow::Result<HeaderValue> {
    let file = path.display();
    let text = read_secret_file(path, "key")?;
    let key = text.trim();
    let is_one_word = !key.is_empty() && !key.contains(char::is_whitespace);
    let key = HeaderValue::try_from(key).ok().filter(|_| is_one_word);
    let mut key = key.with_context(|| format!("{file}: expected one line, the key"))?;
    key.set_sensitive(true);
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_base_url_may_end_in_the_path_of_v3_but_must_not_contain_a_secret() {
        #[track_caller]
        fn case(text: &str, expected: Option<&str>) {
            let url = parse_base_url(text).ok().map(String::from);
            assert_eq!(url.as_deref(), expected, "{text}");
        }
        let plain = Some("https://api.example.org/");
        for text in ["", "/", "/v3", "/v3/", "/v3/lookup"] {
            case(&format!("https://api.example.org{text}"), plain);
        }
        case(
            "http://127.0.0.1:8080/api",
            Some("http://127.0.0.1:8080/api/"),
        );
        case(
            "https://api.example.org/lookup",
            Some("https://api.example.org/lookup/"),
        );
        for text in [
            "api.example.org",
            "ftp://example.org",
            "https://jan:geheim@example.org",
            "https://example.org?key=geheim",
        ] {
            case(text, None);
        }
    }

    #[test]
    fn a_key_file_must_have_one_word_and_not_be_readable_by_all() {
        #[track_caller]
        fn case(text: &str, mode: u32, expected: Result<&str, &str>) {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("key");
            fs::write(&path, text).expect("writes");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("our own file");
            match (read_key_file(&path), expected) {
                (Ok(key), Ok(expected)) => assert_eq!(key, expected),
                (Err(error), Err(expected)) => {
                    let message = format!("{error:#}");
                    assert!(message.contains(expected), "{message}");
                    assert!(!message.contains("geheim"), "{message}");
                }
                (key, _) => panic!("{text:?} gives {key:?}"),
            }
        }
        case("geheim\n", 0o640, Ok("geheim"));
        case("geheim", 0o644, Err("chmod 0600"));
        for text in ["", "\n", "geheim twee\n", "geheim\ngeheim\n"] {
            case(text, 0o600, Err("expected one line"));
        }
    }
}
