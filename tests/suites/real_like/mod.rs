//! Makes a country with the real towns and street names and made-up addresses. The weights of the type-ahead are tuned on this
//! country, because it is as ambiguous as the real one.
//!
//! The country has a Kerkstraat in every second town, towns with the same beginning (Hoorn, Hoornaar) or the same name (Hengelo),
//! streets named after towns, and families of numbered names in one town (Boeier 01, Boeier 02). It is made from three public
//! tables that are not part of the project: towns with their municipality (CBS), four-digit postcodes by town, and street names by
//! frequency.

mod streets;
mod tables;
mod write;

use std::path::Path;

use anyhow::Context as _;
use postduif_schema::{Address, DataFolder};

use self::streets::Builder;
use self::tables::Tables;
use crate::chance::Chance;

/// Publishes a country with about `count` addresses in a data folder.
pub(crate) fn publish(tables: &Path, folder: &Path, count: usize) -> anyhow::Result<DataFolder> {
    let tables = Tables::read(tables)?;
    write::publish(folder, &addresses(&tables, count)?)
}

/// Makes the addresses. Each street name occurs as often as in the real country, each time in another town. The number of streets
/// in a town is proportional to the town's number of postcodes.
fn addresses(tables: &Tables, count: usize) -> anyhow::Result<Vec<Address>> {
    let mut chance = Chance::seeded(1);
    let streets: usize = tables.names.iter().map(|(times, _)| times).sum();
    let mut builder = Builder::new(&tables.towns, count / streets.max(1));
    for (times, name) in &tables.names {
        let mut taken = Vec::new();
        for _ in 0..*times {
            let town = match family(name) {
                Some(stem) => tables.town_at(usize::try_from(hash(stem)).expect("32 bits fit")),
                None => tables.town_at(chance.below(usize::MAX >> 1)),
            };
            if !taken.contains(&town) {
                taken.push(town);
                builder.add_street(name, town, &mut chance);
            }
        }
    }
    (!builder.addresses.is_empty())
        .then_some(builder.addresses)
        .context("the tables are empty")
}

/// The name of a street without the number at its end; `None` if it has no number. All streets with the same remaining name are in
/// one town.
fn family(name: &str) -> Option<&str> {
    let (stem, last) = name.rsplit_once(' ')?;
    last.bytes().next().filter(u8::is_ascii_digit)?;
    Some(stem)
}

/// Hashes a text with FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}
