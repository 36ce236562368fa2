//! Reads, writes and verifies the manifest of a generation. The manifest contains the stand, area and counts of the generation, and
//! the size and SHA-256 of every file.
//!
//! The manifest also contains a checksum of itself, so verification finds a changed byte anywhere in a generation before the
//! generation is served.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use sha2::{Digest, Sha256};

use crate::files::read_only_permissions;
use crate::{
    DataFolder, FileEntry, FileError, GemeenteCode, GenerationName, LAYOUT_VERSION, ManifestError,
    RegisterVersion, VerificationCache,
};

/// The file name of the manifest in a generation's folder.
pub const MANIFEST_FILE: &str = "manifest.json";

/// The description of a generation. It is written once, into the folder of the generation.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// [`LAYOUT_VERSION`] of the postduif that wrote the manifest.
    pub layout_version: u32,
    /// The name of the generation.
    pub generation: GenerationName,
    /// The generation holds the state of the register on this day.
    pub stand: Date,
    /// How many mutation deliveries were applied since the full build; 0 for a full build.
    pub sequence: u64,
    /// The part of the country that the generation covers.
    pub area: Area,
    /// When the generation was built. If the clock was set back, this is a second after the newest generation of the data folder, so that
    /// the generations of a folder are in the order of this time.
    pub created_at: Timestamp,
    /// How many addresses and post-office boxes the generation has.
    pub counts: GenerationCounts,
    /// All files except the manifest itself, sorted by path.
    pub files: Vec<FileEntry>,
    /// SHA-256 (hex) over this manifest with an empty checksum.
    pub checksum: String,
}

/// The part of the country that a register or generation covers.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Area {
    /// The whole Netherlands.
    Country,
    /// These municipalities, sorted.
    Municipalities(Vec<GemeenteCode>),
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Country => f.write_str("the Netherlands"),
            Self::Municipalities(codes) => {
                let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
                write!(f, "municipality {}", codes.join(", "))
            }
        }
    }
}

/// How many addresses and post-office boxes a generation has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GenerationCounts {
    /// Addresses, post-office boxes included.
    pub addresses: u64,
    /// Post-office boxes among the addresses.
    pub po_boxes: u64,
}

impl Manifest {
    /// The manifest of the served generation; `None` if no generation is served, or if its manifest cannot be read.
    pub fn read_served(data: &DataFolder) -> Option<Self> {
        let current = data.current_generation().ok()??;
        Self::read(&data.generation_path(current)).ok()
    }

    /// Reads the manifest of the generation in a folder, and checks the manifest's checksum and layout version.
    ///
    /// # Errors
    /// If the manifest is missing or damaged, or has another layout version.
    pub fn read(folder: &Path) -> Result<Self, ManifestError> {
        let path = folder.join(MANIFEST_FILE);
        match std::fs::read(&path) {
            Ok(bytes) => Self::from_bytes(&bytes, &path),
            Err(error) => Err(FileError::with_path(&path)(error).into()),
        }
    }

    /// Reads only the area of the generation in a folder, even if the generation has another layout. `None` if the area cannot be
    /// read.
    pub fn read_area(folder: &Path) -> Option<Area> {
        let bytes = std::fs::read(folder.join(MANIFEST_FILE)).ok()?;
        let field: AreaField = serde_json::from_slice(&bytes).ok()?;
        Some(field.area)
    }

    /// Parses the bytes of a manifest, with the same checks as [`read`](Self::read). Errors name `path`.
    ///
    /// # Errors
    /// If the manifest is damaged or has another layout version.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, ManifestError> {
        let damaged = |reason: String| ManifestError::Damaged {
            path: path.to_owned(),
            reason,
        };
        let version: LayoutVersionField =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if version.layout_version != LAYOUT_VERSION {
            return Err(ManifestError::LayoutMismatch {
                path: path.to_owned(),
                found: version.layout_version,
            });
        }
        let manifest: Self =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if manifest.checksum != manifest.compute_checksum() || manifest.to_bytes() != bytes {
            return Err(damaged("its checksum does not match its content".into()));
        }
        Ok(manifest)
    }

    /// The same manifest with its checksum filled in.
    #[must_use]
    pub fn with_checksum(mut self) -> Self {
        self.checksum = self.compute_checksum();
        self
    }

    /// Fills in the checksum, and writes the manifest as a read-only file into `folder`, the folder of its generation. The caller syncs the
    /// folder.
    ///
    /// # Errors
    /// If the file cannot be written or synced.
    pub fn write(self, folder: &Path) -> Result<Self, ManifestError> {
        let manifest = self.with_checksum();
        let path = folder.join(MANIFEST_FILE);
        let write = || {
            let mut file = File::create_new(&path)?;
            io::Write::write_all(&mut file, &manifest.to_bytes())?;
            file.set_permissions(read_only_permissions())?;
            file.sync_all()
        };
        write().map_err(FileError::with_path(&path))?;
        Ok(manifest)
    }

    /// The state of the register from which the generation was built. The address index contains it as well.
    pub const fn register_version(&self) -> RegisterVersion {
        RegisterVersion {
            stand: self.stand,
            sequence: self.sequence,
        }
    }

    /// Reads every listed file in `folder`, and compares its size and SHA-256 with the manifest.
    ///
    /// # Errors
    /// Names the first file that is missing or damaged.
    pub fn verify(&self, folder: &Path) -> Result<(), ManifestError> {
        self.files
            .iter()
            .try_for_each(|expected| expected.verify(folder))
    }

    /// Like [`verify`](Self::verify), but skips files that are in the cache and unchanged. Returns a cache of the files of this generation,
    /// for verifying the next one.
    ///
    /// # Errors
    /// Names the first file that is missing or damaged.
    pub fn verify_with_cache(
        &self,
        cache: &VerificationCache,
        folder: &Path,
    ) -> Result<VerificationCache, ManifestError> {
        let mut verified = VerificationCache::default();
        for expected in &self.files {
            verified.extend(expected.verify_with_cache(cache, folder)?);
        }
        Ok(verified)
    }

    fn compute_checksum(&self) -> String {
        let unsigned = Self {
            checksum: String::new(),
            ..self.clone()
        };
        hex::encode(Sha256::digest(unsigned.to_bytes()))
    }

    /// The content of the manifest file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .expect("all keys are strings, so serializing cannot fail");
        bytes.push(b'\n');
        bytes
    }
}

