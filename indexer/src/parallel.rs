//! Reading the documents of a delivery on all cores. They are independent of each other, so each thread takes the next one
//! and inflates it into its own buffer.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::archive::XmlFile;

/// What `read` makes of each document, in their order. The first error stops all.
pub(crate) fn read_in_parallel<T: Send, E: Send>(
    files: &[XmlFile],
    read: impl Fn(&XmlFile, &mut Vec<u8>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(files.len());
    let (next, done) = (
        AtomicUsize::new(0),
        Mutex::new(Vec::with_capacity(files.len())),
    );
    thread::scope(|scope| {
        let work = || -> Result<(), E> {
            let mut buffer = Vec::new();
            while let Some((index, file)) = take_next(files, &next) {
                let outcome = read(file, &mut buffer)
                    .inspect_err(|_| next.store(files.len(), Ordering::Relaxed))?;
                done.lock()
                    .expect("no thread panics while it holds the lock")
                    .push((index, outcome));
            }
            Ok(())
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("reading does not panic"))
    })?;
    let mut done = done.into_inner().expect("all threads are done");
    done.sort_unstable_by_key(|&(index, _)| index);
    Ok(done.into_iter().map(|(_, outcome)| outcome).collect())
}

fn take_next<'a>(files: &'a [XmlFile], next: &AtomicUsize) -> Option<(usize, &'a XmlFile)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    files.get(index).map(|file| (index, file))
}
