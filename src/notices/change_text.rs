//! Writes the text of a notice of a change, in Dutch and in English. The text contains only masked keys, because mail is not safe for a
//! secret.

use super::text::{MONTHS_EN, MONTHS_NL, format_time};
use crate::accounts::{AccountChange, AccountId};

pub(super) fn subject(change: &AccountChange) -> String {
    let subject = match change {
        AccountChange::KeyRotated { .. } => {
            "Uw API-sleutel wordt vervangen / Your API key is being replaced"
        }
        AccountChange::EmailChanged { .. } => {
            "E-mailadres van uw account gewijzigd / E-mail address of your account changed"
        }
    };
    subject.to_owned()
}

pub(super) fn message_body(account: AccountId, change: &AccountChange) -> String {
    let [dutch, english] = match change {
        AccountChange::KeyRotated {
            old_key,
            new_key,
            expires_at,
        } => {
            let [until_nl, until_en] =
                [&MONTHS_NL, &MONTHS_EN].map(|months| format_time(*expires_at, months));
            [
                format!(
                    "De sleutel {old_key} van uw account wordt vervangen door {new_key}.\n\n\
                     Tot {until_nl} werken beide sleutels. Daarna wordt de oude sleutel geweigerd met status 401. \
                     Vervang hem voor die tijd overal waar u hem gebruikt.\n\n\
                     De nieuwe sleutel staat niet in dit bericht: u krijgt hem van de beheerder van deze dienst. \
                     Had u dit niet verwacht, neem dan contact op met de beheerder."
                ),
                format!(
                    "The key {old_key} of your account is being replaced by {new_key}.\n\n\
                     Both keys work until {until_en}. After that the old key is refused with status 401. \
                     Replace it before then wherever you use it.\n\n\
                     The new key is not in this message: you receive it from the operator of this service. \
                     If you did not expect this, contact the operator."
                ),
            ]
        }
        AccountChange::EmailChanged {
            old_email,
            new_email,
        } => [
            format!(
                "Het e-mailadres van uw account is gewijzigd van {old_email} in {new_email}. \
                 Berichten over uw account gaan voortaan naar {new_email}.\n\n\
                 Dit bericht is naar beide adressen gestuurd. \
                 Had u dit niet verwacht, neem dan contact op met de beheerder van deze dienst."
            ),
            format!(
                "The e-mail address of your account was changed from {old_email} to {new_email}. \
                 Messages about your account now go to {new_email}.\n\n\
                 This message was sent to both addresses. \
                 If you did not expect this, contact the operator of this service."
            ),
        ],
    };
    format!("{dutch}\n\nAccount: {account}\n\n-- English --\n\n{english}\n\nAccount: {account}\n")
}
