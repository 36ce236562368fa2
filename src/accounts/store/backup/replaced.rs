//! Renames a replaced database to an unused name with the date.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use postduif_schema::FileError;

use super::error::BackupError;
use super::files::{SIDECAR_SUFFIXES, is_non_empty_file, with_suffix};

/// Gives the database a second name by a hard link, so that a database with the first name always exists. Renames the database if hard
/// links are not possible. Renames the log too, because SQLite would otherwise apply the old log to the new database. Returns the second
/// name, or `None` if no database exists.
pub(super) fn set_aside_existing(
    file: &Path,
    now: Timestamp,
    link: impl Fn(&Path, &Path) -> io::Result<()>,
) -> Result<Option<PathBuf>, BackupError> {
    let set_aside = unused_name(file, now);
    let mut found = false;
    if is_non_empty_file(file) {
        found = true;
        match link(file, &set_aside) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(BackupError::AlreadyExists(set_aside));
            }
            Err(_) => fs::rename(file, &set_aside).map_err(FileError::with_path(&set_aside))?,
        }
    }
    for suffix in SIDECAR_SUFFIXES {
        let name = with_suffix(file, suffix);
        if is_non_empty_file(&name) {
            found = true;
            fs::rename(&name, with_suffix(&set_aside, suffix))
                .map_err(FileError::with_path(&name))?;
        }
    }
    Ok(found.then_some(set_aside))
}

/// An unused name with the date. It has a number too if several databases are replaced within a second.
fn unused_name(file: &Path, now: Timestamp) -> PathBuf {
    let dated = with_suffix(
        file,
        &format!(".replaced-{}", now.strftime("%Y%m%dT%H%M%SZ")),
    );
    let is_free = |name: &PathBuf| {
        let tails = SIDECAR_SUFFIXES.map(|tail| with_suffix(name, tail));
        let mut names = tails.iter().chain([name]);
        names.all(|name| name.symlink_metadata().is_err())
    };
    let further = (2_u32..).map(|number| with_suffix(&dated, &format!("-{number}")));
    let mut names = std::iter::once(dated.clone()).chain(further);
    names.find(is_free).expect("the numbers never run out")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(link: impl Fn(&Path, &Path) -> io::Result<()>) -> [bool; 3] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("accounts.db");
        let log = with_suffix(&file, "-wal");
        let now = Timestamp::UNIX_EPOCH;
        let mut asides = Vec::new();
        for round in ["first", "second"] {
            fs::write(&file, round).expect("writes");
            fs::write(&log, round).expect("writes");
            let aside = set_aside_existing(&file, now, &link).expect("the database can be renamed");
            asides.push((aside.expect("there is a database to rename"), round));
        }
        let [whole, logs] = ["", "-wal"].map(|tail| {
            let holds = |(aside, round): &(PathBuf, &str)| {
                fs::read(with_suffix(aside, tail)).expect("reads") == round.as_bytes()
            };
            asides.iter().all(holds)
        });
        [whole, logs && !log.exists(), file.exists()]
    }

    #[test]
    fn a_replaced_database_is_complete_with_and_without_hard_links() {
        // Here a copy replaces the hard link, because the test overwrites the first file.
        let copies = |from: &Path, to: &Path| fs::copy(from, to).map(drop);
        assert_eq!(case(copies), [true, true, true]);
        let never = |_: &Path, _: &Path| Err(io::ErrorKind::Unsupported.into());
        assert_eq!(case(never), [true, true, false]);
    }
}
