//! Reads publications of any layout. A bucket may hold publications that older and newer versions of postduif made.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::Value;

use super::{BucketError, PublicationNumber};
use postduif_schema::Manifest;

/// A publication as read from a bucket.
#[derive(Debug)]
pub struct PublishedManifest {
    /// The number of the publication.
    pub publication: PublicationNumber,
    /// The manifest, or an error if it is damaged or this postduif cannot read its layout.
    pub manifest: Result<Manifest, BucketError>,
    /// The parts of the manifest that can be read in any layout.
    pub outline: ManifestOutline,
    pub(super) bytes: Vec<u8>,
}

impl PublishedManifest {
    /// Whether the published bytes are exactly those of `manifest`.
    #[must_use]
    pub fn matches(&self, manifest: &Manifest) -> bool {
        self.bytes == manifest.to_bytes()
    }
}

/// The parts that the manifests of all layouts so far have in common. A part that is missing or has another type is `None`. The
/// checksum of the manifest is not verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestOutline {
    /// The layout version.
    pub layout_version: Option<u64>,
    /// The name of the generation.
    pub generation: Option<String>,
    /// The day of which the generation holds the register's state.
    pub stand: Option<String>,
    /// The number of addresses.
    pub addresses: Option<u64>,
    /// When the generation was built.
    pub created_at: Option<Timestamp>,
    /// SHA-256 of every listed file; `None` if the entry of any file cannot be read.
    pub files: Option<HashSet<String>>,
    /// Total size of the listed files.
    pub bytes: Option<u64>,
}

impl ManifestOutline {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let all: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let text = |name: &str| all[name].as_str().map(ToOwned::to_owned);
        let files = all["files"].as_array();
        let name = |file: &Value| {
            let name = file["sha256"].as_str().filter(|name| is_sha256_hex(name));
            name.map(ToOwned::to_owned)
        };
        let sizes = |files: &Vec<Value>| {
            let mut sizes = files.iter().map(|file| file["bytes"].as_u64());
            sizes.try_fold(0, |all: u64, bytes| Some(all.saturating_add(bytes?)))
        };
        Self {
            layout_version: all["layoutVersion"].as_u64(),
            generation: text("generation"),
            stand: text("stand"),
            addresses: all["counts"]["addresses"].as_u64(),
            created_at: text("createdAt").and_then(|at| at.parse().ok()),
            files: files.and_then(|files| files.iter().map(name).collect()),
            bytes: files.and_then(sizes),
        }
    }
}

/// Whether a name in the bucket is a SHA-256 in hex.
pub(super) fn is_sha256_hex(name: &str) -> bool {
    name.len() == 64
        && name
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outline_has_the_parts_that_a_later_layout_keeps() {
        let name = "0f".repeat(32);
        let text = format!(
            r#"{{"layoutVersion": 1000, "generation": "2031-01-08-1", "stand": "2031-01-08", "counts": {{"addresses": 3}},
                "createdAt": "2031-01-08T04:00:00Z", "more": [], "files": [{{"bytes": 7, "sha256": "{name}", "kind": 4}}]}}"#
        );
        let outline = ManifestOutline::parse(text.as_bytes());
        assert_eq!(outline.layout_version, Some(1000));
        assert_eq!(outline.generation.as_deref(), Some("2031-01-08-1"));
        assert_eq!((outline.addresses, outline.bytes), (Some(3), Some(7)));
        assert_eq!(outline.files, Some(HashSet::from([name.clone()])));
        let size = format!("7, \"sha256\": \"{name}\"}}, {{\"bytes\": {}", u64::MAX);
        let huge = ManifestOutline::parse(text.replace("7", &size).as_bytes());
        assert_eq!(huge.bytes, Some(u64::MAX));
        // An entry that cannot be read could name any file.
        let other = text.replace(&name, "0f");
        assert_eq!(ManifestOutline::parse(other.as_bytes()).files, None);
        for text in ["", "[]", "{}", r#"{"files": {}}"#, r#"{"files": [1]}"#] {
            assert_eq!(
                ManifestOutline::parse(text.as_bytes()).files,
                None,
                "{text}"
            );
        }
    }
}
