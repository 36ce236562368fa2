//! Writes the text that explains to the operator why a delivery was rejected.

use super::order::DeliveryAction;
use crate::escape::escape_controls;

/// The parts of the text in the file beside a rejected delivery.
#[derive(Clone)]
pub(super) struct RejectionReason {
    pub(super) problem: String,
    remedy: String,
}

/// The text after “What it means”, which is the same for every rejected delivery.
const NOTHING_CHANGED: &str =
    "nothing of the delivery is in the register, and the same addresses are served as before";

impl RejectionReason {
    /// The reason for a file that does not open as a delivery and was not changed for a long time.
    pub(super) fn from_open_error(error: &anyhow::Error) -> Self {
        Self {
            problem: escaped(&format!("the file does not open as a delivery: {error:#}")),
            remedy: "download or copy the file again, under a name that ends in .part until it is whole; later deliveries wait in \
                    the inbox until it arrives"
                .into(),
        }
    }

    /// The reason for a link, a pipe, a socket or a device.
    pub(super) fn from_special_kind(kind: &str) -> Self {
        Self {
            problem: format!("{kind}, not a file"),
            remedy: "put the delivery itself into the inbox: copy or move the file there, because links are not followed. Later \
                    deliveries wait in the inbox until it arrives"
                .into(),
        }
    }

    /// The reason for a delivery that can be opened but is refused.
    pub(super) fn from_refusal(error: &anyhow::Error) -> Self {
        Self {
            problem: escaped(&format!("{error:#}")),
            remedy: "if the message says how the delivery can be accepted, do that with `postduif index build` or `postduif index \
                    apply`, or put the delivery back into the inbox; otherwise download it again. Later deliveries wait in the \
                    inbox until it arrives"
                .into(),
        }
    }

    /// The reason for a stand of another area; `None` for every other action.
    pub(super) fn from_action(action: &DeliveryAction) -> Option<Self> {
        let DeliveryAction::OtherArea {
            area,
            register_area,
        } = action
        else {
            return None;
        };
        Some(Self {
            problem: format!(
                "another area: the delivery is an extract of {area}, but the register is of {register_area}"
            ),
            remedy: "nothing. To replace the register by one of that area, pass this delivery to `postduif index build \
                    --replace-area --extract`"
                .into(),
        })
    }

    /// The text of the file beside the delivery.
    pub(super) fn render(&self, name: &str) -> String {
        let Self { problem, remedy } = self;
        format!(
            "{name} was rejected at {:.0}.\n\nWhat happened: {problem}\nWhat it means: {NOTHING_CHANGED}\nWhat to do: {remedy}\n",
            jiff::Timestamp::now()
        )
    }
}

/// An error has the names of files, which may have control characters.
fn escaped(error: &str) -> String {
    escape_controls(error).into_owned()
}
