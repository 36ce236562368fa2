//! What a store says, in one line, with what to do about it where that is known.
//!
//! object_store's own errors repeat themselves over many lines and hold whole XML documents, some of which echo keys. Of a
//! document no more is told than its code and its message. Source of the codes: Amazon S3 API Reference, "Error responses",
//! read 2026-07-01; the words of other stores are the same where they have them.

use std::error::Error;

use object_store::client::HttpError;

/// No more of a store's own message is told than this, in characters.
const MAX_MESSAGE_CHARS: usize = 200;

/// Where AWS tells its machines which role they have.
const INSTANCE_METADATA_IP: &str = "169.254.169.254";

/// Which variables hold credentials.
pub(super) const SET_CREDENTIALS_HINT: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

const CHECK_ENDPOINT_HINT: &str = "is the store up, and AWS_ENDPOINT_URL right?";

pub(super) fn store_error_message(error: &object_store::Error) -> String {
    let whole = error.to_string();
    if whole.contains(INSTANCE_METADATA_IP) {
        return format!("no credentials; {SET_CREDENTIALS_HINT}");
    }
    if let Some(answer) = StoreResponse::parse(&whole) {
        return answer.describe();
    }
    let deepest = root_cause(error).to_string();
    let is_network = error_chain(error).any(|cause| cause.is::<HttpError>());
    match error {
        _ if is_network && whole.contains("ertificate") => format!(
            "the store's certificate is not accepted ({deepest}); it has to be signed by an authority that this machine trusts, \
             and AWS_ENDPOINT_URL has to have the name in it"
        ),
        _ if is_network => format!("no connection ({deepest}); {CHECK_ENDPOINT_HINT}"),
        object_store::Error::NotFound { .. } => "not there".into(),
        object_store::Error::AlreadyExists { .. } => "there already".into(),
        _ if whole.contains("AccessKey") => format!("{deepest}; {SET_CREDENTIALS_HINT}"),
        _ => deepest,
    }
}

/// What an S3-compatible store answered.
struct StoreResponse<'a> {
    status: &'a str,
    /// `AccessDenied` and so on, where it says more than a status.
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
        let to_do = match (self.code, self.status) {
            (Some("NoSuchBucket"), _) => {
                "there is no such bucket in the store; make it, or give the name of one that is there"
            }
            (Some("NoSuchKey"), _) => "not there",
            (Some("InvalidAccessKeyId" | "NotSignedUp"), _) => {
                "the store does not know AWS_ACCESS_KEY_ID; is it of this store, and AWS_ENDPOINT_URL right?"
            }
            (Some("SignatureDoesNotMatch"), _) => {
                "AWS_SECRET_ACCESS_KEY is not the one that belongs to AWS_ACCESS_KEY_ID, or AWS_REGION is not the store's"
            }
            (Some("RequestTimeTooSkewed"), _) => "this machine's clock is wrong; set it",
            (Some("ExpiredToken" | "InvalidToken" | "TokenRefreshRequired"), _) => {
                "AWS_SESSION_TOKEN is not valid any more; set a new one with its keys"
            }
            (Some("AuthorizationHeaderMalformed" | "PermanentRedirect"), _) | (_, "301") => {
                "the bucket is elsewhere; set AWS_REGION to its region"
            }
            (Some("AccessDenied") | None, "401" | "403") => {
                "the store refuses this key; AWS_SECRET_ACCESS_KEY has to belong to AWS_ACCESS_KEY_ID, and that has to have the \
                 right to list the bucket and to read in it, and to publish also to write and delete"
            }
            _ => return self.describe_plainly(),
        };
        match self.code {
            Some(code) => format!("{to_do} ({code})"),
            None => format!("{to_do} (status {})", self.status),
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

/// Whether the store says that it does not know what it was asked to do.
pub(super) fn is_unsupported(error: &object_store::Error) -> bool {
    let whole = error.to_string();
    let answer = StoreResponse::parse(&whole);
    answer.is_some_and(|answer| answer.code == Some("NotImplemented") || answer.status == "501")
        || matches!(error, object_store::Error::NotImplemented { .. })
}

/// The text of an element without others in it.
fn xml_element_text<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    Some(text.trim()).filter(|text| !text.is_empty() && !text.contains('<'))
}

fn error_chain<'a>(
    error: &'a (dyn Error + 'static),
) -> impl Iterator<Item = &'a (dyn Error + 'static)> + use<'a> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}

fn root_cause<'a>(error: &'a (dyn Error + 'static)) -> &'a (dyn Error + 'static) {
    error_chain(error).last().unwrap_or(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn told(answer: &str) -> String {
        let error = object_store::Error::Generic {
            store: "S3",
            source: format!("Error performing GET https://store.example/?list in 3ms - Server returned non-2xx status code: {answer}")
                .into(),
        };
        store_error_message(&error)
    }

    #[test]
    fn an_answer_is_one_line_that_tells_what_to_do() {
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
            ("SlowDown", "the store answers 403 SlowDown: It is so."),
        ] {
            let told = told(&xml(code));
            assert!(told.contains(part) && told.contains(code), "{code}: {told}");
            assert!(!told.contains(['\n', '<']), "{told}");
            assert!(
                !told.contains("KEY<") && !told.contains("SECRET<"),
                "{told}"
            );
        }
        assert!(told("403 Forbidden: ").contains("(status 403)"));
        assert_eq!(told("500 Oops: <html>"), "the store answers 500");
        assert!(told("400 Bad: 169.254.169.254").contains("set AWS_ACCESS_KEY_ID"));
    }

    #[test]
    fn what_a_store_does_not_know_is_told_apart() {
        let error = |text: &str| object_store::Error::Generic {
            store: "S3",
            source: format!("status code: {text}").into(),
        };
        assert!(is_unsupported(&error("501 Not Implemented: ")));
        let named = "400 Bad Request: <Error><Code>NotImplemented</Code></Error>";
        assert!(is_unsupported(&error(named)));
        assert!(!is_unsupported(&error("500 Internal Server Error: ")));
    }
}
