//! What is tried with bytes from anywhere: one function a target, which panics when a promise is broken. libFuzzer calls them
//! (`tests/fuzz`), and so does a test with the seeds of `testdata/fuzz` and what chance makes of them.

mod archives;
mod documents;
mod forwarded;
mod manifests;
mod requests;
mod tables;
mod words;

/// A target: takes any bytes, and returns when all that holds for them held.
pub(crate) type Target = fn(&[u8]);

/// Every target by its name.
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

/// Hands over a folder of this thread's own, which goes when the thread ends.
fn in_folder(then: impl FnOnce(&std::path::Path)) {
    thread_local! {
        static FOLDER: tempfile::TempDir = folder();
    }
    FOLDER.with(|folder| then(folder.path()));
}

/// A folder in memory where there is one: targets write thousands of files in a second.
fn folder() -> tempfile::TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let made = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    made.expect("a temporary folder")
}
