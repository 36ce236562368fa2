//! Checks whether the score is calibrated: counts, for each band of the score, the rows of customer files and how many of them are
//! right.

use postduif::check::FileCheckError;
use postduif::snapshot::Snapshot;

use crate::customer_files::{CustomerRow, FileShape, check_file};

/// The lower bounds of the bands of the score.
pub(crate) const BANDS: [f64; 6] = [0.95, 0.9, 0.8, 0.5, 0.2, 0.0];

/// The number of rows, and how many of them are right.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowCounts {
    pub(crate) rows: usize,
    pub(crate) right: usize,
}

/// For each band, the counts of the rows whose score is in this band.
pub(crate) type BandCounts = [RowCounts; BANDS.len()];

impl RowCounts {
    pub(crate) fn add(&mut self, is_right: bool) {
        self.rows += 1;
        self.right += usize::from(is_right);
    }

    /// The share of right rows in percent; 100 if there are no rows.
    pub(crate) fn percent(self) -> f64 {
        let count = |count: usize| u32::try_from(count).map_or(f64::MAX, f64::from);
        match self.rows {
            0 => 100.0,
            rows => 100.0 * count(self.right) / count(rows),
        }
    }
}

/// Checks the same rows in a file of each shape.
pub(crate) fn calibrate(
    file: &[CustomerRow],
    snapshot: &Snapshot,
) -> Result<Vec<(FileShape, BandCounts)>, FileCheckError> {
    let measure = |shape: FileShape| {
        let mut counts = BandCounts::default();
        for checked in check_file(file, shape, snapshot)? {
            let band = BANDS.iter().position(|least| checked.score >= *least);
            counts[band.expect("the last is 0")].add(checked.is_right);
        }
        Ok((shape, counts))
    };
    FileShape::ALL.into_iter().map(measure).collect()
}

/// The sum of the counts of all shapes.
pub(crate) fn sum(shapes: &[(FileShape, BandCounts)]) -> BandCounts {
    let mut sums = BandCounts::default();
    for (_, counts) in shapes {
        for (sum, count) in sums.iter_mut().zip(counts) {
            sum.rows += count.rows;
            sum.right += count.right;
        }
    }
    sums
}
