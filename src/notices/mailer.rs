//! Sends one message to the mail server, and classifies the server's errors.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};
use lettre::transport::smtp::{self, AsyncSmtpTransportBuilder};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use tokio::time::timeout;

use super::{change_text, text};
use crate::accounts::{Email, Notice, NoticeTopic};

/// How long the mailer waits for one response. It waits long because many servers scan a message before they accept it. A message that is
/// accepted after the timeout would be sent twice.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// The time limit of sending one message. A claim of a notice lasts longer, so no other node sends the notice meanwhile.
const SEND_TIMEOUT: Duration = Duration::from_secs(240);

/// Sends notices through one mail server.
#[derive(Debug)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
}

/// Why a notice was not sent. The texts of servers are omitted, because they quote the e-mail address.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoticeSendError {
    /// The server does not answer, or refuses the login.
    #[error("the mail server cannot be used: {0}")]
    ServerUnavailable(String),
    /// The server asks to try again later.
    #[error("the mail server answered with status {0}")]
    Deferred(u16),
    /// The server refuses the recipient or the message.
    #[error("the mail server refuses the message or its recipient, with status {0}")]
    Rejected(u16),
    /// The recipient's e-mail address cannot be used in a message.
    #[error("the account's e-mail address is not valid for a message")]
    InvalidEmail,
}

impl NoticeSendError {
    /// Every cause, as a label of the counter of failed attempts.
    pub(super) const CAUSES: [&'static str; 4] =
        ["unreachable", "deferred", "rejected", "invalid_email"];

    /// The cause, as a label of the counter of failed attempts.
    pub(super) fn cause(&self) -> &'static str {
        match self {
            Self::ServerUnavailable(_) => "unreachable",
            Self::Deferred(_) => "deferred",
            Self::Rejected(_) => "rejected",
            Self::InvalidEmail => "invalid_email",
        }
    }
}

impl Mailer {
    /// Creates a mailer that sends from `sender` through this server.
    pub fn new(transport: AsyncSmtpTransportBuilder, sender: Mailbox) -> Self {
        Self {
            transport: transport.timeout(Some(RESPONSE_TIMEOUT)).build(),
            sender,
        }
    }

    /// Connects and logs in to the mail server, but sends no message.
    ///
    /// # Errors
    /// Why the server cannot be used.
    pub async fn try_connection(&self) -> Result<(), String> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err("the mail server does not answer NOOP".to_owned()),
            Err(error) => Err(classify_error(&error).to_string()),
        }
    }

    /// Sends one notice. Returns `Ok` if the server has accepted it.
    pub(super) async fn send(&self, notice: &Notice) -> Result<(), NoticeSendError> {
        let message = self
            .build_message(notice)
            .ok_or(NoticeSendError::InvalidEmail)?;
        match timeout(SEND_TIMEOUT, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            // Only servers with the SMTPUTF8 extension accept addresses that are not ASCII. Source: RFC 6531, section 3.1.
            Ok(Err(error)) if error.is_client() && !notice.recipient.as_str().is_ascii() => {
                Err(NoticeSendError::InvalidEmail)
            }
            Ok(Err(error)) => Err(classify_error(&error)),
            Err(elapsed) => Err(NoticeSendError::ServerUnavailable(elapsed.to_string())),
        }
    }

    fn build_message(&self, notice: &Notice) -> Option<Message> {
        let recipient = parse_recipient(&notice.recipient)?;
        let (subject, id, body) = match &notice.topic {
            NoticeTopic::Quota(quota_use) => (
                text::subject(quota_use),
                text::message_id(notice.account_id, quota_use),
                text::message_body(notice, quota_use),
            ),
            NoticeTopic::Change { id, change } => (
                change_text::subject(change),
                format!("change.{id}"),
                change_text::message_body(notice.account_id, change),
            ),
        };
        // A message id must be ASCII.
        let domain = Some(self.sender.email.domain()).filter(|domain| domain.is_ascii());
        let domain = domain.unwrap_or("localhost");
        // Stops automatic replies, such as vacation notices. Source: RFC 3834, section 5.
        let auto_submitted = HeaderName::new_from_ascii_str("Auto-Submitted");
        MessageBuilder::new()
            .from(self.sender.clone())
            .to(Mailbox::new(None, recipient))
            .subject(subject)
            // The same for every attempt and on every node, and different for every notice.
            .message_id(Some(format!("<{id}@{domain}>")))
            .raw_header(HeaderValue::new(
                auto_submitted,
                "auto-generated".to_owned(),
            ))
            .header(ContentType::TEXT_PLAIN)
            .body(body)
            .ok()
    }
}

/// Whether a notice can be sent to an e-mail address. [`Email`] itself is checked less strictly.
pub fn can_receive_notices(email: &Email) -> bool {
    parse_recipient(email).is_some()
}

fn parse_recipient(email: &Email) -> Option<Address> {
    email.as_str().parse().ok()
}

/// Finds out whether an error concerns the server or only this notice.
fn classify_error(error: &smtp::Error) -> NoticeSendError {
    tracing::debug!(%error, "notice not sent");
    let Some(code) = error.status().map(u16::from) else {
        return NoticeSendError::ServerUnavailable(error.to_string());
    };
    match code {
        // The mail server is closing or refuses the login, so the notice is not the cause. Source: RFC 5321, section 4.2.3; RFC 4954,
        // section 6.
        421 | 454 | 530 | 534 | 535 | 538 => {
            NoticeSendError::ServerUnavailable(format!("it answered with status {code}"))
        }
        500.. => NoticeSendError::Rejected(code),
        _ => NoticeSendError::Deferred(code),
    }
}
