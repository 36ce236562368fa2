//! Why a delivery was rejected, for the person who finds it.

use super::order::{Choice, told};

/// What stands in a reason file.
pub(super) struct Reason {
    happened: String,
    means: &'static str,
    to_do: String,
}

const AS_BEFORE: &str =
    "nothing of it is in the register, and what was served goes on being served";

impl Reason {
    /// It is no delivery, or not a whole one, and was left alone for long.
    pub(super) fn unfit(error: &anyhow::Error) -> Self {
        Self {
            happened: format!("it does not open as a delivery: {error:#}"),
            means: AS_BEFORE,
            to_do: "fetch or copy it again, under a name that ends in .part until it is whole; deliveries that follow it wait \
                    in the inbox until it has come"
                .into(),
        }
    }

    /// It opens but cannot be accepted.
    pub(super) fn refused(error: &anyhow::Error) -> Self {
        Self {
            happened: format!("{error:#}"),
            means: AS_BEFORE,
            to_do: "where the message says what would make it acceptable, do that with `postduif index build` or `postduif \
                    index apply`, or put the delivery back into the inbox; else fetch it again. Deliveries that follow it wait \
                    in the inbox until it has come"
                .into(),
        }
    }

    /// It is a stand of another area; none for every other choice.
    pub(super) fn of(choice: &Choice) -> Option<Self> {
        match choice {
            Choice::Build | Choice::Apply | Choice::Repeat { .. } => None,
            Choice::OtherArea { area, held } => Some(Self {
                happened: format!(
                    "another area: it is a stand of {}, and the register is of {}",
                    told(area),
                    told(held)
                ),
                means: AS_BEFORE,
                to_do: "nothing. If the register must be of that area from now on, give it to `postduif index build --extract`"
                    .into(),
            }),
        }
    }

    /// In one line, for the log.
    pub(super) fn line(&self) -> &str {
        &self.happened
    }

    /// All of it, for the file beside the delivery.
    pub(super) fn text(&self, name: &str) -> String {
        let Self {
            happened,
            means,
            to_do,
        } = self;
        format!(
            "{name} was rejected at {:.0}.\n\nWhat happened: {happened}\nWhat it means: {means}\nWhat to do: {to_do}\n",
            jiff::Timestamp::now()
        )
    }
}
