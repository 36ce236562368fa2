//! Defines the text form of an API key, and the digest that the database stores.
//!
//! A key is `pd_live_` or `pd_test_`, then 32 random base-62 characters, then the CRC-32 of both parts in six base-62 characters.
//! The first eight of the 32 are the account's [`AccountTag`], the same in all its keys, so that a load balancer can hash on it;
//! the other 24 are the secret. A key without this form is refused. No `Debug` or `Display` in this module shows a secret.
//!
//! Source: decisions.md, section Names; contract.md, section Authentication.

use std::borrow::Cow;
use std::fmt;

use sha2::{Digest, Sha256};

use super::account_tag::TAG_LENGTH as TAG;
use super::{AccountTag, Environment, base62};

const PREFIX_LENGTH: usize = 8;
const CHECKED_LENGTH: usize = PREFIX_LENGTH + 32;
const KEY_LENGTH: usize = CHECKED_LENGTH + 6;

/// A well-formed key. Only the directory knows whether the key is in force.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey {
    text: [u8; KEY_LENGTH],
    environment: Environment,
}

/// The text is not a key. The message deliberately contains neither the text nor the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed key; expected pd_live_ or pd_test_ and 38 characters with a valid checksum")]
pub struct BadApiKey;

/// Cuts every key in a text after the account's tag, so that the text holds no secret. Also cuts texts that only begin like a key.
#[must_use]
pub fn mask_keys(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(text);
    for environment in [Environment::Live, Environment::Test] {
        let prefix = std::str::from_utf8(environment.key_prefix()).expect("ASCII");
        if !masked.contains(prefix) {
            continue;
        }
        let mut parts = masked.split(prefix);
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let ends_key =
                |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | ',' | ';' | ')');
            let secret_end = part.find(ends_key);
            let (key, rest) = part.split_at(secret_end.unwrap_or(part.len()));
            let (tag, secret) = key.split_at(key.floor_char_boundary(TAG));
            let mark = if secret.is_empty() { "" } else { "…" };
            shown.extend([prefix, tag, mark, rest]);
        }
        masked = Cow::Owned(shown);
    }
    masked
}

impl ApiKey {
    /// Generates a key with a new secret for the account with this tag.
    ///
    /// # Errors
    /// If the operating system returns no random bytes.
    pub fn generate(environment: Environment, tag: AccountTag) -> Result<Self, getrandom::Error> {
        let mut text = [0; KEY_LENGTH];
        text[..PREFIX_LENGTH].copy_from_slice(environment.key_prefix());
        text[PREFIX_LENGTH..PREFIX_LENGTH + TAG].copy_from_slice(tag.as_str().as_bytes());
        base62::fill_random(&mut text[PREFIX_LENGTH + TAG..CHECKED_LENGTH])?;
        let checksum = checksum(&text);
        text[CHECKED_LENGTH..].copy_from_slice(&checksum);
        Ok(Self { text, environment })
    }

    /// Parses a key without allocating. Does not check that the key is in force.
    ///
    /// # Errors
    /// [`BadApiKey`] for every text that [`ApiKey::generate`] cannot return.
    pub fn parse(sent: &[u8]) -> Result<Self, BadApiKey> {
        let text: [u8; KEY_LENGTH] = sent.try_into().map_err(|_| BadApiKey)?;
        let environment = Environment::from_key_prefix(&text[..PREFIX_LENGTH]).ok_or(BadApiKey)?;
        let well_formed = text[PREFIX_LENGTH..].iter().all(u8::is_ascii_alphanumeric)
            && text[CHECKED_LENGTH..] == checksum(&text);
        well_formed
            .then_some(Self { text, environment })
            .ok_or(BadApiKey)
    }

    /// The environment in the prefix of the key.
    pub fn environment(&self) -> Environment {
        self.environment
    }

    /// The account tag in the key.
    pub fn tag(&self) -> AccountTag {
        ascii_str(&self.text[PREFIX_LENGTH..PREFIX_LENGTH + TAG])
            .parse()
            .expect("eight checked characters are a tag")
    }

    /// The last four characters, by which a customer recognises the key. They belong to the checksum, not to the secret.
    pub fn last_four(&self) -> &str {
        ascii_str(&self.text[KEY_LENGTH - 4..])
    }

    /// The digest of the key.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest::from_key_bytes(&self.text)
    }

    /// The whole key, to show to its owner once.
    pub fn reveal(&self) -> &str {
        ascii_str(&self.text)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "ApiKey(pd_{}_{}…{})",
            self.environment,
            self.tag(),
            self.last_four()
        )
    }
}

/// The SHA-256 of a key's text. A key has 142 random bits, so a plain hash cannot be reversed by trying keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct KeyDigest(pub(super) [u8; 32]);

impl KeyDigest {
    /// The digest of any text, padded or cut to the length of a key, so that hashing always takes the same time. The digest of a longer
    /// text can equal the digest of a key; [`ApiKey::parse`] still refuses that text.
    pub(super) fn from_key_bytes(sent: &[u8]) -> Self {
        let mut text = [0; KEY_LENGTH];
        let length = sent.len().min(KEY_LENGTH);
        text[..length].copy_from_slice(&sent[..length]);
        Self(Sha256::digest(text).into())
    }

    /// The digest in the form that the database stores: 64 hexadecimal digits.
    pub(super) fn to_hex(self) -> String {
        hex::encode(self.0)
    }

