//! Why a delivery was rejected, for the person who finds it.

use super::order::{DeliveryAction, format_area};

/// What stands in a reason file.
pub(super) struct RejectionReason {
    problem: String,
    consequence: &'static str,
    remedy: String,
}

const NOTHING_CHANGED: &str =
    "nothing of it is in the register, and what was served goes on being served";

impl RejectionReason {
    /// It is no delivery, or not a whole one, and was left alone for long.
    pub(super) fn from_open_error(error: &anyhow::Error) -> Self {
        Self {
            problem: format!("it does not open as a delivery: {error:#}"),
            consequence: NOTHING_CHANGED,
            remedy: "fetch or copy it again, under a name that ends in .part until it is whole; deliveries that follow it wait \
                    in the inbox until it has come"
                .into(),
        }
    }

    /// It opens but cannot be accepted.
    pub(super) fn from_refusal(error: &anyhow::Error) -> Self {
        Self {
            problem: format!("{error:#}"),
            consequence: NOTHING_CHANGED,
            remedy: "where the message says what would make it acceptable, do that with `postduif index build` or `postduif \
                    index apply`, or put the delivery back into the inbox; else fetch it again. Deliveries that follow it wait \
                    in the inbox until it has come"
                .into(),
        }
    }

    /// It is a stand of another area; none for every other choice.
    pub(super) fn from_action(action: &DeliveryAction) -> Option<Self> {
        match action {
            DeliveryAction::Build | DeliveryAction::Apply | DeliveryAction::Repeat { .. } => None,
            DeliveryAction::OtherArea { area, register_area: held } => Some(Self {
                problem: format!(
                    "another area: it is a stand of {}, and the register is of {}",
                    format_area(area),
                    format_area(held)
                ),
                consequence: NOTHING_CHANGED,
                remedy: "nothing. If the register must be of that area from now on, give it to `postduif index build --extract`"
                    .into(),
            }),
        }
    }

    /// In one line, for the log.
    pub(super) fn problem(&self) -> &str {
        &self.problem
    }

    /// All of it, for the file beside the delivery.
    pub(super) fn render(&self, name: &str) -> String {
        let Self {
            problem: happened,
            consequence: means,
            remedy: to_do,
        } = self;
        format!(
            "{name} was rejected at {:.0}.\n\nWhat happened: {happened}\nWhat it means: {means}\nWhat to do: {to_do}\n",
            jiff::Timestamp::now()
        )
    }
}
