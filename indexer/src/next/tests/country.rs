//! Simulates a small country that changes. The expected content of every next generation is computed from the tables of the country.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use postduif_schema::{
    ADDRESSES_DIR, Address, AddressId, AddressKind, BagId, GenerationCounts, HouseNumber,
    LAYOUT_VERSION, Manifest, NummeraanduidingKind, OpenbareRuimteKind, PLACES_DIR, PlaceWriter,
    PlacesBuilder, Postcode, PurposeSet, RegisterVersion,
};

use crate::address_index::{AddressIndexWriter, storage_order_key};
use crate::next::AddressChange;
use crate::publish::{DataDirWriter, GenerationBuilder};

/// Number of streets. It is small, so that streets have equal weights and names, share postcodes, and lose their last address.
const STREETS: usize = 9;
const TOWNS: usize = 4;
const POSTCODES: u32 = 6;
const NAMES: [&str; 4] = ["Kerkstraat", "'t Hof", "Kerkplein", "Laan"];
const CITIES: [&str; 3] = ["Bergen", "Dorp", "Leusden"];
const MUNICIPALITIES: [[&str; 2]; 3] = [
    ["Bergen (NH.)", "Noord-Holland"],
    ["Bergen (L.)", "Limburg"],
    ["Leusden", "Utrecht"],
];

/// The tables from which addresses are made.
#[derive(Clone)]
pub(crate) struct Country {
    streets: Vec<(Arc<str>, Option<Arc<str>>)>,
    towns: Vec<(&'static str, usize)>,
    homes: BTreeMap<u64, Home>,
    next: u64,
}

#[derive(Clone)]
struct Home {
    street: usize,
    town: usize,
    postcode: u32,
    number: u32,
    year: Option<u16>,
    is_box: bool,
}

/// A seeded random generator.
pub(crate) struct RandomGenerator(pub(crate) u64);

impl RandomGenerator {
    /// The next four random numbers. Source: splitmix64.
    pub(super) fn next_four(&mut self) -> [usize; 4] {
        [(); 4].map(|()| {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            usize::try_from(mixed >> 33).expect("31 bits fit")
        })
    }
}

impl Country {
    /// A country with this many addresses.
    pub(crate) fn new(homes: usize, random: &mut RandomGenerator) -> Self {
        let street = |at: usize| (NAMES[at % NAMES.len()].into(), None);
        let mut country = Self {
            streets: (0..STREETS).map(street).collect(),
            towns: (0..TOWNS)
                .map(|at| (CITIES[at % CITIES.len()], at % 2))
                .collect(),
            homes: BTreeMap::new(),
            next: 1,
        };
        for _ in 0..homes {
            country.add_home(random.next_four());
        }
        country
    }

    fn add_home(&mut self, [a, b, c, d]: [usize; 4]) {
        let number = u32::try_from(self.next % 99_999).expect("five digits") + 1;
        let home = Home {
            street: a % STREETS,
            town: b % TOWNS,
            postcode: u32::try_from(c).expect("31 bits") % POSTCODES,
            number,
            year: None,
            is_box: d % 10 == 0,
        };
        self.homes.insert(self.next, home);
        self.next += 1;
    }

    /// Applies one random change.
    pub(super) fn change(&mut self, [kind, a, b, c]: [usize; 4]) {
        let home = self.homes.keys().nth(a % self.homes.len().max(1)).copied();
        if let Some(leaving) = home.filter(|_| kind % 16 < 5) {
            self.homes.remove(&leaving);
            return;
        }
        let street = &mut self.streets[a % STREETS];
        let home = home.and_then(|home| self.homes.get_mut(&home));
        match (kind % 16, home) {
            (5..7, Some(home)) => home.year = u16::try_from(1900 + b % 100).ok(),
            (7, Some(home)) => home.postcode = u32::try_from(b).expect("31 bits") % POSTCODES,
            (8, Some(home)) => home.town = b % TOWNS,
            (9, Some(home)) => home.street = b % STREETS,
            (10, _) => street.0 = NAMES[b % NAMES.len()].into(),
            (11, _) => street.1 = (b % 3 > 0).then(|| NAMES[c % NAMES.len()].into()),
            (12, _) => self.towns[a % TOWNS].1 = b % MUNICIPALITIES.len(),
            (13, _) => self.homes.retain(|_, home| home.street != a % STREETS),
            (14, _) => self.towns[a % TOWNS].0 = CITIES[b % CITIES.len()],
            _ => self.add_home([a, b, c, a]),
        }
    }

