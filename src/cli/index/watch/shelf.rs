//! Where deliveries go when they are done with: into a folder of the inbox, each with a file beside it that says what came of
//! it. Nothing is overwritten: a name that is taken gets a number.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// How many deliveries of one name there may be.
const MOST: u32 = 100_000;

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

    /// Moves a delivery here. The file beside it is there first, so that no delivery lies here without.
    pub(super) fn put(&self, delivery: &Path, beside: &[u8]) -> io::Result<PathBuf> {
        self.make()?;
        let name = delivery.file_name().ok_or(ErrorKind::InvalidInput)?;
        let (target, note) = self.reserve(name, beside)?;
        if let Err(error) = move_file(delivery, &target) {
            // Of a delivery that is not here nothing should be told.
            fs::remove_file(note).ok();
            return Err(error);
        }
        sync(&self.folder)?;
        delivery.parent().map_or(Ok(()), sync)?;
        Ok(target)
    }

    /// Finds a free name by making the file beside it, which only one can make.
    fn reserve(&self, name: &OsStr, beside: &[u8]) -> io::Result<(PathBuf, PathBuf)> {
        for number in 1..MOST {
            let name = numbered(name, number);
            let target = self.folder.join(&name);
            if target.symlink_metadata().is_ok() {
                continue;
            }
            let mut note = name;
            note.push(".");
            note.push(self.beside);
            let note = self.folder.join(note);
            match File::create_new(&note) {
                Ok(file) => {
                    return match write(file, beside) {
                        Ok(()) => Ok((target, note)),
                        Err(error) => {
                            fs::remove_file(note).ok();
                            Err(error)
                        }
                    };
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }
}

fn write(mut file: File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.sync_all()
}

/// `day.zip`, then `day.2.zip` and so on.
fn numbered(name: &OsStr, number: u32) -> OsString {
    if number == 1 {
        return name.to_owned();
    }
    let path = Path::new(name);
    let mut numbered = path.file_stem().unwrap_or(name).to_owned();
    numbered.push(format!(".{number}"));
    if let Some(extension) = path.extension() {
        numbered.push(".");
        numbered.push(extension);
    }
    numbered
}

fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => copy_over(from, to),
        moved => moved,
    }
}

/// Brings a file to another file system: whole under its name there before it is gone here.
fn copy_over(from: &Path, to: &Path) -> io::Result<()> {
    let mut part = OsString::from(".");
    part.push(to.file_name().unwrap_or_default());
    part.push(".part");
    let part = to.with_file_name(part);
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

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let shelf = Shelf::rejected(folder.path());
        let delivery = folder.path().join("day.zip");
        let put = |content: &str| {
            fs::write(&delivery, content).expect("writes");
            let target = shelf.put(&delivery, content.as_bytes()).expect("moves");
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
        shelf.put(&missing, b"{}").expect_err("it is not there");
        let left = fs::read_dir(folder.path().join("applied")).expect("a folder");
        assert_eq!(left.count(), 0);
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
