//! Builds the data and the inputs of the micro benches once.

use std::sync::OnceLock;

use anyhow::Context as _;
use postduif::search::Intent;
use postduif::snapshot::{SearchCentre, Snapshot};
use postduif::validation::EnteredAddress;
use postduif::validation::{EnteredNames, HouseNumberSuffix};
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder};
use tempfile::TempDir;

use crate::chance::Chance;
use crate::in_process::Service;
use crate::typing::Typist;
use crate::{country, paths, sample};

/// The environment variable that names the data folder.
const DATA: &str = "POSTDUIF_BENCH_DATA";
/// The number of addresses to request.
const REQUESTS: usize = 20_000;

/// The folder of the bundled town.
static TOWN: OnceLock<TempDir> = OnceLock::new();

pub(crate) struct World {
    pub(crate) snapshot: Snapshot,
    pub(crate) addresses: Vec<Address>,
    /// Names of streets.
    pub(crate) names: Vec<String>,
    /// Texts in the input field, each at one keystroke.
    pub(crate) typed: Vec<String>,
    pub(crate) mistyped: Vec<String>,
    pub(crate) intents: Vec<Intent>,
    pub(crate) centres: Vec<SearchCentre>,
    pub(crate) right: Vec<EnteredAddress<'static>>,
    pub(crate) wrong: Vec<EnteredAddress<'static>>,
    pub(crate) wrong_with_names: Vec<EnteredAddress<'static>>,
}

/// The data and inputs, built on first use.
pub(crate) fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| World::make().expect("a data folder with a generation"))
}

/// A service that serves the generation of [`world`].
pub(crate) fn service() -> &'static Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| Service::new(open().expect("a generation").0))
}

/// Removes the folder of the bundled town, because statics are not dropped.
pub(crate) fn remove_town_folder() -> std::io::Result<()> {
    TOWN.get()
        .map_or(Ok(()), |town| std::fs::remove_dir_all(town.path()))
}

/// Opens the generation to measure, and the index of its addresses.
fn open() -> anyhow::Result<(Snapshot, AddressIndex)> {
    let data = match std::env::var_os(DATA) {
        Some(data) => DataFolder::new(data),
        None => {
            let folder = TOWN.get_or_init(|| tempfile::tempdir().expect("a folder"));
            let data = DataFolder::new(folder.path().join("data"));
            match data.current_generation()? {
                Some(_) => data,
                None => country::bundled_town(folder.path())?,
            }
        }
    };
    let name = data
        .current_generation()?
        .context("no generation is published")?;
    let index = AddressIndex::open(&data.generation_path(name).join(ADDRESSES_DIR))?;
    Ok((Snapshot::open(&data, name, None)?, index))
}

impl World {
    fn make() -> anyhow::Result<Self> {
        let (snapshot, index) = open()?;
        let addresses = sample::spread(&index, REQUESTS)?;
        let (mut typist, mut chance) = (Typist::new(), Chance::seeded(1));
        let typed = addresses
            .iter()
            .filter_map(|address| typist.keystroke(address));
        let typed: Vec<String> = typed.collect();
        let mistyped = addresses
            .iter()
            .filter_map(|address| typist.keystroke_with_typo(address));
        let mut entered = |is_wrong: bool, named: bool| {
            let entered = addresses.iter().map(|address| {
                let mut postcode = address.postcode.ascii();
                if is_wrong {
                    postcode[5] = b'A' + u8::try_from(chance.below(26)).unwrap_or_default();
                }
                let name = |name| named.then_some(name);
                EnteredAddress::new(
                    String::from_utf8_lossy(&postcode).into_owned().leak(),
                    address.number,
                    HouseNumberSuffix::new(None, None),
                    EnteredNames::new(name(&*address.street), name(&*address.city)),
                )
            });
            entered.collect()
        };
        let centres = addresses.iter().filter_map(|address| {
            let place = address.location?.lon_lat;
            SearchCentre::from_degrees(place.lon_deg() + 0.0003, place.lat_deg() - 0.0002)
        });
        Ok(Self {
            snapshot,
            names: addresses
                .iter()
                .map(|address| address.street.to_string())
                .collect(),
            intents: typed.iter().map(|typed| Intent::parse(typed)).collect(),
            mistyped: mistyped.collect(),
            right: entered(false, true),
            wrong: entered(true, false),
            wrong_with_names: entered(true, true),
            centres: centres.collect(),
            typed,
            addresses,
        })
    }

    /// One path per address.
    pub(crate) fn of_addresses(path: impl Fn(&Address) -> String) -> Vec<String> {
        world().addresses.iter().map(path).collect()
    }

    /// One path per keystroke.
    pub(crate) fn of_typed() -> Vec<String> {
        let typed = world().typed.iter();
        typed.map(|typed| paths::autocomplete(typed)).collect()
    }
}
