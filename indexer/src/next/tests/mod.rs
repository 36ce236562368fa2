//! Compares next generations with generations that are built from scratch.

pub(crate) mod country;
mod crash;
mod same_places;

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::{DirEntryExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use postduif_schema::{
    AddressId, AddressIndex, DataFolder, Generation, Manifest, RegisterVersion, VerificationCache,
};
use tempfile::TempDir;

use super::{NextGenerationError, NextGenerationSummary, NextGenerationWriter, addresses_after};
use crate::publish::{DataDirWriter, GenerationBuilder};
use country::{Country, RandomGenerator};
use same_places::describe;

/// A data folder that serves a country, day by day.
struct Data {
    _folder: TempDir,
    data_writer: DataDirWriter,
    data: DataFolder,
    served: Country,
    sequence: u64,
}

impl Data {
    fn new(country: Country) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let data_writer = DataDirWriter::lock(&data).expect("not locked");
        country.build(&data_writer, "2021-09-15");
        Self {
            _folder: folder,
            data_writer,
            data,
            served: country,
            sequence: 0,
        }
    }

    fn current(&self) -> PathBuf {
        let current = self.data.current_generation().expect("readable");
        self.data.generation_path(current.expect("a generation"))
    }

    fn base(&self) -> Generation {
        let current = self
            .data
            .current_generation()
            .expect("readable")
            .expect("a generation");
        Generation::open(&self.current(), current).expect("whole")
    }

    fn place_inodes(&self) -> BTreeSet<u64> {
        inodes(&self.current().join("places"))
    }

    fn version(&self) -> RegisterVersion {
        let stand: jiff::civil::Date = "2021-09-15".parse().expect("a day");
        let sequence = self.sequence + 1;
        let days = i64::try_from(sequence).expect("a few days");
        let stand = stand.checked_add(jiff::Span::new().days(days));
        RegisterVersion {
            stand: stand.expect("a day on the calendar"),
            sequence,
        }
    }

    fn begin(&self) -> GenerationBuilder<'_> {
        let name = self.data_writer.next_name(self.version().stand);
        let name = name.expect("readable");
        self.data_writer
            .begin_generation_as(name)
            .expect("writable")
    }

    fn write(
        &self,
        country: &Country,
        builder: &GenerationBuilder<'_>,
    ) -> Result<NextGenerationSummary, NextGenerationError> {
        let base = self.base();
        let next = NextGenerationWriter {
            base: &base,
            places: &base.places.to_builder().expect("reads"),
            base_folder: &self.current(),
            changes: &country.changes_since(&self.served),
            renamed_streets: &country.renamed_since(&self.served),
            short_names: &|id| country.short_name(id),
            version: self.version(),
        };
        next.write(builder)
    }

    fn write_manifest(
        &self,
        builder: &GenerationBuilder<'_>,
        written: &NextGenerationSummary,
        base: &Manifest,
    ) -> Manifest {
        builder
            .write_manifest(self.version(), &base.area, written.counts, Some(base))
            .expect("written")
    }

    /// Writes and publishes the next generation.
    fn publish_next(&mut self, country: &Country) -> NextGenerationSummary {
        let base = self.base().manifest;
        let builder = self.begin();
        let written = self.write(country, &builder).expect("made");
        let manifest = self.write_manifest(&builder, &written, &base);
        let generation = builder
            .verify(&VerificationCache::default())
            .expect("whole");
        assert_eq!(generation.manifest, manifest);
        assert_eq!(generation.addresses.segments().len(), written.segments);
        drop(generation);
        builder.publish_incremental(&base).expect("published");
        self.served = country.clone();
        self.sequence += 1;
        written
    }

    /// Compares the served generation with a build from scratch.
    fn check(&self) {
        let current = self
            .data
            .current_generation()
            .expect("readable")
            .expect("a generation");
        let generation = Generation::open(&self.current(), current).expect("whole");
        assert_eq!(by_id(&generation.addresses), self.served.addresses());
        let scratch = tempfile::tempdir().expect("a temporary folder");
        self.served.write_places(scratch.path());
        assert_eq!(
            describe(&generation.places),
            same_places::describe_folder(scratch.path())
        );
    }
}

fn by_id(index: &AddressIndex) -> BTreeMap<AddressId, postduif_schema::Address> {
    let all: Vec<_> = index.iter().collect::<Result<_, _>>().expect("reads");
    let count = all.len();
    let all: BTreeMap<_, _> = all
        .into_iter()
        .map(|address| (address.id, address))
        .collect();
    assert_eq!(all.len(), count, "no id occurs twice");
    all
}

/// The inode of each file in a folder.
fn inodes(folder: &Path) -> BTreeSet<u64> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").ino())
        .collect()
}

/// Every file in a generation, with its inode and content.
fn files(folder: &Path) -> BTreeMap<PathBuf, (u64, Vec<u8>)> {
    let mut files = BTreeMap::new();
    for index in ["addresses", "places"] {
        for entry in std::fs::read_dir(folder.join(index)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let inode = path.metadata().expect("a file").ino();
            let name = path.strip_prefix(folder).expect("below it").to_owned();
            files.insert(name, (inode, std::fs::read(&path).expect("readable")));
        }
    }
    files
}