    pub(super) fn addresses(&self) -> BTreeMap<AddressId, Address> {
        let made = self
            .homes
            .iter()
            .map(|(&serial, home)| self.address(serial, home));
        made.map(|address| (address.id, address)).collect()
    }

    fn address(&self, serial: u64, home: &Home) -> Address {
        let (city, municipality_index) = self.towns[home.town];
        let [municipality, province] = MUNICIPALITIES[municipality_index];
        let number = HouseNumber::new(home.number).expect("a house number");
        let boxed = Address::new_po_box(
            postcode(home.postcode),
            number,
            [city, municipality, province].map(Into::into),
        );
        if home.is_box {
            // The id of a post-office box depends on its postcode and number, so a new postcode gives a new id.
            return boxed;
        }
        Address {
            id: AddressId::from(id(serial)),
            street_id: Some(street_id(home.street)),
            street: self.streets[home.street].0.clone(),
            purposes: PurposeSet::EMPTY,
            other_purposes: None,
            construction_year: home.year,
            kind: AddressKind::Verblijfsobject,
            ..boxed
        }
    }

    pub(super) fn short_name(&self, street: BagId<OpenbareRuimteKind>) -> Option<Arc<str>> {
        let at = (0..STREETS).find(|&at| street_id(at) == street)?;
        self.streets[at].1.clone()
    }

    /// The streets whose name or short name differs from `before`.
    pub(super) fn renamed_since(&self, before: &Self) -> BTreeSet<BagId<OpenbareRuimteKind>> {
        let renamed = (0..STREETS).filter(|&at| self.streets[at] != before.streets[at]);
        renamed.map(street_id).collect()
    }

    pub(super) fn changes_since(&self, before: &Self) -> Vec<AddressChange> {
        let (before, after) = (before.addresses(), self.addresses());
        let ids: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let sides = ids.into_iter().map(|id| [before.get(id), after.get(id)]);
        let changed = sides.filter(|[before, after]| before != after);
        let change = |[before, after]: [Option<&Address>; 2]| AddressChange {
            before: before.cloned(),
            after: after.cloned(),
        };
        changed.map(change).collect()
    }

    /// Writes all places, as a full build does.
    pub(super) fn write_places(&self, folder: &Path) {
        let mut places = PlacesBuilder::default();
        self.addresses()
            .values()
            .for_each(|address| places.add_address(address));
        let writer = PlaceWriter {
            short_names: &|id| self.short_name(id),
        };
        writer.write(places, folder).expect("a fresh folder");
    }

    /// Publishes a full build.
    pub(crate) fn build(&self, data_writer: &DataDirWriter, stand: &str) -> Manifest {
        let stand = stand.parse().expect("a day");
        let builder = data_writer.begin_generation(stand).expect("writable");
        self.write_places(&builder.folder().join(PLACES_DIR));
        let writer = AddressIndexWriter::create(&builder.folder().join(ADDRESSES_DIR));
        let mut writer = writer.expect("a fresh folder");
        let mut all: Vec<Address> = self.addresses().into_values().collect();
        all.sort_by_key(|a| {
            (
                storage_order_key(Some(a.postcode), a.number, a.letter),
                a.id,
            )
        });
        all.iter()
            .for_each(|address| writer.add(address).expect("a document"));
        writer
            .finish(RegisterVersion::from_full_build(stand))
            .expect("a commit");
        let manifest = self.write_manifest(&builder);
        std::fs::write(builder.building_register_path(), b"").expect("writable");
        builder.publish().expect("writable");
        manifest
    }

    fn write_manifest(&self, builder: &GenerationBuilder<'_>) -> Manifest {
        let boxes = self.homes.values().filter(|home| home.is_box);
        let manifest = Manifest {
            layout_version: LAYOUT_VERSION,
            generation: builder.name(),
            stand: builder.name().stand(),
            sequence: 0,
            area: postduif_schema::Area::Country,
            created_at: jiff::Timestamp::UNIX_EPOCH,
            counts: GenerationCounts {
                addresses: self.homes.len() as u64,
                po_boxes: boxes.count() as u64,
            },
            files: builder.describe_files(None).expect("readable"),
            checksum: String::new(),
        };
        manifest.write(&builder.folder()).expect("writable")
    }
}

fn id(serial: u64) -> BagId<NummeraanduidingKind> {
    BagId::from_number(457_200_000_000_000 + serial).expect("an id")
}

fn street_id(at: usize) -> BagId<OpenbareRuimteKind> {
    BagId::from_number(457_300_000_000_000 + at as u64).expect("an id")
}

fn postcode(at: u32) -> Postcode {
    Postcode::from_code(1381 * 676 + at).expect("a postcode")
}
