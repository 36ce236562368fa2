//! Sends requests to the servers of deliveries. Logs in, keeps cookies and follows redirects. Limits the time without data, but
//! not the total time of a request.
//!
//! This module handles cookies itself, because the cookie store of reqwest would add two crates. It handles redirects itself, because
//! a redirect from TLS to plain HTTP must not be followed: the cookie of a login would be sent in clear text.

use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use anyhow::Context as _;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{
    CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER, SET_COOKIE,
};
use reqwest::{Client, Method, Response, StatusCode};
use url::Url;

use super::cookies::CookieJar;
use super::credentials::Credentials;
use super::error::{FetchError, display_url};
use crate::cli::http_client::http_client_builder;

const MAX_REDIRECTS: usize = 5;
/// Maximum wait that a server can ask for. A longer wait is cut to this time.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// An HTTP client with the cookies of one run.
pub(super) struct HttpClient {
    client: Client,
    cookies: Mutex<CookieJar>,
    stall_timeout: Duration,
}

impl HttpClient {
    /// Creates a client. `stall_timeout` is the maximum time without data, before a response and within it.
    pub(super) fn new(stall_timeout: Duration) -> anyhow::Result<Self> {
        let client = http_client_builder()
            .connect_timeout(stall_timeout)
            .read_timeout(stall_timeout)
            .build()
            .context("preparing the HTTP client")?;
        Ok(Self {
            client,
            cookies: Mutex::default(),
            stall_timeout,
        })
    }

    /// Sends a GET request and follows redirects. A response with an error status is returned too; it is no `Err`.
    pub(super) async fn get(
        &self,
        url: &Url,
        headers: &[(HeaderName, String)],
    ) -> Result<Response, FetchError> {
        let mut url = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(Method::GET, &url, headers, None).await?;
            match redirect_target(&url, &response)? {
                Some(target) => url = target,
                None => return Ok(response),
            }
        }
        let reason = format!("more than {MAX_REDIRECTS} redirects");
        Err(FetchError::refused(&url, reason))
    }

    /// Sends the user name and password as a form, and keeps the cookie of the response.
    pub(super) async fn login(
        &self,
        url: &Url,
        credentials: &Credentials,
    ) -> Result<(), FetchError> {
        let form = credentials.to_form();
        let response = self.send(Method::POST, url, &[], Some(form)).await?;
        let rejected = |reason: &str| {
            let reason =
                format!("the login was not accepted: {reason}; check the file of --credentials");
            FetchError::refused(url, reason)
        };
        match response.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return Err(rejected("the server refuses the user name or password"));
            }
            status if status.is_client_error() || status.is_server_error() => {
                return Err(status_error(url, &response));
            }
            _ => {}
        }
        // The redirect after a login leads to a web page, which is not needed. So the redirect is followed only if the login has set
        // no cookie yet.
        if self.cookies().is_empty()
            && let Some(target) = redirect_target(url, &response)?
        {
            self.get(&target, &[]).await?;
        }
        if self.cookies().is_empty() {
            return Err(rejected("the server set no cookie"));
        }
        Ok(())
    }

    async fn send(
        &self,
        method: Method,
        url: &Url,
        headers: &[(HeaderName, String)],
        form: Option<String>,
    ) -> Result<Response, FetchError> {
        let mut request = self.client.request(method, url.clone());
        let mut all = HeaderMap::new();
        let cookie = self
            .cookies()
            .cookie_header(url)
            .map(|value| (COOKIE, value));
        for (name, value) in headers.iter().cloned().chain(cookie) {
            let value = HeaderValue::try_from(value).map_err(|_| FetchError::Unreachable {
                url: display_url(url),
                reason: format!(
                    "the value for the header {name}, from an earlier response of the server, has characters that cannot be sent"
                ),
            })?;
            all.insert(name, value);
        }
        if let Some(form) = form {
            let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
            all.insert(CONTENT_TYPE, form_type);
            request = request.body(form);
        }
        let response = request.headers(all).send().await;
        let response = response.map_err(|error| self.unreachable(url, error))?;
        let mut cookies = self.cookies();
        for cookie in response.headers().get_all(SET_COOKIE) {
            if let Ok(cookie) = cookie.to_str() {
                cookies.store(url, cookie);
            }
        }
        drop(cookies);
        Ok(response)
    }

    /// The error for a server that gives no response, or only a part of it.
    pub(super) fn unreachable(&self, url: &Url, error: reqwest::Error) -> FetchError {
        FetchError::Unreachable {
            url: display_url(url),
            reason: self.describe_error(error),
        }
    }

    /// Converts an error to a message with its causes. Leaves out the URL, because it may contain secrets.
    pub(super) fn describe_error(&self, error: reqwest::Error) -> String {
        if error.is_timeout() {
            let seconds = self.stall_timeout.as_secs();
            return format!("the server sent nothing for {seconds} s (--stall-timeout)");
        }
        crate::cli::outcome::full_message(&error.without_url().into())
    }

    fn cookies(&self) -> std::sync::MutexGuard<'_, CookieJar> {
        self.cookies
            .lock()
            .expect("no thread panics while it holds the lock")
    }
}

/// The target of a redirect; `None` if the response is not a redirect.
fn redirect_target(url: &Url, response: &Response) -> Result<Option<Url>, FetchError> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let target = header(response, &LOCATION).and_then(|target| url.join(&target).ok());
    let missing = "the server redirects without a usable target";
    let target = target.ok_or_else(|| FetchError::refused(url, missing))?;
    let is_downgrade = url.scheme() == "https" && target.scheme() != "https";
    if is_downgrade || !matches!(target.scheme(), "https" | "http") {
        let reason = format!("refusing the insecure redirect to {}", display_url(&target));
        return Err(FetchError::refused(url, reason));
    }
    Ok(Some(target))
}

/// The error for a response with a status that means failure.
pub(super) fn status_error(url: &Url, response: &Response) -> FetchError {
    let retry_after = header(response, &RETRY_AFTER);
    FetchError::Status {
        url: display_url(url),
        status: response.status().as_u16(),
        retry_after: retry_after.and_then(|value| parse_retry_after(&value, SystemTime::now())),
    }
}

/// A header of a response; `None` if it is missing or not text.
pub(super) fn header(response: &Response, name: &HeaderName) -> Option<String> {
    let value = response.headers().get(name)?.to_str().ok()?;
    Some(value.trim().to_owned())
}

/// Parses the date of an HTTP header such as `Last-Modified`.
pub(super) fn parse_http_date(text: &str) -> Option<Timestamp> {
    static PARSER: DateTimeParser = DateTimeParser::new();
    PARSER.parse_timestamp(text).ok()
}

/// Parses a `Retry-After` header, which has seconds or a date. Source: RFC 9110, section 10.2.3.
fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let wait = match value.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            let at = SystemTime::from(parse_http_date(value)?);
            at.duration_since(now).unwrap_or_default()
        }
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_parsed_as_seconds_or_as_a_date() {
        #[track_caller]
        fn case(value: &str, expected: Option<u64>) {
            let now = parse_http_date("Wed, 21 Oct 2026 07:28:00 GMT").expect("a date");
            let wait = parse_retry_after(value, now.into());
            assert_eq!(wait.map(|wait| wait.as_secs()), expected, "{value}");
        }
        case("120", Some(120));
        case("Wed, 21 Oct 2026 07:30:00 GMT", Some(120));
        case("Wed, 21 Oct 2026 07:00:00 GMT", Some(0));
        case("999999999", Some(86_400));
        case("soon", None);
        case("-1", None);
    }
}
