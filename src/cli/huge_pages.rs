//! Chooses the size of the memory pages of this process.

/// Makes the kernel give this process small pages only. A delivery for the country needs 1.3 GB for a few seconds, and on a virtual machine the
/// kernel takes a second longer to clear as many bytes in huge pages. If the kernel refuses, the delivery only takes longer.
pub(super) fn disable() {
    #[cfg(target_os = "linux")]
    rustix::thread::disable_transparent_huge_pages(true).ok();
}