/// Reads only the layout version, which manifests of every layout have.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayoutVersionField {
    layout_version: u32,
}

/// Reads only the area, which manifests of every layout up to the current one have.
#[derive(serde::Deserialize)]
struct AreaField {
    area: Area,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest_of(folder: &Path) -> Manifest {
        std::fs::create_dir(folder.join("addresses")).expect("a new folder");
        std::fs::write(folder.join("addresses/a.fast"), b"columns").expect("a new file");
        let generation: GenerationName = "2021-09-15-1".parse().expect("a generation name");
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation,
            stand: generation.stand(),
            sequence: 0,
            area: Area::Municipalities(vec!["0457".parse().expect("a code")]),
            created_at: Timestamp::UNIX_EPOCH,
            counts: GenerationCounts {
                addresses: 2,
                po_boxes: 1,
            },
            files: vec![FileEntry::from_disk(folder, "addresses/a.fast").expect("a file")],
            checksum: String::new(),
        };
        manifest.write(folder).expect("a fresh folder")
    }

    #[test]
    fn a_written_manifest_reads_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let written = manifest_of(folder.path());
        assert_eq!(Manifest::read(folder.path()).expect("whole"), written);
        written.verify(folder.path()).expect("whole");
    }

    #[test]
    fn the_area_is_read_from_a_manifest_of_another_layout() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let read = |content: &str| {
            std::fs::write(folder.path().join(MANIFEST_FILE), content).expect("writes");
            Manifest::read_area(folder.path())
        };
        assert_eq!(Manifest::read_area(folder.path()), None);
        let country = r#"{"layoutVersion":99,"area":"country","anything":[]}"#;
        assert_eq!(read(country), Some(Area::Country));
        assert_eq!(read(r#"{"layoutVersion":99}"#), None);
        std::fs::remove_file(folder.path().join(MANIFEST_FILE)).expect("a file");
        let written = manifest_of(folder.path());
        assert_eq!(Manifest::read_area(folder.path()), Some(written.area));
    }

    #[test]
    fn verification_finds_every_flipped_byte_of_a_manifest() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        manifest_of(folder.path());
        let path = folder.path().join(MANIFEST_FILE);
        let whole = std::fs::read(&path).expect("a manifest");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            std::fs::write(&path, &damaged).expect("writes");
            let error = Manifest::read(folder.path())
                .expect_err("damaged")
                .to_string();
            assert!(error.contains(MANIFEST_FILE), "byte {at}: {error}");
        }
    }

    #[test]
    fn invalid_manifests_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let read = |content: &[u8]| {
            std::fs::write(folder.path().join(MANIFEST_FILE), content).expect("writes");
            Manifest::read(folder.path())
                .expect_err("no manifest")
                .to_string()
        };
        let deep = "[".repeat(100_000);
        let only_layout = format!("{{\"layoutVersion\":{LAYOUT_VERSION}}}");
        for content in [
            b"".as_slice(),
            b"{}",
            b"null",
            b"\xff",
            only_layout.as_bytes(),
            deep.as_bytes(),
        ] {
            assert!(read(content).contains("manifest.json: damaged manifest"));
        }
        let other = read(b"{\"layoutVersion\":99,\"anything\":[]}");
        assert!(
            other.contains("layout 99, but this postduif reads layout"),
            "{other}"
        );
    }

    #[test]
    fn the_error_for_a_changed_file_names_the_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let manifest = manifest_of(folder.path());
        for content in [b"Columns".as_slice(), b"column", b""] {
            std::fs::write(folder.path().join("addresses/a.fast"), content).expect("writes");
            let error = manifest
                .verify(folder.path())
                .expect_err("damaged")
                .to_string();
            assert!(error.contains("a.fast"), "{error}");
        }
        std::fs::remove_file(folder.path().join("addresses/a.fast")).expect("removes");
        assert!(
            manifest
                .verify(folder.path())
                .expect_err("missing")
                .to_string()
                .contains("a.fast")
        );
    }
}
