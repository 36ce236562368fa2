//! Next generations against ones built from scratch.

pub(crate) mod country;
mod crash;
mod same_places;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use postduif_schema::{AddressId, AddressIndex, DataFolder, Generation, RegisterVersion};
use tempfile::TempDir;

use super::{NextGenerationError, NextGenerationSummary, NextGenerationWriter};
use crate::publish::{DataDirWriter, GenerationBuilder};
use country::{Country, Dice};
use same_places::told;

/// A data folder with a country that is served from it, day by day.
struct Data {
    _folder: TempDir,
    exclusive: DataDirWriter,
    data: DataFolder,
    served: Country,
    sequence: u64,
}

impl Data {
    fn of(country: Country) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = DataFolder::new(folder.path());
        let exclusive = DataDirWriter::lock(&data).expect("free");
        country.build(&exclusive, "2021-09-15");
        Self {
            _folder: folder,
            exclusive,
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
            .expect("one");
        Generation::open(&self.current(), current).expect("whole")
    }

    fn stamp(&self) -> RegisterVersion {
        let stand: jiff::civil::Date = "2021-09-15".parse().expect("a day");
        let sequence = self.sequence + 1;
        let days = i64::try_from(sequence).expect("a few days");
        let stand = stand.checked_add(jiff::Span::new().days(days));
        RegisterVersion {
            stand: stand.expect("before the end of time"),
            sequence,
        }
    }

    fn begin(&self) -> GenerationBuilder<'_> {
        let name = self.exclusive.next_name(self.stamp().stand);
        let name = name.expect("readable");
        self.exclusive.begin_generation_as(name).expect("writable")
    }

    fn write(
        &self,
        country: &Country,
        unfinished: &GenerationBuilder<'_>,
    ) -> Result<NextGenerationSummary, NextGenerationError> {
        let base = self.base();
        let next = NextGenerationWriter {
            base: &base,
            places: &postduif_schema::load_places(&base.places).expect("reads"),
            base_folder: &self.current(),
            changes: &country.changes_since(&self.served),
            renamed_streets: &country.renamed_since(&self.served),
            short_names: &|id| country.short_name(id),
            stamp: self.stamp(),
        };
        next.write(unfinished)
    }

    /// Makes and publishes the next generation.
    fn moves_on_to(&mut self, country: &Country) -> NextGenerationSummary {
        let base = self.base().manifest;
        let unfinished = self.begin();
        let written = self.write(country, &unfinished).expect("made");
        let manifest = written.write_manifest(&unfinished, &base).expect("written");
        let generation = unfinished.verify().expect("whole");
        assert_eq!(generation.manifest, manifest);
        assert_eq!(generation.addresses.segments().len(), written.segments);
        drop(generation);
        unfinished.publish_incremental(&base).expect("published");
        self.served = country.clone();
        self.sequence += 1;
        written
    }

    /// What is served is what a build from scratch would serve.
    fn is_sound(&self) {
        let current = self
            .data
            .current_generation()
            .expect("readable")
            .expect("one");
        let generation = Generation::open(&self.current(), current).expect("whole");
        assert_eq!(by_id(&generation.addresses), self.served.addresses());
        let scratch = tempfile::tempdir().expect("a temporary folder");
        self.served.write_places(scratch.path());
        assert_eq!(told(&generation.places), same_places::of(scratch.path()));
    }
}

fn by_id(index: &AddressIndex) -> BTreeMap<AddressId, postduif_schema::Address> {
    let all: Vec<_> = index.iter().collect::<Result<_, _>>().expect("reads");
    let count = all.len();
    let all: BTreeMap<_, _> = all
        .into_iter()
        .map(|address| (address.id, address))
        .collect();
    assert_eq!(all.len(), count, "no id stands twice");
    all
}

/// Every file below a folder with its inode, size and content.
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
fn many_days_in_a_row_are_as_one_build() {
    let mut dice = Dice(7);
    let mut data = Data::of(Country::of(3_000, &mut dice));
    let mut linked = 0;
    for day in 0..8 {
        let mut country = data.served.clone();
        for _ in 0..day * 4 % 13 {
            country.happens(dice.roll());
        }
        let written = data.moves_on_to(&country);
        linked += usize::from(written.places_linked);
        // A few thousand count as small, so there is never a second part.
        assert_eq!(written.segments, 1, "day {day}");
        data.is_sound();
    }
    assert!((1..8).contains(&linked), "{linked}");
}

