//! Where deliveries go when they are done with: into a folder of the inbox, each with a file beside it that says what came of
//! it. Nothing is overwritten: a name that is taken gets a number.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// How many deliveries of one name there may be.
pub(super) const MAX_SAME_NAME: u32 = 100_000;

/// Bytes that a file's name may have on every common file system.
pub(super) const MAX_NAME_BYTES: usize = 255;

/// What is on its way from another file system. Hidden, and nobody reads it.
const PARTIAL_COPY_NAME: &str = ".postduif-watch.part";

/// One folder.
pub(super) struct ArchiveDir {
    folder: PathBuf,
    /// What stands behind a delivery's name in the name of the file beside it.
    note_suffix: &'static str,
}

impl ArchiveDir {
    pub(super) fn applied(inbox: &Path) -> Self {
        Self {
            folder: inbox.join("applied"),
            note_suffix: "report.json",
        }
    }

    pub(super) fn rejected(inbox: &Path) -> Self {
        Self {
            folder: inbox.join("rejected"),
            note_suffix: "reason.txt",
        }
    }

    /// Makes the folder if it is not there.
    pub(super) fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)
    }

    /// Finds a free name for a delivery by making the file beside it, which only one can make. It is there first, so that no
    /// delivery lies here without.
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
                Ok(file) => {
                    let is_filled = false;
                    let slot = ArchiveSlot {
                        target,
                        note_path,
                        is_filled,
                    };
                    write_synced(file, note_text)?;
                    return Ok(slot);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The name of the file beside a delivery, which has less of the delivery's name where that is very long.
    fn note_name(&self, name: &OsStr, number: u32) -> OsString {
        let max_bytes = MAX_NAME_BYTES - 1 - self.note_suffix.len();
        let mut note = numbered_name(name, number, max_bytes);
        note.push(".");
        note.push(self.note_suffix);
        note
    }
}

/// A free name on a shelf. The file beside it goes again unless the delivery comes: of one that is not here nothing should be
/// told.
pub(super) struct ArchiveSlot {
    target: PathBuf,
    note_path: PathBuf,
    is_filled: bool,
}

impl ArchiveSlot {
    /// Moves the delivery here.
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

fn write_synced(mut file: File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.sync_all()
}

/// `day.zip`, then `day.2.zip` and so on, with less of the stem where it would be longer than `longest` bytes.
pub(super) fn numbered_name(name: &OsStr, number: u32, max_bytes: usize) -> OsString {
    let path = Path::new(name);
    let mut end = OsString::new();
    if number > 1 {
        end.push(format!(".{number}"));
    }
    if let Some(extension) = path.extension() {
        end.push(".");
        end.push(extension);
    }
    let stem = path.file_stem().unwrap_or(name);
    let mut numbered = truncate_name(stem, max_bytes.saturating_sub(end.len()));
    numbered.push(end);
    numbered
}

/// The first bytes of a name, in whole characters where it is text.
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

/// Brings a file to another file system: whole under its name there before it is gone here.
fn copy_across_devices(from: &Path, to: &Path) -> io::Result<()> {
    // Reading a pipe would never end.
    if !from.symlink_metadata()?.is_file() {
        let message = "no file, and only a file can be brought to another file system";
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
        // What is left of it is under a name that nobody reads.
        fs::remove_file(&part).ok();
    })
}

fn sync_dir(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(shelf: &ArchiveDir, delivery: &Path, beside: &str) -> io::Result<PathBuf> {
        let name = delivery.file_name().expect("a name");
        shelf.reserve(name, beside.as_bytes())?.move_in(delivery)
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = ArchiveDir::rejected(folder.path());
        let delivery = folder.path().join("day.zip");
        let put = |content: &str| {
            fs::write(&delivery, content).expect("writes");
            let target = super::tests::put(&shelf, &delivery, content).expect("moves");
            assert!(!delivery.exists());
            assert_eq!(fs::read_to_string(&target).expect("reads"), content);
            let name = target.file_name().expect("a name").to_owned();
            let mut note = name.clone();
            note.push(".reason.txt");
            let note = fs::read_to_string(target.with_file_name(note));
            assert_eq!(note.expect("a file beside it"), content);
            name
        };
        assert_eq!(put("one"), "day.zip");
        assert_eq!(put("two"), "day.2.zip");
        fs::remove_file(folder.path().join("rejected/day.zip")).expect("removes");
        assert_eq!(put("three"), "day.3.zip", "its reason is still there");
    }

    #[test]
    fn what_cannot_be_moved_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = ArchiveDir::applied(folder.path());
        let missing = folder.path().join("gone.zip");
        put(&shelf, &missing, "{}").expect_err("it is not there");
        let left = fs::read_dir(folder.path().join("applied")).expect("a folder");
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn the_longest_name_is_moved_and_told_of() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = ArchiveDir::applied(folder.path());
        let ends = ["a", "b", "é"].map(|end| format!("{end}.zip"));
        let names =
            ends.map(|end| format!("{}{end}", "é".repeat((MAX_NAME_BYTES - end.len()) / 2)));
        for name in names.iter().chain(&names) {
            let delivery = folder.path().join(name);
            fs::write(&delivery, name).expect("writes");
            put(&shelf, &delivery, name).expect("moves");
        }
        let entries = fs::read_dir(folder.path().join("applied")).expect("a folder");
        let (notes, deliveries): (Vec<_>, Vec<_>) = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("whole characters"))
            .partition(|name| name.ends_with(".zip.report.json"));
        assert_eq!((notes.len(), deliveries.len()), (6, 6), "{deliveries:?}");
    }

    #[test]
    fn a_file_system_apart_gets_a_whole_copy() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to] = ["from.zip", "to.zip"].map(|name| folder.path().join(name));
        fs::write(&from, "a delivery").expect("writes");
        copy_across_devices(&from, &to).expect("copies");
        assert_eq!(fs::read(&to).expect("reads"), b"a delivery");
        let left = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(left.count(), 1, "neither the original nor a part is left");
    }
}
