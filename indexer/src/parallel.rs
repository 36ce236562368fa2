//! Maps many independent items on all cores. Each thread takes the next remaining item until no items are left.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Maps each item and returns the results in the order of the items. After the first error, threads take no more items. Each
/// thread has one state that it passes to every call of `map`, such as a buffer to reuse.
pub(crate) fn map_in_parallel<I: Sync, S: Default, T: Send, E: Send>(
    items: &[I],
    map: impl Fn(&I, &mut S) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let threads = thread::available_parallelism()
        .map_or(1, NonZero::get)
        .min(items.len());
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        let work = || -> Result<(), E> {
            let mut state = S::default();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else {
                    return Ok(());
                };
                let outcome = map(item, &mut state)
                    .inspect_err(|_| next.store(items.len(), Ordering::Relaxed))?;
                done.lock()
                    .expect("no thread panics while it has the lock")
                    .push((index, outcome));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().expect("mapping does not panic"))
    })?;
    let mut done = done.into_inner().expect("all threads are done");
    done.sort_unstable_by_key(|&(index, _)| index);
    Ok(done.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Splits the items into one chunk for each core, maps each chunk, and returns the results in the order of the items.
pub(crate) fn map_chunks_in_parallel<I: Sync, T: Send, E: Send>(
    items: impl Iterator<Item = I>,
    map: impl Fn(&[I]) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let items: Vec<I> = items.collect();
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let chunks: Vec<_> = items.chunks(items.len().div_ceil(threads).max(1)).collect();
    map_in_parallel(&chunks, |chunk, ()| map(chunk))
}
