//! Moves processed deliveries to the archive folders. Each delivery gets a note, which is a file beside it with the report or the
//! reason. No file is overwritten. If a name is in use, a number is added to it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::cli::index::inbox_layout::{APPLIED_DIR, REJECTED_DIR};

/// Maximum number of files with the same original name in an archive folder. A further file cannot be moved there.
pub(super) const MAX_SAME_NAME: u32 = 100_000;

/// Maximum number of bytes of a file name. A longer name is shortened. All common file systems accept names of this length.
pub(super) const MAX_NAME_BYTES: usize = 255;

/// The name of an unfinished copy from another file system. The name is hidden, so that no program takes the file for a delivery.
const PARTIAL_COPY_NAME: &str = ".postduif-watch.part";

/// A folder of processed deliveries.
pub(super) struct ArchiveDir {
    folder: PathBuf,
    /// The suffix of a note. The rest of the note's name is the name of the delivery.
    note_suffix: &'static str,
}

impl ArchiveDir {
    pub(super) fn for_applied(inbox: &Path) -> Self {
        Self {
            folder: inbox.join(APPLIED_DIR),
            note_suffix: "report.json",
        }
    }

    pub(super) fn for_rejected(inbox: &Path) -> Self {
        Self {
            folder: inbox.join(REJECTED_DIR),
            note_suffix: "reason.txt",
        }
    }

