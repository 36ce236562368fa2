//! Why a delivery was rejected, for the operator who finds it.

use super::order::{DeliveryAction, format_area};

/// The text of a reason file.
#[derive(Clone)]
pub(super) struct RejectionReason {
    problem: String,
    consequence: &'static str,
    remedy: String,
}

const NOTHING_CHANGED: &str =
    "nothing of the delivery is in the register, and the same addresses are served as before";

impl RejectionReason {
    /// The reason for a file that is not a whole delivery and was not changed for long.
    pub(super) fn from_open_error(error: &anyhow::Error) -> Self {
        Self {
            problem: format!("the file does not open as a delivery: {error:#}"),
            consequence: NOTHING_CHANGED,
            remedy: "download or copy the file again, under a name that ends in .part until it is whole; later deliveries wait in \
                    the inbox until it arrives"
                .into(),
        }
    }

    /// The reason for a delivery that opens but cannot be accepted.
    pub(super) fn from_refusal(error: &anyhow::Error) -> Self {
        Self {
            problem: format!("{error:#}"),
            consequence: NOTHING_CHANGED,
            remedy: "if the message says how the delivery can be accepted, do that with `postduif index build` or `postduif index \
                    apply`, or put the delivery back into the inbox; otherwise download it again. Later deliveries wait in the \
                    inbox until it arrives"
                .into(),
        }
    }

    /// The reason for a stand of another area; `None` for every other action.
    pub(super) fn from_action(action: &DeliveryAction) -> Option<Self> {
        match action {
            DeliveryAction::Build | DeliveryAction::Apply | DeliveryAction::Repeat { .. } => None,
            DeliveryAction::OtherArea {
                area,
                register_area,
            } => Some(Self {
                problem: format!(
                    "another area: it is a stand of {}, and the register is of {}",
                    format_area(area),
                    format_area(register_area)
                ),
                consequence: NOTHING_CHANGED,
                remedy: "nothing. To replace the register by one of that area, run `postduif index build --replace-area --extract` with \
                        it"
                    .into(),
            }),
        }
    }

    /// The problem in one line, for the log.
    pub(super) fn problem(&self) -> &str {
        &self.problem
    }

    /// The whole text of the reason, for the file beside the delivery.
    pub(super) fn render(&self, name: &str) -> String {
        let Self {
            problem,
            consequence,
            remedy,
        } = self;
        format!(
            "{name} was rejected at {:.0}.\n\nWhat happened: {problem}\nWhat it means: {consequence}\nWhat to do: {remedy}\n",
            jiff::Timestamp::now()
        )
    }
}
