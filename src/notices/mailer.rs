//! One message to one mail server, and what its refusal means.

use std::time::Duration;

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MessageBuilder};
use lettre::transport::smtp::{self, AsyncSmtpTransportBuilder};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use tokio::time::timeout;

use super::text;
use crate::accounts::Notice;

/// How long the server may take for one answer. Longer than for other services, because many look through a message before
/// they accept it, and a message that was accepted too late for us would be sent twice.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// How long all of it may take: less than a claim lasts.
const SEND_TIMEOUT: Duration = Duration::from_secs(240);

/// Sends notices by one mail server.
#[derive(Debug)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
}

/// Why a notice was not sent. No text of it holds an address: servers like to quote it, so their words are left out.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoticeSendError {
    /// The server does not answer, or takes no mail of ours at all.
    #[error("the mail server is away: {0}")]
    ServerUnavailable(String),
    /// The server wants it later.
    #[error("the mail server answered {0}")]
    Deferred(u16),
    /// The server does not take it for this address.
    #[error("the mail server refuses the address, with {0}")]
    Rejected(u16),
    /// No message can be made for what stands in the account.
    #[error("the account's e-mail address is none that a message can be sent to")]
    InvalidEmail,
}

impl NoticeSendError {
    /// Every cause there is.
    pub(super) const CAUSES: [&'static str; 4] = ["away", "later", "refused", "address"];

    /// For the counter.
    pub(super) fn cause(&self) -> &'static str {
        match self {
            Self::ServerUnavailable(_) => "away",
            Self::Deferred(_) => "later",
            Self::Rejected(_) => "refused",
            Self::InvalidEmail => "address",
        }
    }
}

impl Mailer {
    /// A mailer that sends by this server, from this sender.
    #[must_use]
    pub fn new(transport: AsyncSmtpTransportBuilder, sender: Mailbox) -> Self {
        Self {
            transport: transport.timeout(Some(RESPONSE_TIMEOUT)).build(),
            sender,
        }
    }

    /// Sends one notice; once this is done the server has accepted it.
    pub(super) async fn send(&self, notice: &Notice) -> Result<(), NoticeSendError> {
        let message = self
            .build_message(notice)
            .ok_or(NoticeSendError::InvalidEmail)?;
        match timeout(SEND_TIMEOUT, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            // Only servers that say so take letters beyond ASCII. Source: RFC 6531, section 3.1.
            Ok(Err(error)) if error.is_client() && !notice.account.email.as_str().is_ascii() => {
                Err(NoticeSendError::InvalidEmail)
            }
            Ok(Err(error)) => Err(classify_error(&error)),
            Err(elapsed) => Err(NoticeSendError::ServerUnavailable(elapsed.to_string())),
        }
    }

    fn build_message(&self, notice: &Notice) -> Option<Message> {
        let recipient = notice.account.email.as_str().parse().ok()?;
        let domain = self.sender.email.domain();
        // Tells mail programs to send no holiday notes back. Source: RFC 3834, section 5.
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        MessageBuilder::new()
            .from(self.sender.clone())
            .to(Mailbox::new(None, recipient))
            .subject(text::subject(notice))
            .message_id(Some(text::message_id(notice.id, domain)))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(text::message_body(notice))
            .ok()
    }
}

/// What the failure means for this notice and for others.
fn classify_error(error: &smtp::Error) -> NoticeSendError {
    tracing::debug!(%error, "notice not sent");
    let Some(code) = error.status().map(u16::from) else {
        return NoticeSendError::ServerUnavailable(error.to_string());
    };
    match code {
        // The service is closing, or does not know us: nothing is wrong with the address. Source: RFC 5321, section 4.2.3;
        // RFC 4954, section 6.
        421 | 454 | 530 | 534 | 535 | 538 => {
            NoticeSendError::ServerUnavailable(format!("it answered {code}"))
        }
        500.. => NoticeSendError::Rejected(code),
        _ => NoticeSendError::Deferred(code),
    }
}