#[test]
fn many_days_in_a_row_are_equal_to_one_build() {
    let mut random = RandomGenerator(7);
    let mut data = Data::new(Country::new(3_000, &mut random));
    let mut linked = 0;
    for day in 0..8 {
        let mut country = data.served.clone();
        for _ in 0..day * 4 % 13 {
            country.change(random.next_four());
        }
        let places = data.place_inodes();
        let written = data.publish_next(&country);
        linked += usize::from(data.place_inodes() == places);
        // All addresses fit in one small segment, which is merged with every new segment.
        assert_eq!(written.segments, 1, "day {day}");
        data.check();
    }
    assert!((1..8).contains(&linked), "{linked}");
}

#[test]
fn small_segments_are_merged_while_the_large_one_stays() {
    let mut random = RandomGenerator(3);
    let mut data = Data::new(Country::new(45_000, &mut random));
    let first = files(&data.current());
    for day in 1..=3 {
        let mut country = data.served.clone();
        for _ in 0..30 {
            // Allow no change that renames a street or makes it disappear, because such a change would affect too many addresses.
            let [kind, rest @ ..] = random.next_four();
            country.change([kind % 10, rest[0], rest[1], rest[2]]);
        }
        let written = data.publish_next(&country);
        let expected = if day == 1 { (2, 0) } else { (2, 2) };
        assert_eq!((written.segments, written.merged_segments), expected);
        data.check();
    }
    // The files of the large segment are still the files that were published first.
    let now = files(&data.current());
    let large = first.iter().filter(|(path, _)| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        path.starts_with("addresses") && ending != Some("json")
    });
    assert!(large.clone().count() >= 5);
    for (path, (inode, _)) in large {
        assert_eq!(now.get(path).map(|(now, _)| now), Some(inode), "{path:?}");
    }
    // Two thirds of the large segment are deleted, so it is rewritten.
    let mut country = data.served.clone();
    for street in [0, 2, 4, 6, 7] {
        country.change([13, street, 0, 0]);
    }
    assert!(data.served.addresses().len() - country.addresses().len() > 20_000);
    assert_eq!(data.publish_next(&country).segments, 1);
    data.check();
}

#[test]
fn files_of_the_base_are_neither_changed_nor_copied() {
    let mut random = RandomGenerator(5);
    let mut data = Data::new(Country::new(45_000, &mut random));
    let base = data.base().manifest;
    let folder = data.current();
    let before = files(&folder);
    let mut country = data.served.clone();
    country.change([5, 77, 21, 0]);
    assert_eq!(country.changes_since(&data.served).len(), 1);
    data.publish_next(&country);
    base.verify(&folder).expect("unchanged");
    assert_eq!(files(&folder), before);
    let now = files(&data.current());
    let (shared, own): (Vec<_>, Vec<_>) = now
        .iter()
        .partition(|(path, (inode, _))| before.get(*path).is_some_and(|(other, _)| other == inode));
    assert_eq!(
        shared.len(),
        before.len() - 2,
        "all but the two files that list the segments"
    );
    let own: usize = own.iter().map(|(_, (_, content))| content.len()).sum();
    let all: usize = now.values().map(|(_, content)| content.len()).sum();
    assert!(own < all / 20, "{own} of {all} bytes are new");
}

#[test]
fn a_day_without_changes_changes_only_the_stand() {
    let mut data = Data::new(Country::new(50, &mut RandomGenerator(1)));
    let country = data.served.clone();
    let places = data.place_inodes();
    assert_eq!(data.publish_next(&country).merged_segments, 0);
    assert_eq!(data.place_inodes(), places);
    let Generation {
        manifest,
        addresses,
        ..
    } = data.base();
    assert_eq!(manifest.sequence, 1);
    assert_eq!(manifest.stand.to_string(), "2021-09-16");
    assert_eq!(
        addresses.register_version(),
        Some(manifest.register_version())
    );
    data.check();
}

#[test]
fn a_day_may_remove_all_addresses_and_add_others() {
    let mut random = RandomGenerator(2);
    let mut data = Data::new(Country::new(20, &mut random));
    let mut empty = data.served.clone();
    (0..9).for_each(|street| empty.change([13, street, 0, 0]));
    let written = data.publish_next(&empty);
    assert_eq!((written.counts.addresses, written.segments), (0, 0));
    data.check();
    let again = Country::new(20, &mut random);
    data.publish_next(&again);
    data.check();
}

#[test]
fn merges_keep_the_stamp_and_the_order_and_restore_no_deleted_address() {
    let mut random = RandomGenerator(11);
    let mut data = Data::new(Country::new(2_000, &mut random));
    let mut country = data.served.clone();
    for _ in 0..200 {
        let [_, rest @ ..] = random.next_four();
        country.change([5, rest[0], rest[1], rest[2]]);
    }
    let added = addresses_after(&country.changes_since(&data.served)).count();
    let written = data.publish_next(&country);
    assert_eq!((written.segments, written.merged_segments), (1, 2));
    let base = data.base();
    assert_eq!(
        base.addresses.register_version(),
        Some(base.manifest.register_version())
    );
    // First the old addresses, then the new ones, each in storage order.
    let all: Vec<_> = base
        .addresses
        .iter()
        .collect::<Result<_, _>>()
        .expect("reads");
    let (stayed, came) = all.split_at(all.len() - added);
    for part in [stayed, came] {
        let key = |a: &postduif_schema::Address| {
            (
                crate::address_index::storage_order_key(Some(a.postcode), a.number, a.letter),
                a.id,
            )
        };
        assert!(part.is_sorted_by_key(key));
    }
    data.check();
}
