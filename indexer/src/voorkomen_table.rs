//! Keeps the voorkomens of one object type of a delivery in a sorted table in memory.

use crate::day::Day;
use crate::example_count::ExampleCount;
use crate::objects::{Voorkomen, VoorkomenRecord};

/// Records, sorted by the id of the object, then by voorkomenidentificatie.
pub(crate) struct VoorkomenTable<Id, T> {
    pub(crate) records: Vec<VoorkomenRecord<Id, T>>,
    /// Versions that occur twice with different content. The first of the two records is used.
    pub(crate) conflicts: ExampleCount,
}

impl<Id: Copy + Ord, T> VoorkomenTable<Id, T> {
    /// Joins and sorts the records of all files. Sorting costs little, because deliveries are usually sorted already. If a version
    /// occurs twice, the first record is kept; if the other one differs, the version is also counted as a conflict.
    pub(crate) fn from_files(files: Vec<Vec<VoorkomenRecord<Id, T>>>) -> Self
    where
        Id: std::fmt::Display,
        T: PartialEq,
    {
        let mut records = Vec::with_capacity(files.iter().map(Vec::len).sum());
        for file in files {
            records.extend(file);
        }
        let key = |record: &VoorkomenRecord<Id, T>| (record.id, record.voorkomen.number);
        records.sort_by_key(key);
        let mut conflicts = ExampleCount::default();
        records.dedup_by(|second, first| {
            let is_same_version = key(second) == key(first);
            if is_same_version && second.voorkomen != first.voorkomen {
                conflicts.add_version(&second.id, second.voorkomen.number);
            }
            is_same_version
        });
        Self { records, conflicts }
    }

    /// The state of an object on a day.
    pub(crate) fn state_on(&self, id: Id, day: Day) -> Option<&T> {
        let start = self.records.partition_point(|record| record.id < id);
        let versions = self.records[start..]
            .iter()
            .take_while(|record| record.id == id);
        Voorkomen::state_on(versions.map(|record| &record.voorkomen), day)
    }

    /// Whether the table has a version of an object. It may begin on a later day than the stand.
    pub(crate) fn contains(&self, id: Id) -> bool {
        self.records
            .binary_search_by_key(&id, |record| record.id)
            .is_ok()
    }

    /// Every object with all its versions, in the order of the ids.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (Id, &[VoorkomenRecord<Id, T>])> {
        self.records
            .chunk_by(|a, b| a.id == b.id)
            .map(|versions| (versions[0].id, versions))
    }

    /// Every object that exists on a day, with its state on that day, in the order of the ids.
    pub(crate) fn states_on(&self, day: Day) -> impl Iterator<Item = (Id, &T)> {
        self.objects().filter_map(move |(id, versions)| {
            Voorkomen::state_on(versions.iter().map(|record| &record.voorkomen), day)
                .map(|state| (id, state))
        })
    }

    /// Adds to `found` the versions that hold on a day together with a later version of the same object.
    pub(crate) fn add_overlaps(&self, day: Day, found: &mut ExampleCount)
    where
        Id: std::fmt::Display,
    {
        for (id, records) in self.objects().filter(|(_, records)| records.len() > 1) {
            let versions = records.iter().map(|record| &record.voorkomen);
            found.add_overlaps(&id, versions, day);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TODAY, day, version};

    #[test]
    fn a_version_that_occurs_twice_with_different_content_is_counted() {
        let record = |id: u32, number, state| VoorkomenRecord {
            id,
            voorkomen: version(number, "2010-01-01..", state),
        };
        let files = vec![
            vec![record(7, 1, 'a'), record(7, 2, 'b')],
            vec![record(7, 1, 'a'), record(7, 2, 'c'), record(9, 2, 'c')],
        ];
        let table = VoorkomenTable::from_files(files);
        assert_eq!((table.records.len(), table.conflicts.count), (3, 1));
        assert_eq!(table.conflicts.examples, ["7/2"]);
        assert_eq!(table.state_on(7, day(TODAY)), Some(&'b'), "the first");
    }

    #[test]
    fn the_order_of_the_files_does_not_change_the_table() {
        let record = |id: u32, number, period, state| VoorkomenRecord {
            id,
            voorkomen: version(number, period, state),
        };
        let first = || {
            vec![
                record(7, 1, "2010-01-01..2021-01-01", 'a'),
                record(9, 1, "2030-01-01..", 'x'),
            ]
        };
        let second = || {
            vec![
                record(7, 2, "2021-01-01..", 'b'),
                record(3, 1, "2010-01-01..", 'c'),
            ]
        };
        for files in [
            vec![first(), second()],
            vec![second(), first()],
            vec![first(), second(), first()],
        ] {
            let table = VoorkomenTable::from_files(files);
            let all: Vec<(u32, char)> = table
                .states_on(day(TODAY))
                .map(|(id, state)| (id, *state))
                .collect();
            assert_eq!(all, [(3, 'c'), (7, 'b')]);
            let counts: Vec<(u32, usize)> = table
                .objects()
                .map(|(id, versions)| (id, versions.len()))
                .collect();
            assert_eq!(counts, [(3, 1), (7, 2), (9, 1)]);
            assert_eq!(table.records.len(), 4);
            let on = |id, on| table.state_on(id, day(on)).copied();
            assert_eq!(
                (on(7, "2020-12-31"), on(7, "2021-01-01")),
                (Some('a'), Some('b'))
            );
            assert_eq!(
                (on(9, TODAY), on(9, "2030-01-01"), on(8, TODAY)),
                (None, Some('x'), None)
            );
        }
    }
}
