//! Defines the e-mail address of an account. Its form is checked only roughly, because only a delivered message proves that the address
//! exists.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// The maximum length. Source: RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, of which two are its angle brackets.
const MAX_BYTES: usize = 254;

/// An e-mail address: one `@` with something on both sides, no white space or control characters, at most 254 bytes.
///
/// Stored in lower case, so that two spellings of one address are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Email(String);

impl Email {
    /// The address in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that is not an e-mail address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "malformed e-mail address {0:?}; expected name@domain without spaces, at most {MAX_BYTES} characters"
)]
pub struct BadEmail(String);

impl FromStr for Email {
    type Err = BadEmail;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadEmail(text.chars().take(MAX_BYTES).collect());
        let (name, domain) = text.split_once('@').ok_or_else(bad)?;
        let has_two_parts = !name.is_empty() && !domain.is_empty() && !domain.contains('@');
        let has_no_spaces = !text.chars().any(|c| c.is_whitespace() || c.is_control());
        let email = text.to_lowercase();
        (has_two_parts && has_no_spaces && email.len() <= MAX_BYTES)
            .then_some(Self(email))
            .ok_or_else(bad)
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_addresses_are_checked_lightly_and_stored_in_lower_case() {
        #[track_caller]
        fn case(text: &str, expected: Option<&str>) {
            let email = text.parse::<Email>().ok();
            assert_eq!(email.as_ref().map(Email::as_str), expected, "{text:?}");
        }
        case("kees@example.nl", Some("kees@example.nl"));
        case("Kees+Post@Example.NL", Some("kees+post@example.nl"));
        case("", None);
        case("kees", None);
        case("@example.nl", None);
        case("kees@", None);
        case("a@b@c", None);
        case("kees @example.nl", None);
        case("kees@example.nl\n", None);
        case("kees\u{0}@example.nl", None);
        let longest = format!("{}@b", "a".repeat(MAX_BYTES - 2));
        case(&longest, Some(&longest));
        case(&format!("a{longest}"), None);
        // Lower-casing lengthens this letter from two bytes to three.
        case(&format!("Ⱥ{}", &longest[2..]), None);
    }
}
