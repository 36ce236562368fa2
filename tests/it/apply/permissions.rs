//! Checks that published files are read-only. A service maps these files, and truncating a mapped file would end the service with
//! SIGBUS.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use postduif_indexer::DataDirWriter;

use super::made::{group_of_new_version, mutations};
use super::rules::{FLAT, STREET};
use crate::data_dir::ServedFolder;
use crate::delivery::{municipal, nummeraanduiding};

/// Checks that every file of a generation is read-only.
#[track_caller]
pub(crate) fn files_are_read_only(folder: &Path) {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_are_read_only(&path);
            continue;
        }
        let mode = path.metadata().expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o444, "{}", path.display());
        files += 1;
    }
    assert!(files > 0, "no files in {}", folder.display());
}

#[test]
fn published_files_are_read_only_and_can_still_be_pruned() {
    let served = ServedFolder::generation_of(&municipal().pack());
    let first = served.data.generation_path(served.current());
    files_are_read_only(&first);
    let number = nummeraanduiding(FLAT, "1", "1381AA", STREET);
    let next = number.replace("1381AA", "1381ZZ");
    let groups = [group_of_new_version(&number, &next, "2021-09-15")];
    let delivery = mutations("2021-09-15", "2021-09-16", &groups).pack();
    // The second generation has hard links to files of the first one.
    served.apply_as_new(&served.delivery(&delivery));
    files_are_read_only(&served.data.generation_path(served.current()));
    let writer = DataDirWriter::lock(&served.data).expect("unlocked");
    writer.prune(1).expect("deletes");
    assert!(!first.exists());
}
