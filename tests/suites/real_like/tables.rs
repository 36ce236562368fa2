//! Reads the three tables from which the country is made.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

/// The size, in quarters of a postcode, of a town that shares its postcode with its neighbours.
const SHARED_QUARTERS: usize = 1;

/// How much each postcode that a town does not share adds to the size of the town, in quarters of a postcode.
const OWN_QUARTERS: usize = 4;

/// A town.
pub(super) struct TownRow {
    pub(super) name: Arc<str>,
    pub(super) municipality: Arc<str>,
    pub(super) province: Arc<str>,
    /// The four-digit codes of the town's postcodes; never empty.
    pub(super) postcodes: Vec<u32>,
    /// The town's size in quarters of a postcode.
    pub(super) size: usize,
}

/// Towns, and street names with their frequencies.
pub(super) struct Tables {
    pub(super) towns: Vec<TownRow>,
    /// For each town, the sum of the sizes of all towns up to and including it.
    cumulative_sizes: Vec<usize>,
    pub(super) names: Vec<(usize, Arc<str>)>,
}

impl Tables {
    /// Reads the tables from the folders `places/`, `municipalities/` and `names/` below `folder`.
    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let municipalities = folder.join("municipalities/bagparser-gemeenten-2025.csv");
        let municipalities: HashMap<String, Arc<str>> = rows(&municipalities, b',')?
            .into_iter()
            .map(|row| (row[0].clone(), row[5].as_str().into()))
            .collect();
        let mut postcodes = postcodes(folder)?;
        let woonplaatsen = folder.join("places/woonplaatsen-cbs-2024-woningwaardering.csv");
        let towns: Vec<TownRow> = rows(&woonplaatsen, b',')?
            .iter()
            .map(|row| town(row, &municipalities, &mut postcodes))
            .collect();
        let mut sum = 0;
        let cumulative_sizes = towns.iter().map(|town| {
            sum += town.size;
            sum
        });
        let cumulative_sizes = cumulative_sizes.collect();
        let names = rows(&folder.join("names/openbareruimte-frequency.tsv"), b'\t')?;
        let names = names
            .iter()
            .map(|row| Ok((row[0].parse()?, row[1].as_str().into())));
        Ok(Self {
            cumulative_sizes,
            names: names.collect::<anyhow::Result<_>>()?,
            towns,
        })
    }

    /// Selects a town for a random number. The probability of a town is proportional to its size.
    pub(super) fn town_at(&self, place: usize) -> usize {
        let place = place % self.cumulative_sizes.last().copied().unwrap_or(1);
        self.cumulative_sizes.partition_point(|&sum| sum <= place)
    }
}

fn town(
    row: &[String],
    municipalities: &HashMap<String, Arc<str>>,
    postcodes: &mut HashMap<[String; 2], Vec<u32>>,
) -> TownRow {
    let province = municipalities.get(&row[2]).cloned();
    let province = province.unwrap_or_else(|| "Utrecht".into());
    let own = postcodes.remove(&[normalized(&row[1]), normalized(&province)]);
    TownRow {
        name: row[1].as_str().into(),
        municipality: row[3].as_str().into(),
        province,
        size: own
            .as_ref()
            .map_or(SHARED_QUARTERS, |own| own.len() * OWN_QUARTERS),
        postcodes: own.unwrap_or_else(|| vec![1000 + super::hash(&row[1]) % 9000]),
    }
}

/// The four-digit codes that have addresses, by town and province.
fn postcodes(folder: &Path) -> anyhow::Result<HashMap<[String; 2], Vec<u32>>> {
    let mut postcodes: HashMap<[String; 2], Vec<u32>> = HashMap::new();
    for row in rows(&folder.join("places/4pp.csv"), b',')? {
        if row[9].starts_with("Adres") {
            let town = [normalized(&row[2]), normalized(&row[5])];
            postcodes.entry(town).or_default().push(row[1].parse()?);
        }
    }
    Ok(postcodes)
}

/// The name of a town or province, such as `Den Haag` or `Friesland`, in one spelling for all tables.
fn normalized(name: &str) -> String {
    match name {
        "'s-Gravenhage" => "denhaag".to_owned(),
        "'s-Hertogenbosch" => "denbosch".to_owned(),
        "Fryslân" => "friesland".to_owned(),
        name => {
            let letters = name.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect()
        }
    }
}

fn rows(path: &Path, delimiter: u8) -> anyhow::Result<Vec<Vec<String>>> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(delimiter == b',')
        .flexible(true)
        .quoting(delimiter == b',')
        .from_path(path)
        .with_context(|| path.display().to_string())?;
    let rows = reader.records().map(|row| {
        let row = row?;
        Ok(row.iter().map(str::to_owned).collect())
    });
    rows.collect()
}
