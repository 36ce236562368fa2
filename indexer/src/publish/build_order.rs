//! Orders the generations of a data folder by the time at which they were built.

use jiff::{SignedDuration, Timestamp};
use postduif_schema::{DataFolder, GenerationName, Manifest};

use super::error::PublishError;

/// The creation time of a generation, and its name; `None` if its manifest cannot be read.
fn read_build_key(data: &DataFolder, name: GenerationName) -> Option<(Timestamp, GenerationName)> {
    let manifest = Manifest::read(&data.generation_path(name)).ok()?;
    Some((manifest.created_at, name))
}

/// Every generation, in the order in which they were built. Generations with an unreadable manifest come first.
pub(super) fn generations_by_age(data: &DataFolder) -> Result<Vec<GenerationName>, PublishError> {
    let mut generations = data.list_generations()?;
    generations.sort_by_cached_key(|&name| (read_build_key(data, name), name));
    Ok(generations)
}

/// The generation that was built just before the generation `name`, which need not exist. If the manifest of `name` cannot be read, its
/// time is unknown, so this is the generation with the name just before. Skips generations with an unreadable manifest.
///
/// # Errors
/// If the generations cannot be listed.
pub fn previous_generation(
    data: &DataFolder,
    name: GenerationName,
) -> Result<Option<GenerationName>, PublishError> {
    let generations = data.list_generations()?.into_iter();
    let others = generations.filter_map(|other| read_build_key(data, other));
    let previous = match read_build_key(data, name) {
        Some(own) => others.filter(|other| *other < own).max(),
        None => others
            .filter(|&(_, other)| other < name)
            .max_by_key(|&(_, other)| other),
    };
    Ok(previous.map(|(_, name)| name))
}

/// The creation time of a generation that is built at `now`. It is later than that of every other generation (or equal, at the end of the range),
/// even if the clock was set back, because it orders the generations.
pub(super) fn creation_time(data: &DataFolder, now: Timestamp) -> Result<Timestamp, PublishError> {
    let generations = data.list_generations()?.into_iter();
    let newest = generations
        .filter_map(|name| read_build_key(data, name))
        .max();
    Ok(match newest {
        Some((newest, _)) if newest >= now => newest
            .checked_add(SignedDuration::from_secs(1))
            .unwrap_or(newest),
        _ => now,
    })
}