    /// Parses the text of [`KeyDigest::to_hex`].
    pub(super) fn from_hex(text: &str) -> Option<Self> {
        let mut digest = [0; 32];
        hex::decode_to_slice(text, &mut digest).ok()?;
        Some(Self(digest))
    }
}

impl fmt::Debug for KeyDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyDigest(…)")
    }
}

fn checksum(text: &[u8; KEY_LENGTH]) -> [u8; 6] {
    base62::encode_u32(crc32fast::hash(&text[..CHECKED_LENGTH]))
}

fn ascii_str(text: &[u8]) -> &str {
    std::str::from_utf8(text).expect("a key is ASCII")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A fixed key. Its checksum was computed with Python's `zlib.crc32`.
    const KNOWN: &str = "pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLMN2qXoQJ";

    #[test]
    fn a_known_key_parses_into_environment_and_tag() {
        let key = ApiKey::parse(KNOWN.as_bytes()).expect("the key is well formed");
        assert_eq!(key.environment(), Environment::Live);
        assert_eq!(key.tag().as_str(), "Ab3dE6gH");
        assert_eq!(key.last_four(), &KNOWN[42..]);
        assert_eq!(key.reveal(), KNOWN);
        assert_eq!(
            key.digest().to_hex(),
            "4f1e49483b73fc446826713c535d99ed350c1ad53e6eb1c08675b1e93515405a"
        );
    }

    #[test]
    #[rustfmt::skip]
    fn the_secret_of_every_key_in_a_text_is_cut() {
        #[track_caller]
        fn case(text: &str, expected: &str) {
            assert_eq!(mask_keys(text), expected);
        }
        case(KNOWN, "pd_live_Ab3dE6gH…");
        case(&format!("keys {KNOWN:?}, pd_test_Ab3dE6gH01 and more"), "keys \"pd_live_Ab3dE6gH…\", pd_test_Ab3dE6gH… and more");
        case("expected pd_live_ or pd_test_", "expected pd_live_ or pd_test_");
        case("pd_live_é", "pd_live_é");
        case("pd_live_Ab3dE6gH01-23", "pd_live_Ab3dE6gH…");
        case("", "");
    }

    #[test]
    fn only_the_exact_form_is_a_key() {
        #[track_caller]
        fn case(sent: &str) {
            assert_eq!(ApiKey::parse(sent.as_bytes()), Err(BadApiKey), "{sent:?}");
        }
        case("");
        case("pd_live_");
        case(&KNOWN[..45]);
        case(&format!("{KNOWN}0"));
        case(&format!(" {}", &KNOWN[..45]));
        case(&format!("{}\n", &KNOWN[..45]));
        case(&KNOWN.to_uppercase());
        case(&KNOWN.replace("pd_live_", "pd_test_"));
        case(&KNOWN.replace("pd_live_", "xx_live_"));
        case(&checksummed("pd_demo_Ab3dE6gH0123456789ABCDEFGHIJKLMN"));
        case(&checksummed("pd_live_Ab3dE6gH0123456789ABCDEFGHIJKL-N"));
        case(&checksummed("pd_live_Ab3dE6gH0123456789ABCDEFGHIJKLé"));
    }

    #[test]
    fn debug_shows_no_secret() {
        let key = ApiKey::parse(KNOWN.as_bytes()).expect("the key is well formed");
        let shown = format!("{key:?} {:?}", key.digest());
        assert_eq!(
            shown,
            format!("ApiKey(pd_live_Ab3dE6gH…{}) KeyDigest(…)", &KNOWN[42..])
        );
    }

    #[test]
    fn keys_of_one_account_share_the_tag_and_nothing_else() {
        let tag = AccountTag::random().expect("the operating system has randomness");
        let [one, other] =
            [(); 2].map(|()| ApiKey::generate(Environment::Test, tag).expect("randomness"));
        assert_eq!((one.tag(), other.tag()), (tag, tag));
        assert_ne!(
            one.text[PREFIX_LENGTH + TAG..CHECKED_LENGTH],
            other.text[PREFIX_LENGTH + TAG..CHECKED_LENGTH]
        );
    }

    fn checksummed(body: &str) -> String {
        let checksum = base62::encode_u32(crc32fast::hash(body.as_bytes()));
        format!("{body}{}", ascii_str(&checksum))
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_are_refused_or_are_the_text_of_the_parsed_key(sent in prop::collection::vec(any::<u8>(), 0..64)) {
            if let Ok(key) = ApiKey::parse(&sent) {
                prop_assert_eq!(key.reveal().as_bytes(), sent);
            }
        }

        #[test]
        fn a_generated_key_parses_and_any_changed_character_is_refused(test in any::<bool>(), at in 0..KEY_LENGTH, byte in any::<u8>()) {
            let environment = if test { Environment::Test } else { Environment::Live };
            let tag = AccountTag::random().expect("the operating system has randomness");
            let key = ApiKey::generate(environment, tag).expect("the operating system has randomness");
            prop_assert_eq!(ApiKey::parse(&key.text), Ok(key.clone()));
            let mut changed = key.text;
            changed[at] = byte;
            prop_assert_eq!(ApiKey::parse(&changed).is_ok(), changed == key.text);
        }

        #[test]
        fn digests_survive_their_hexadecimal_form(digest: [u8; 32]) {
            let digest = KeyDigest(digest);
            prop_assert!(KeyDigest::from_hex(&digest.to_hex()) == Some(digest));
        }
    }
}
