//! Writes the text of a notice about the quota, in Dutch and in English.
//!
//! Source: contract.md, section Limits, rule 2. Paid plans have 10% grace above the quota; the free plan has none.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use crate::accounts::{AccountId, Notice, QuotaUse};

pub(super) const MONTHS_NL: [&str; 12] = [
    "januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september",
    "oktober", "november", "december",
];

pub(super) const MONTHS_EN: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
];

pub(super) fn subject(quota_use: &QuotaUse) -> String {
    let percent = quota_use.percent;
    format!("{percent}% van uw bundel gebruikt / {percent}% of your quota used")
}

/// The part of the `Message-ID` before its domain.
pub(super) fn message_id(account: AccountId, quota_use: &QuotaUse) -> String {
    let start = quota_use.period_start.as_second();
    format!("notice.{account}.{start}.{}", quota_use.percent)
}

pub(super) fn message_body(notice: &Notice, quota_use: &QuotaUse) -> String {
    format!(
        "{}\n\n-- English --\n\n{}\n",
        dutch_body(notice, quota_use),
        english_body(notice, quota_use)
    )
}

fn dutch_body(notice: &Notice, quota_use: &QuotaUse) -> String {
    let QuotaUse { percent, quota, .. } = quota_use;
    let end = format_time(notice.give_up_at, &MONTHS_NL);
    let overage = match (grace_calls(quota_use), *percent >= 100) {
        (None, true) => "Elke verdere aanvraag wordt tot dan geweigerd met status 429.".to_owned(),
        (None, false) => {
            "Is de bundel op, dan wordt elke verdere aanvraag tot dan geweigerd met status 429."
                .to_owned()
        }
        (Some(grace), true) => format!(
            "De bundel is op. Er worden nog {grace} aanvragen extra beantwoord; daarna wordt elke aanvraag tot dan geweigerd met status 429."
        ),
        (Some(grace), false) => format!(
            "Is de bundel op, dan worden nog {grace} aanvragen extra beantwoord; daarna wordt elke aanvraag tot dan geweigerd met status 429."
        ),
    };
    format!(
        "U hebt {percent}% gebruikt van uw bundel van {quota} aanvragen.\n\n\
         De periode eindigt op {end}. {overage}\n\n\
         Hebt u meer aanvragen nodig, vraag de beheerder van deze dienst dan om een grotere bundel. \
         Verwacht u dit gebruik niet, kijk dan na wie uw sleutels gebruikt.\n\n\
         Dit bericht krijgt u één keer per periode. Account: {account}",
        account = notice.account_id,
    )
}

fn english_body(notice: &Notice, quota_use: &QuotaUse) -> String {
    let QuotaUse { percent, quota, .. } = quota_use;
    let end = format_time(notice.give_up_at, &MONTHS_EN);
    let overage = match (grace_calls(quota_use), *percent >= 100) {
        (None, true) => "Every further call is refused until then, with status 429.".to_owned(),
        (None, false) => {
            "Once the quota is used up, every further call is refused until then, with status 429."
                .to_owned()
        }
        (Some(grace), true) => format!(
            "The quota is used up. Another {grace} calls are still answered; after these, every call is refused until then, with status 429."
        ),
        (Some(grace), false) => format!(
            "Once the quota is used up, another {grace} calls are still answered; after these, every call is refused until then, with status 429."
        ),
    };
    format!(
        "You have used {percent}% of your quota of {quota} calls.\n\n\
         The period ends on {end}. {overage}\n\n\
         If you need more calls, ask the operator of this service for a larger quota. \
         If you do not expect this use, look into who uses your keys.\n\n\
         You receive this message once per period. Account: {account}",
        account = notice.account_id,
    )
}

/// The number of calls above the quota that are still answered; `None` if the plan has no grace.
fn grace_calls(quota_use: &QuotaUse) -> Option<u32> {
    Some(quota_use.grace).filter(|grace| *grace > 0)
}

/// A time such as `1 december 2026, 00:00 UTC`.
pub(super) fn format_time(time: Timestamp, months: &[&str; 12]) -> String {
    let time: DateTime = Offset::UTC.to_datetime(time);
    let month = usize::try_from(time.month()).expect("months are 1 to 12") - 1;
    let (day, year, hour, minute) = (time.day(), time.year(), time.hour(), time.minute());
    format!("{day} {} {year}, {hour:02}:{minute:02} UTC", months[month])
}
