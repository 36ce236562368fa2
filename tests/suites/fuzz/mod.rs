//! Defines the fuzz targets, one function per target, which panics on a broken promise. libFuzzer calls the targets (`tests/fuzz`).
//! A test calls them with the seeds of `testdata/fuzz` and with random changes of these seeds.

mod archives;
mod documents;
mod forwarded;
mod manifests;
mod requests;
mod tables;
mod words;

/// A target: takes any bytes, and returns normally if every promise holds for them.
pub(crate) type Target = fn(&[u8]);

/// Every target with its name.
pub(crate) const TARGETS: [(&str, Target); 10] = [
    ("paths", requests::paths),
    ("queries", requests::queries),
    ("bodies", requests::bodies),
    ("keys", requests::keys),
    ("forwarded", forwarded::forwarded),
    ("words", words::words),
    ("documents", documents::documents),
    ("archives", archives::archives),
    ("manifests", manifests::manifests),
    ("tables", tables::tables),
];

/// Calls `then` with a folder of the current thread. The folder is removed when the thread ends.
fn in_folder(then: impl FnOnce(&std::path::Path)) {
    thread_local! {
        static FOLDER: tempfile::TempDir = folder();
    }
    FOLDER.with(|folder| then(folder.path()));
}

/// A temporary folder, in memory if possible, because targets write thousands of files per second.
fn folder() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let created = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    created.expect("a temporary folder")
}