#[test]
fn parts_come_and_go_while_the_large_one_stays() {
    let mut dice = Dice(3);
    let mut data = Data::of(Country::of(45_000, &mut dice));
    let first = files(&data.current());
    for day in 1..=3 {
        let mut country = data.served.clone();
        for _ in 0..30 {
            // Neither does a street vanish here, nor is it renamed: that would reach too many.
            let [what, rest @ ..] = dice.roll();
            country.happens([what % 10, rest[0], rest[1], rest[2]]);
        }
        let written = data.moves_on_to(&country);
        let expected = if day == 1 { (2, 0) } else { (2, 2) };
        assert_eq!((written.segments, written.merged_segments), expected);
        data.is_sound();
    }
    // Of the large part every file is the very one that was published first.
    let now = files(&data.current());
    let large = first.iter().filter(|(path, _)| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        path.starts_with("addresses") && ending != Some("json")
    });
    assert!(large.clone().count() >= 5);
    for (path, (inode, _)) in large {
        assert_eq!(now.get(path).map(|(now, _)| now), Some(inode), "{path:?}");
    }
    // Then two thirds of it go, and it is written anew.
    let mut country = data.served.clone();
    for street in [0, 2, 4, 6, 7] {
        country.happens([13, street, 0, 0]);
    }
    let written = data.moves_on_to(&country);
    assert_eq!((written.segments, written.deleted > 20_000), (1, true));
    data.is_sound();
}

#[test]
fn nothing_of_the_base_is_written_to_or_copied() {
    let mut dice = Dice(5);
    let mut data = Data::of(Country::of(45_000, &mut dice));
    let base = data.base().manifest;
    let folder = data.current();
    let before = files(&folder);
    let mut country = data.served.clone();
    country.happens([5, 77, 21, 0]);
    let written = data.moves_on_to(&country);
    assert_eq!((written.deleted, written.added), (1, 1));
    assert!(written.places_linked);
    base.verify(&folder).expect("as it was");
    assert_eq!(files(&folder), before);
    let now = files(&data.current());
    let (shared, own): (Vec<_>, Vec<_>) = now
        .iter()
        .partition(|(path, (inode, _))| before.get(*path).is_some_and(|(other, _)| other == inode));
    assert_eq!(
        shared.len(),
        before.len() - 2,
        "all but what names the parts"
    );
    let own: usize = own.iter().map(|(_, (_, content))| content.len()).sum();
    let all: usize = now.values().map(|(_, content)| content.len()).sum();
    assert!(own < all / 20, "{own} of {all} bytes are new");
}

#[test]
fn a_day_without_changes_moves_the_stand_alone() {
    let mut data = Data::of(Country::of(50, &mut Dice(1)));
    let country = data.served.clone();
    let written = data.moves_on_to(&country);
    assert_eq!(
        (written.deleted, written.added, written.merged_segments),
        (0, 0, 0)
    );
    assert!(written.places_linked);
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
    data.is_sound();
}

#[test]
fn the_last_address_may_go_and_others_come() {
    let mut dice = Dice(2);
    let mut data = Data::of(Country::of(20, &mut dice));
    let mut empty = data.served.clone();
    (0..9).for_each(|street| empty.happens([13, street, 0, 0]));
    let written = data.moves_on_to(&empty);
    assert_eq!((written.counts.addresses, written.segments), (0, 0));
    data.is_sound();
    let again = Country::of(20, &mut dice);
    data.moves_on_to(&again);
    data.is_sound();
}

#[test]
fn merges_keep_stamp_and_order_and_bring_nothing_back() {
    let mut dice = Dice(11);
    let mut data = Data::of(Country::of(2_000, &mut dice));
    let mut country = data.served.clone();
    for _ in 0..200 {
        let [_, rest @ ..] = dice.roll();
        country.happens([5, rest[0], rest[1], rest[2]]);
    }
    let written = data.moves_on_to(&country);
    assert_eq!((written.segments, written.merged_segments), (1, 2));
    let base = data.base();
    assert_eq!(
        base.addresses.register_version(),
        Some(base.manifest.register_version())
    );
    // First what was there before, then what came, each in the order of storage.
    let all: Vec<_> = base
        .addresses
        .iter()
        .collect::<Result<_, _>>()
        .expect("reads");
    let (stayed, came) = all.split_at(all.len() - usize::try_from(written.added).expect("few"));
    for part in [stayed, came] {
        let key = |a: &postduif_schema::Address| {
            (
                crate::address_index::storage_order_key(Some(a.postcode), a.number, a.letter),
                a.id,
            )
        };
        assert!(part.is_sorted_by_key(key));
    }
    data.is_sound();
}
