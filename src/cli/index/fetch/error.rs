//! Defines the errors of fetching. No message contains a password, a cookie or the query of a URL.

use std::time::Duration;

use postduif_schema::FileError;
use tokio::task::JoinError;
use url::Url;

/// Why a list or a file was not fetched.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    /// There is no connection or no response.
    #[error("{url}: {reason}")]
    Unreachable { url: String, reason: String },
    /// The server answers with an error.
    #[error("{url}: {}", describe_status(*status))]
    Status {
        url: String,
        status: u16,
        retry_after: Option<Duration>,
    },
    /// The transfer of a file stopped before its end.
    #[error("{url}: the transfer stopped after {received} bytes of {}: {reason}", describe_size(*total))]
    Interrupted {
        url: String,
        received: u64,
        total: Option<u64>,
        reason: String,
    },
    /// The file is not the expected delivery, or its size differs from the size in the list.
    #[error("{url}: {reason}")]
    NotADelivery { url: String, reason: String },
    /// The list of mutations, the login, a redirect or the area cannot be accepted.
    #[error("{url}: {reason}")]
    Refused { url: String, reason: String },
    /// The disk has too little free space for the file.
    #[error("{0}")]
    DiskFull(String),
    /// The inbox cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// Another process fetches into the inbox, the served generation cannot be read, or the HTTP client cannot be created.
    #[error("{0}")]
    CannotStart(String),
    /// A bug in postduif.
    #[error("fetching panicked; the log names the line of the source code")]
    Panicked,
    #[error("fetching was cancelled, because the process is stopping")]
    Cancelled,
}

impl From<JoinError> for FetchError {
    fn from(error: JoinError) -> Self {
        if error.is_cancelled() {
            Self::Cancelled
        } else {
            Self::Panicked
        }
    }
}

impl serde::Serialize for FetchError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FetchError {
    pub(super) fn refused(url: &Url, reason: impl Into<String>) -> Self {
        let (url, reason) = (display_url(url), reason.into());
        Self::Refused { url, reason }
    }

    /// Whether only the operator or the owner of the server can fix the error.
    pub(super) fn is_refusal(&self) -> bool {
        match self {
            Self::Status { status, .. } => matches!(status, 400 | 401 | 403 | 404 | 410),
            Self::NotADelivery { .. } | Self::Refused { .. } => true,
            Self::Unreachable { .. }
            | Self::Interrupted { .. }
            | Self::DiskFull(_)
            | Self::Io(_)
            | Self::CannotStart(_)
            | Self::Panicked
            | Self::Cancelled => false,
        }
    }

    /// How long the server asks to wait; `None` if it does not ask to wait.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    pub(super) fn is_disk_full(&self) -> bool {
        match self {
            Self::DiskFull(_) => true,
            Self::Io(error) => error.is_disk_full(),
            _ => false,
        }
    }
}

fn describe_status(status: u16) -> String {
    match status {
        401 | 403 => format!(
            "the server refuses access (status {status}); check --credentials and --login-url, and whether the subscription is in force"
        ),
        404 | 410 => format!("there is no such file (status {status}); check the URL"),
        429 => "the server received too many requests (status 429)".to_owned(),
        _ => format!("the server answers with status {status}"),
    }
}

fn describe_size(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "an unknown number".to_owned(), |bytes| bytes.to_string())
}

/// The URL as it is shown in messages. Leaves out user, password, query and fragment, because each of them may be secret.
pub(super) fn display_url(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // These calls fail only for URLs that cannot have a user name or a password.
    url.set_username("").ok();
    url.set_password(None).ok();
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_displayed_url_has_no_secret() {
        let url =
            Url::parse("https://jan:secret@example.org:8443/a%20b/list.json?key=secret#secret");
        let shown = display_url(&url.expect("a URL"));
        assert_eq!(shown, "https://example.org:8443/a%20b/list.json");
    }
}
