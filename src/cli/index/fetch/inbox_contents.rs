//! Lists the deliveries that are or were in the inbox, so that no delivery is downloaded twice.
//!
//! Files in `applied/` and `rejected/` are listed too. To download a rejected delivery again, the operator deletes it from
//! `rejected/`.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use jiff::civil::Date;
use postduif_indexer::{
    DeliveryHeader, MutationPeriod, parse_delivery_period, read_delivery_header,
};

use crate::cli::index::inbox_layout::{APPLIED_DIR, REJECTED_DIR, STAGING_DIR, is_delivery_name};

/// The folders through which the watcher moves a delivery, in this order. If the folders are listed in this order, a delivery that
/// is moved meanwhile is not missed.
const FOLDERS: [(&str, FolderKind); 4] = [
    (".", FolderKind::Waiting),
    (STAGING_DIR, FolderKind::Waiting),
    (APPLIED_DIR, FolderKind::Applied),
    (REJECTED_DIR, FolderKind::Rejected),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    Waiting,
    Applied,
    Rejected,
}

/// The deliveries that are or were in an inbox.
pub(super) struct InboxContents {
    names: HashSet<OsString>,
    /// The periods of the mutations that were applied or wait in the inbox.
    pub(super) mutations: BTreeSet<MutationPeriod>,
    /// The stand of the newest extract that waits to be applied; `None` if no extract waits.
    pub(super) waiting_stand: Option<Date>,
}

impl InboxContents {
    /// Lists the folders. Opens a waiting file if its name does not show which delivery it is.
    pub(super) fn read(inbox: &Path) -> io::Result<Self> {
        let mut contents = Self {
            names: HashSet::new(),
            mutations: BTreeSet::new(),
            waiting_stand: None,
        };
        for (name, kind) in FOLDERS {
            let folder = inbox.join(name);
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                // The other folders are missing until the watcher creates them.
                Err(error) if error.kind() == ErrorKind::NotFound && name != "." => continue,
                Err(error) => return Err(error),
            };
            for entry in entries {
                contents.add(&entry?.path(), kind);
            }
        }
        Ok(contents)
    }

    fn add(&mut self, path: &Path, kind: FolderKind) {
        let name = path.file_name().unwrap_or_default();
        if !is_delivery_name(name) {
            return;
        }
        match parse_delivery_period(&name.to_string_lossy()) {
            Some(period) if kind != FolderKind::Rejected => drop(self.mutations.insert(period)),
            None if kind == FolderKind::Waiting => match read_delivery_header(path) {
                Ok(DeliveryHeader::Stand { stand, .. }) => {
                    self.waiting_stand = self.waiting_stand.max(Some(stand));
                }
                Ok(DeliveryHeader::Mutations { period, .. }) => drop(self.mutations.insert(period)),
                // The file is not a delivery. The watcher reports it.
                Err(_) => {}
            },
            _ => {}
        }
        self.names.insert(name.to_owned());
    }

    /// Whether a delivery of this name is in the inbox or in one of the folders of processed deliveries.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(&OsString::from(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processed_deliveries_are_listed_but_rejected_ones_cover_no_days() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let put = |path: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            fs::write(path, "").expect("writable");
        };
        put("BAGNLDM-08012026-09012026.zip");
        put(".postduif-watch.staging/BAGNLDM-09012026-10012026.zip");
        put("applied/BAGNLDM-07012026-08012026.zip");
        put("rejected/BAGNLDM-10012026-11012026.zip");
        put("BAGNLDM-11012026-12012026.zip.part");
        put("not-a-delivery.zip");
        let contents = InboxContents::read(folder.path()).expect("readable");
        let days: Vec<i8> = contents
            .mutations
            .iter()
            .map(|period| period.from.day())
            .collect();
        assert_eq!(days, [7, 8, 9]);
        assert_eq!(contents.waiting_stand, None);
        assert!(contents.has("BAGNLDM-10012026-11012026.zip"));
        assert!(!contents.has("BAGNLDM-11012026-12012026.zip"));
    }

    #[test]
    fn a_missing_inbox_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(
            InboxContents::read(folder.path()).is_ok(),
            "the inbox has no other folders yet"
        );
        assert!(InboxContents::read(&folder.path().join("missing")).is_err());
    }
}