    /// Creates the folder if it is missing.
    pub(super) fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)
    }

    /// Reserves a free name for a delivery by creating its note. Only one process can create a note of a given name. The note is
    /// written before the delivery is moved, so every delivery in the folder has a note.
    pub(super) fn reserve(&self, name: &OsStr, note_text: &[u8]) -> io::Result<ArchiveSlot> {
        self.create()?;
        for number in 1..MAX_SAME_NAME {
            let target = self
                .folder
                .join(numbered_name(name, number, MAX_NAME_BYTES));
            if target.symlink_metadata().is_ok() {
                continue;
            }
            let note_path = self.folder.join(self.note_name(name, number));
            match File::create_new(&note_path) {
                Ok(mut file) => {
                    let slot = ArchiveSlot {
                        target,
                        note_path,
                        is_filled: false,
                    };
                    file.write_all(note_text)?;
                    file.sync_all()?;
                    return Ok(slot);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The name of a delivery's note: the name of the delivery, shortened if it is very long, and the suffix.
    fn note_name(&self, name: &OsStr, number: u32) -> OsString {
        let max_bytes = MAX_NAME_BYTES - 1 - self.note_suffix.len();
        let mut note = numbered_name(name, number, max_bytes);
        note.push(".");
        note.push(self.note_suffix);
        note
    }
}

/// A reserved name in an archive folder. Dropping the slot deletes the note, unless the delivery was moved to the name.
pub(super) struct ArchiveSlot {
    target: PathBuf,
    note_path: PathBuf,
    is_filled: bool,
}

impl ArchiveSlot {
    /// Moves the delivery to its reserved name.
    pub(super) fn move_in(mut self, delivery: &Path) -> io::Result<PathBuf> {
        move_file(delivery, &self.target)?;
        self.is_filled = true;
        self.target.parent().map_or(Ok(()), sync_dir)?;
        delivery.parent().map_or(Ok(()), sync_dir)?;
        Ok(self.target.clone())
    }
}

impl Drop for ArchiveSlot {
    fn drop(&mut self) {
        if !self.is_filled {
            fs::remove_file(&self.note_path).ok();
        }
    }
}

/// Adds a number to a name: `day.zip` for 1, `day.2.zip` for 2 and so on. Shortens the stem if the name would be longer than
/// `max_bytes`.
pub(super) fn numbered_name(name: &OsStr, number: u32, max_bytes: usize) -> OsString {
    let path = Path::new(name);
    let mut suffix = OsString::new();
    if number > 1 {
        suffix.push(format!(".{number}"));
    }
    if let Some(extension) = path.extension() {
        suffix.push(".");
        suffix.push(extension);
    }
    let stem = path.file_stem().unwrap_or(name);
    let mut numbered = truncate_name(stem, max_bytes.saturating_sub(suffix.len()));
    numbered.push(suffix);
    numbered
}

/// The first bytes of a name. If the name is UTF-8, no character is cut.
fn truncate_name(name: &OsStr, max_bytes: usize) -> OsString {
    if name.len() <= max_bytes {
        return name.to_owned();
    }
    match name.to_str() {
        Some(text) => text[..text.floor_char_boundary(max_bytes)].into(),
        None => OsStr::from_bytes(&name.as_bytes()[..max_bytes]).to_owned(),
    }
}

fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => copy_across_devices(from, to),
        moved => moved,
    }
}

/// Moves a file to another file system by copying it. Deletes the original only after the copy is complete and has its final name.
fn copy_across_devices(from: &Path, to: &Path) -> io::Result<()> {
    // Refuse pipes and devices, because reading from a pipe may never end.
    if !from.symlink_metadata()?.is_file() {
        let message =
            "not a regular file, and only a regular file can be moved to another file system";
        return Err(io::Error::new(ErrorKind::Unsupported, message));
    }
    let part = to.with_file_name(PARTIAL_COPY_NAME);
    let copy = || {
        fs::copy(from, &part)?;
        File::open(&part)?.sync_all()?;
        fs::rename(&part, to)?;
        to.parent().map_or(Ok(()), sync_dir)?;
        fs::remove_file(from)
    };
    copy().inspect_err(|_| {
        // If this fails, a partial copy stays. Its name is hidden, so no program takes the copy for a delivery.
        fs::remove_file(&part).ok();
    })
}

fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(dir: &ArchiveDir, delivery: &Path, note: &str) -> io::Result<PathBuf> {
        let name = delivery.file_name().expect("a name");
        dir.reserve(name, note.as_bytes())?.move_in(delivery)
    }

    #[test]
    fn a_name_in_use_gets_a_number() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = ArchiveDir::for_rejected(folder.path());
        let delivery = folder.path().join("day.zip");
        let put = |content: &str| {
            fs::write(&delivery, content).expect("writes");
            let target = super::tests::put(&dir, &delivery, content).expect("moves");
            assert!(!delivery.exists());
            assert_eq!(fs::read_to_string(&target).expect("reads"), content);
            let name = target.file_name().expect("a name").to_owned();
            let mut note = name.clone();
            note.push(".reason.txt");
            let note = fs::read_to_string(target.with_file_name(note));
            assert_eq!(note.expect("a note"), content);
            name
        };
        assert_eq!(put("one"), "day.zip");
        assert_eq!(put("two"), "day.2.zip");
        fs::remove_file(folder.path().join("rejected/day.zip")).expect("removes");
        assert_eq!(
            put("three"),
            "day.3.zip",
            "the note of the removed delivery is still there"
        );
    }

    #[test]
    fn after_a_failed_move_the_note_is_deleted() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = ArchiveDir::for_applied(folder.path());
        let missing = folder.path().join("gone.zip");
        put(&dir, &missing, "{}").expect_err("the delivery does not exist");
        let left = fs::read_dir(folder.path().join("applied")).expect("a folder");
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn the_longest_name_is_moved_with_its_note() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = ArchiveDir::for_applied(folder.path());
        let suffixes = ["a", "b", "é"].map(|suffix| format!("{suffix}.zip"));
        let names =
            suffixes.map(|end| format!("{}{end}", "é".repeat((MAX_NAME_BYTES - end.len()) / 2)));
        for name in names.iter().chain(&names) {
            let delivery = folder.path().join(name);
            fs::write(&delivery, name).expect("writes");
            put(&dir, &delivery, name).expect("moves");
        }
        let entries = fs::read_dir(folder.path().join("applied")).expect("a folder");
        let (notes, deliveries): (Vec<_>, Vec<_>) = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("whole characters"))
            .partition(|name| name.ends_with(".zip.report.json"));
        assert_eq!((notes.len(), deliveries.len()), (6, 6), "{deliveries:?}");
    }

    #[test]
    fn a_move_to_another_file_system_copies_the_whole_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to] = ["from.zip", "to.zip"].map(|name| folder.path().join(name));
        fs::write(&from, "a delivery").expect("writes");
        copy_across_devices(&from, &to).expect("copies");
        assert_eq!(fs::read(&to).expect("reads"), b"a delivery");
        let left = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(
            left.count(),
            1,
            "neither the original nor a partial copy is left"
        );
    }
}
