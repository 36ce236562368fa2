//! What no sound delivery makes, told by counts alone. A file that is missing at the end of a type leaves no other trace.

use postduif_schema::{Area, DataFolder, GenerationName, Manifest};

use super::error::BuildError;
use super::write::Written;
use crate::assemble::{LeftOut, LeftOutCount};

/// A delivery may have this many references to nothing, or one in so many addresses. Weesp of 15-09-2021 has none.
const DANGLING: Tolerance = Tolerance {
    count: 10,
    one_in: 100,
};

/// A delivery may have this many nummeraanduidingen in force without an object, or one in so many addresses. Weesp of
/// 15-09-2021 has none.
const WITHOUT_OBJECT: Tolerance = Tolerance {
    count: 50,
    one_in: 50,
};

/// From this many addresses on a generation is no trial, and whatever replaces it must be about as large, of whatever area.
const LARGE: u64 = 100_000;

struct Tolerance {
    count: u64,
    one_in: u64,
}

impl Tolerance {
    fn is_exceeded(&self, count: u64, of_addresses: u64) -> bool {
        count > self.count.max(of_addresses / self.one_in)
    }
}

/// The delivery that is judged.
pub(super) struct Judged<'a> {
    pub(super) extract: &'a std::path::Path,
    pub(super) area: &'a Area,
    pub(super) objects_read: u64,
    pub(super) accept_fewer: bool,
}

impl Judged<'_> {
    /// Refuses what no sound delivery makes, and what is much smaller than what it would replace.
    pub(super) fn check(&self, written: &Written, data: &DataFolder) -> Result<(), BuildError> {
        let extract = || self.extract.display().to_string();
        let addresses = written.counts.addresses - written.counts.po_boxes;
        if addresses == 0 {
            let objects = self.objects_read;
            return Err(BuildError::NoAddresses {
                extract: extract(),
                objects,
            });
        }
        let left_out = |wanted: fn(&LeftOut) -> bool| {
            let of_reason = written.left_out.iter();
            of_reason
                .filter(move |(reason, _)| wanted(reason))
                .map(|(_, counted)| counted)
        };
        let (count, example) = sum(left_out(LeftOut::is_dangling));
        let count = count + written.panden_missing;
        if DANGLING.is_exceeded(count, addresses) {
            return Err(BuildError::Dangling {
                extract: extract(),
                count,
                example,
            });
        }
        let (count, example) = sum(left_out(|&reason| reason == LeftOut::WithoutObject));
        if WITHOUT_OBJECT.is_exceeded(count, addresses) {
            return Err(BuildError::ObjectsMissing {
                extract: extract(),
                count,
                example,
            });
        }
        self.check_size(written.counts.addresses, data)
    }

    fn check_size(&self, found: u64, data: &DataFolder) -> Result<(), BuildError> {
        let Some((generation, manifest)) = served(data).filter(|_| !self.accept_fewer) else {
            return Ok(());
        };
        let before = manifest.counts.addresses;
        let least = match before {
            LARGE.. => before / 20 * 19,
            _ if manifest.area == *self.area => before / 2,
            _ => 0,
        };
        if found < least {
            return Err(BuildError::Fewer {
                found,
                before,
                generation,
            });
        }
        Ok(())
    }
}

fn sum<'a>(left_out: impl Iterator<Item = &'a LeftOutCount> + Clone) -> (u64, Option<String>) {
    let example = left_out
        .clone()
        .flat_map(|counted| &counted.examples)
        .next();
    (
        left_out.map(|counted| counted.count).sum(),
        example.cloned(),
    )
}

/// The generation that is served. One that does not read any more is no reason to refuse a new one.
fn served(data: &DataFolder) -> Option<(GenerationName, Manifest)> {
    let generation = data.current().ok()??;
    let manifest = Manifest::read(&data.generation_path(generation)).ok()?;
    Some((generation, manifest))
}
