//! A publication as far as it can be read, whoever made it: layouts come and go, and a bucket may hold several.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::Value;

use super::transfer::is_sha256_hex;
use super::{BucketError, PublicationNumber};
use postduif_schema::Manifest;

/// What stands under the number of a publication.
#[derive(Debug)]
pub struct PublishedManifest {
    /// Which one.
    pub publication: PublicationNumber,
    /// Its manifest, where it is sound and of this postduif's layout.
    pub manifest: Result<Manifest, BucketError>,
    /// What can be told of it in any case.
    pub outline: ManifestOutline,
    pub(super) bytes: Vec<u8>,
}

impl PublishedManifest {
    /// Whether it is this very manifest, to the byte.
    #[must_use]
    pub fn matches(&self, manifest: &Manifest) -> bool {
        self.bytes == manifest.to_bytes()
    }
}

/// What a manifest of any layout tells, each part if it has it in the form that it always had. Nothing of it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestOutline {
    /// Its layout version.
    pub layout_version: Option<u64>,
    /// The name of its generation.
    pub generation: Option<String>,
    /// The day whose register state it holds.
    pub stand: Option<String>,
    /// How many addresses it holds.
    pub addresses: Option<u64>,
    /// When it was made.
    pub created_at: Option<Timestamp>,
    /// Every file that it names, by SHA-256; none where not each of them can be read.
    pub files: Option<HashSet<String>>,
    /// How many bytes these have together.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_later_layout_still_has_is_read() {
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
        // One file that cannot be read could be any file.
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
