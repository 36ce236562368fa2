//! Converts an error of a store into one line, with a remedy if one is known.
//!
//! The errors of object_store are many lines long and repeat their text. They contain whole XML documents, and some of these
//! documents contain keys. This module shows only the code and the message of a document. Source of the codes: Amazon S3 API
//! Reference, "Error responses", read 2026-07-01. Other stores use the same codes.

use std::error::Error;

use object_store::client::HttpError;

/// Maximum number of characters of a store's message. Longer messages are cut.
const MAX_MESSAGE_CHARS: usize = 200;

/// The IP from which machines of AWS get the credentials of their role.
const INSTANCE_METADATA_IP: &str = "169.254.169.254";

/// The remedy for missing credentials.
pub(super) const SET_CREDENTIALS_HINT: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

const CHECK_ENDPOINT_HINT: &str = "is the store up, and AWS_ENDPOINT_URL right?";

pub(super) fn store_error_message(error: &object_store::Error) -> String {
    let whole = error.to_string();
    if whole.contains(INSTANCE_METADATA_IP) {
        return format!("no credentials; {SET_CREDENTIALS_HINT}");
    }
    if let Some(response) = StoreResponse::parse(&whole) {
        return response.describe();
    }
    let root_cause = root_cause(error).to_string();
    let is_network = anyhow::Chain::new(error).any(|cause| cause.is::<HttpError>());
    match error {
        _ if is_network && whole.to_lowercase().contains("certificate") => format!(
            "the store's certificate is not accepted ({root_cause}); an authority that this machine trusts must have signed the \
                         certificate, and AWS_ENDPOINT_URL must have the name that the certificate is for"
        ),
        _ if is_network => format!("no connection ({root_cause}); {CHECK_ENDPOINT_HINT}"),
        object_store::Error::NotFound { .. } => "does not exist".into(),
        object_store::Error::AlreadyExists { .. } => "already exists".into(),
        _ if whole.contains("AccessKey") => format!("{root_cause}; {SET_CREDENTIALS_HINT}"),
        _ => root_cause,
    }
}

/// The error response of an S3-compatible store.
struct StoreResponse<'a> {
    status: &'a str,
    /// The error code, such as `AccessDenied`; `None` if the response has none.
    code: Option<&'a str>,
    message: Option<&'a str>,
}

impl<'a> StoreResponse<'a> {
    fn parse(whole: &'a str) -> Option<Self> {
        let code = xml_element_text(whole, "Code");
        let status = whole.split_once("status code: ").map(|(_, rest)| rest);
        let status = status.and_then(|rest| rest.get(..3));
        (status.is_some() || code.is_some()).then(|| Self {
            status: status.unwrap_or_default(),
            code,
            message: xml_element_text(whole, "Message"),
        })
    }

    fn describe(&self) -> String {
        let remedy = match (self.code, self.status) {
            (Some("NoSuchBucket"), _) => {
                "there is no such bucket in the store; create it, or use the name of an existing one"
            }
            (Some("NoSuchKey"), _) => "does not exist",
            (Some("InvalidAccessKeyId" | "NotSignedUp"), _) => {
                "the store does not know AWS_ACCESS_KEY_ID; is it a key of this store, and is AWS_ENDPOINT_URL right?"
            }
            (Some("SignatureDoesNotMatch"), _) => {
                "AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID, or AWS_REGION is not the store's region"
            }
            (Some("RequestTimeTooSkewed"), _) => "this machine's clock is wrong; set it",
            (Some("ExpiredToken" | "InvalidToken" | "TokenRefreshRequired"), _) => {
                "AWS_SESSION_TOKEN has expired; set a new token, and the keys that belong to it"
            }
            (Some("AuthorizationHeaderMalformed" | "PermanentRedirect"), _) | (_, "301") => {
                "the bucket is in another region; set AWS_REGION to its region"
            }
            (Some("AccessDenied") | None, "401" | "403") => {
                "the store refuses this key; AWS_SECRET_ACCESS_KEY must belong to AWS_ACCESS_KEY_ID, and that key needs the \
                 right to list the bucket and to read from it, and for publishing also to write and delete"
            }
            (Some("NotImplemented"), _) | (_, "501") => {
                "the store does not support this request; publishing needs conditional writes (`If-None-Match`)"
            }
            _ => return self.describe_plainly(),
        };
        match self.code {
            Some(code) => format!("{remedy} ({code})"),
            None => format!("{remedy} (status {})", self.status),
        }
    }

    fn describe_plainly(&self) -> String {
        let words = [Some(self.status), self.code];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let message = self.message.unwrap_or_default();
        let message: String = message.chars().take(MAX_MESSAGE_CHARS).collect();
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("the store answers {}: {message}", words.join(" "));
        text.trim_end_matches(": ").to_owned()
    }
}

/// Whether the answer lacks a header of an object. The text is that of object_store 0.14, which has no public type for the error.
pub(super) fn lacks_headers(error: &object_store::Error) -> bool {
    root_cause(error)
        .to_string()
        .ends_with("missing from response")
}

/// The text of an element that contains no other elements.
fn xml_element_text<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    Some(text.trim()).filter(|text| !text.is_empty() && !text.contains('<'))
}

fn root_cause<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    anyhow::Chain::new(error).last().unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn message(response: &str) -> String {
        let error = object_store::Error::Generic {
            store: "S3",
            source: format!("Error performing GET https://store.example/?list in 3ms - Server returned non-2xx status code: {response}")
                .into(),
        };
        store_error_message(&error)
    }

    #[test]
    fn error_responses_become_one_line_with_a_remedy() {
        let xml = |code: &str| {
            format!(
                "403 Forbidden: <?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>It\nis so.</Message>\
                 <AWSAccessKeyId>KEY</AWSAccessKeyId><StringToSign>SECRET</StringToSign></Error>"
            )
        };
        for (code, part) in [
            ("NoSuchBucket", "no such bucket"),
            ("InvalidAccessKeyId", "AWS_ACCESS_KEY_ID"),
            ("SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"),
            ("RequestTimeTooSkewed", "clock"),
            ("ExpiredToken", "AWS_SESSION_TOKEN"),
            ("AuthorizationHeaderMalformed", "AWS_REGION"),
            ("AccessDenied", "the right to list"),
            ("NotImplemented", "conditional writes"),
            ("SlowDown", "the store answers 403 SlowDown: It is so."),
        ] {
            let message = message(&xml(code));
            assert!(
                message.contains(part) && message.contains(code),
                "{code}: {message}"
            );
            assert!(!message.contains(['\n', '<']), "{message}");
            assert!(
                !message.contains("KEY<") && !message.contains("SECRET<"),
                "{message}"
            );
        }
        assert!(message("403 Forbidden: ").contains("(status 403)"));
        assert!(message("501 Not Implemented: ").contains("conditional writes"));
        assert_eq!(message("500 Oops: <html>"), "the store answers 500");
        assert!(message("400 Bad: 169.254.169.254").contains("set AWS_ACCESS_KEY_ID"));
    }
}
