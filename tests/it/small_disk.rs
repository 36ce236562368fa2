//! Mounts a small file system in memory, which is soon full.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::skip_as_not_permitted;

/// A mounted file system, unmounted on drop.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts a file system of this size; `None` if the user may not mount.
    pub(crate) fn mount(at: &Path, size: &str) -> Option<Self> {
        let mounted = mount(&["-t", "tmpfs", "-o", size, "tmpfs"], at);
        (mounted || skip_as_not_permitted("mounting a small file system"))
            .then(|| Self(at.to_owned()))
    }

    /// Resizes the file system while it is in use.
    pub(crate) fn resize(&self, size: &str) {
        let size = format!("remount,{size}");
        assert!(mount(&["-o", &size], &self.0), "{size}");
    }

    /// Makes the file system read-only.
    pub(crate) fn make_read_only(&self) {
        assert!(mount(&["-o", "remount,ro"], &self.0), "remount");
    }

    /// Creates a file that uses all free space.
    pub(crate) fn fill(&self) {
        let filler = File::options()
            .create(true)
            .append(true)
            .open(self.filler());
        let mut filler = filler.expect("a file on the disk");
        for size in [1 << 16, 1 << 12, 1] {
            let part = vec![0; size];
            while filler.write_all(&part).is_ok() {}
        }
    }

    /// Creates a file that leaves at least this many bytes free, and less than a page more.
    pub(crate) fn fill_except(&self, bytes: u64) {
        self.fill();
        let filler = File::options().write(true).open(self.filler());
        let filler = filler.expect("it was filled");
        let all = filler.metadata().expect("a file").len();
        filler
            .set_len(all.saturating_sub(bytes))
            .expect("the test may remove it");
    }

    /// Deletes the file, so that the space is free again.
    pub(crate) fn clear(&self) {
        std::fs::remove_file(self.filler()).expect("it was filled");
    }

    fn filler(&self) -> PathBuf {
        self.0.join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Unmount lazily, because a process may still have a file open on it for a moment.
        Command::new("umount").arg("-l").arg(&self.0).status().ok();
    }
}

fn mount(options: &[&str], at: &Path) -> bool {
    let output = Command::new("mount").args(options).arg(at).output();
    output.is_ok_and(|output| output.status.success())
}
