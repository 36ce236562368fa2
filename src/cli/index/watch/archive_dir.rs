//! Where deliveries go when they are done with: into a folder of the inbox, each with a file beside it that says what came of
//! it. Nothing is overwritten: a name that is taken gets a number.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// How many deliveries of one name there may be.
pub(super) const MOST: u32 = 100_000;

/// Bytes that a file's name may have on every common file system.
pub(super) const LONGEST_NAME: usize = 255;

/// What is on its way from another file system. Hidden, and nobody reads it.
const PART: &str = ".postduif-watch.part";

/// One folder.
pub(super) struct Shelf {
    folder: PathBuf,
    /// What stands behind a delivery's name in the name of the file beside it.
    beside: &'static str,
}

impl Shelf {
    pub(super) fn applied(inbox: &Path) -> Self {
        Self {
            folder: inbox.join("applied"),
            beside: "report.json",
        }
    }

    pub(super) fn rejected(inbox: &Path) -> Self {
        Self {
            folder: inbox.join("rejected"),
            beside: "reason.txt",
        }
    }

    /// Makes the folder if it is not there.
    pub(super) fn make(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)
    }

    /// Finds a free name for a delivery by making the file beside it, which only one can make. It is there first, so that no
    /// delivery lies here without.
    pub(super) fn reserve(&self, name: &OsStr, beside: &[u8]) -> io::Result<Place> {
        self.make()?;
        for number in 1..MOST {
            let target = self.folder.join(numbered(name, number, LONGEST_NAME));
            if target.symlink_metadata().is_ok() {
                continue;
            }
            let note = self.folder.join(self.note_of(name, number));
            match File::create_new(&note) {
                Ok(file) => {
                    let filled = false;
                    let place = Place {
                        target,
                        note,
                        filled,
                    };
                    write(file, beside)?;
                    return Ok(place);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// The name of the file beside a delivery, which has less of the delivery's name where that is very long.
    fn note_of(&self, name: &OsStr, number: u32) -> OsString {
        let longest = LONGEST_NAME - 1 - self.beside.len();
        let mut note = numbered(name, number, longest);
        note.push(".");
        note.push(self.beside);
        note
    }
}

/// A free name on a shelf. The file beside it goes again unless the delivery comes: of one that is not here nothing should be
/// told.
pub(super) struct Place {
    target: PathBuf,
    note: PathBuf,
    filled: bool,
}

impl Place {
    /// Moves the delivery here.
    pub(super) fn fill(mut self, delivery: &Path) -> io::Result<PathBuf> {
        move_file(delivery, &self.target)?;
        self.filled = true;
        self.target.parent().map_or(Ok(()), sync)?;
        delivery.parent().map_or(Ok(()), sync)?;
        Ok(self.target.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.filled {
            fs::remove_file(&self.note).ok();
        }
    }
}

fn write(mut file: File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.sync_all()
}

/// `day.zip`, then `day.2.zip` and so on, with less of the stem where it would be longer than `longest` bytes.
pub(super) fn numbered(name: &OsStr, number: u32, longest: usize) -> OsString {
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
    let mut numbered = cut(stem, longest.saturating_sub(end.len()));
    numbered.push(end);
    numbered
}

/// The first bytes of a name, in whole characters where it is text.
fn cut(name: &OsStr, longest: usize) -> OsString {
    if name.len() <= longest {
        return name.to_owned();
    }
    match name.to_str() {
        Some(text) => text[..text.floor_char_boundary(longest)].into(),
        None => OsStr::from_bytes(&name.as_bytes()[..longest]).to_owned(),
    }
}

fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => copy_over(from, to),
        moved => moved,
    }
}

/// Brings a file to another file system: whole under its name there before it is gone here.
fn copy_over(from: &Path, to: &Path) -> io::Result<()> {
    // Reading a pipe would never end.
    if !from.symlink_metadata()?.is_file() {
        let told = "no file, and only a file can be brought to another file system";
        return Err(io::Error::new(ErrorKind::Unsupported, told));
    }
    let part = to.with_file_name(PART);
    let copy = || {
        fs::copy(from, &part)?;
        File::open(&part)?.sync_all()?;
        fs::rename(&part, to)?;
        to.parent().map_or(Ok(()), sync)?;
        fs::remove_file(from)
    };
    copy().inspect_err(|_| {
        // What is left of it is under a name that nobody reads.
        fs::remove_file(&part).ok();
    })
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(shelf: &Shelf, delivery: &Path, beside: &str) -> io::Result<PathBuf> {
        let name = delivery.file_name().expect("a name");
        shelf.reserve(name, beside.as_bytes())?.fill(delivery)
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = Shelf::rejected(folder.path());
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
        let shelf = Shelf::applied(folder.path());
        let missing = folder.path().join("gone.zip");
        put(&shelf, &missing, "{}").expect_err("it is not there");
        let left = fs::read_dir(folder.path().join("applied")).expect("a folder");
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn the_longest_name_is_moved_and_told_of() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = Shelf::applied(folder.path());
        let ends = ["a", "b", "é"].map(|end| format!("{end}.zip"));
        let names = ends.map(|end| format!("{}{end}", "é".repeat((LONGEST_NAME - end.len()) / 2)));
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
        copy_over(&from, &to).expect("copies");
        assert_eq!(fs::read(&to).expect("reads"), b"a delivery");
        let left = fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(left.count(), 1, "neither the original nor a part is left");
    }
}
