//! Selects addresses that exist during the whole run: no delivery names their nummeraanduiding, and they exist at the end. The
//! second condition is needed because the extract may already contain the end date of an address, and then no delivery names it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use postduif_schema::{Address, AddressIndex};
use serde::Deserialize;
use zip::ZipArchive;

use crate::paths;

/// The maximum number of addresses in the sample.
const MAX_SAMPLE: usize = 20_000;
/// The minimum number of addresses in the sample, so that the requests are varied.
const MIN_SAMPLE: usize = 100;

/// The fields that are read from an address that must exist at the end.
#[derive(Deserialize)]
struct Expected<'a> {
    id: &'a str,
    postcode: &'a str,
    number: u32,
}

/// A sample of the untouched addresses, in mixed order.
pub(crate) fn sample(
    index: &AddressIndex,
    deliveries: &[PathBuf],
    expected: &Path,
) -> anyhow::Result<Vec<Address>> {
    let mut named = HashSet::new();
    for delivery in deliveries {
        read(File::open(delivery)?, &mut named)?;
    }
    let step = usize::try_from(index.len())?
        .div_ceil(4 * MAX_SAMPLE)
        .max(1);
    let mut kept: Vec<Address> = Vec::new();
    for address in index.iter().step_by(step) {
        let address = address?;
        if !named.contains(&address.id.get()) && address.location.is_some() {
            kept.push(address);
        }
    }
    retain_unchanged(&mut kept, expected)?;
    ensure!(
        kept.len() >= MIN_SAMPLE,
        "the deliveries leave only {} addresses unchanged, of a sample of one in {step}",
        kept.len()
    );
    // Mix the addresses by stepping through them with a prime number.
    let mixed = (0..kept.len()).map(|at| kept[at * 7919 % kept.len()].clone());
    Ok(mixed.take(MAX_SAMPLE).collect())
}

/// Removes the addresses that do not exist at the end or have changed.
fn retain_unchanged(kept: &mut Vec<Address>, expected: &Path) -> anyhow::Result<()> {
    let asked: HashSet<u64> = kept.iter().map(|address| address.id.get()).collect();
    let mut end = HashMap::new();
    for line in BufReader::new(File::open(expected)?).lines() {
        let line = line?;
        let Expected {
            id,
            postcode,
            number,
        } = serde_json::from_str(&line)?;
        let id = id.parse()?;
        if asked.contains(&id) {
            end.insert(id, format!("{postcode} {number}"));
        }
    }
    kept.retain(|address| end.get(&address.id.get()) == Some(&at_number(address)));
    Ok(())
}

fn at_number(address: &Address) -> String {
    format!("{} {}", address.postcode, address.number)
}

/// Collects the ids of nummeraanduidingen in a delivery and its nested archives.
fn read(archive: impl Read + Seek, named: &mut HashSet<u64>) -> anyhow::Result<()> {
    let mut archive = ZipArchive::new(archive)?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at)?;
        if entry.name()?.to_lowercase().ends_with(".zip") {
            let mut inner = Vec::new();
            entry.read_to_end(&mut inner)?;
            read(Cursor::new(inner), named)?;
        } else {
            collect_ids(&mut entry, named)?;
        }
    }
    Ok(())
}

fn collect_ids(text: &mut impl Read, named: &mut HashSet<u64>) -> anyhow::Result<()> {
    let mut piece = vec![0; 1 << 16];
    let (mut number, mut digits) = (0_u64, 0);
    loop {
        let read = text.read(&mut piece)?;
        if read == 0 {
            return Ok(());
        }
        for byte in &piece[..read] {
            if byte.is_ascii_digit() {
                number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                digits += 1;
                continue;
            }
            // The first four digits are the municipality. The next two digits are the object type, which is 20 for a
            // nummeraanduiding.
            if digits == 16 && number / 10_000_000_000 % 100 == 20 {
                named.insert(number);
            }
            (number, digits) = (0, 0);
        }
    }
}

/// One request for each address, of each kind in turn.
pub(crate) fn requests(sample: &[Address], key: &str) -> Vec<Vec<u8>> {
    let get = |path: String| paths::get(&path, key);
    let request = |(at, address): (usize, &Address)| match at % 6 {
        0 => get(paths::v3(address)),
        1 => get(paths::by_number(address)),
        2 => get(paths::by_id(address)),
        3 => get(paths::autocomplete_partly_typed(address)),
        4 => get(paths::near(address, 10)),
        _ => paths::post(
            "/v1/validate",
            key,
            &paths::validation_with_wrong_postcode(address),
        ),
    };
    sample.iter().enumerate().map(request).collect()
}
