//! Flips one byte in one file of a generation, many times. The service must refuse to open the generation and name the file. The
//! generation was made by several deliveries.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use postduif::snapshot::Snapshot;
use postduif_indexer::{Build, DeliveryApplier};
use postduif_schema::NoProgress;
use postduif_schema::{ADDRESSES_DIR, Address, AddressIndex, DataFolder, GenerationName, Manifest};
use serde::Serialize;

use crate::cached_country::{CachedCountry, CachedCountryOptions};
use crate::chance::Chance;
use crate::{cpu, print_json, print_line, resources};

/// The number of addresses, so large that the changes of each day stay in their own segments.
const ADDRESS_COUNT: u64 = 60_000;
const DAYS: usize = 5;
const MANIFEST: &str = "manifest.json";
/// How many addresses are compared if a damaged generation opens.
const COMPARED: usize = 500;
/// The maximum number of cases that are printed.
const MAX_LISTED: usize = 10;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many bytes to flip
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    times: u32,
    /// Seed that selects the files and bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FlipsResult {
    machine: String,
    load_average: String,
    seed: u64,
    generation: GenerationName,
    segments: usize,
    files: usize,
    bytes: u64,
    times: u32,
    refused: u32,
    accepted: u32,
    nameless: u32,
    panics: u32,
    wrong_answers: u32,
    /// The number of flips, by the extension of the damaged file.
    by_kind: BTreeMap<String, u32>,
    cases: Vec<String>,
}

/// A generation, and addresses that look-ups in the generation must return.
struct Target {
    data: DataFolder,
    name: GenerationName,
    /// The paths of the files in the manifest, and the path of the manifest itself.
    files: Vec<String>,
    sample: Vec<Address>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let target = Target::make(folder.path(), arguments.seed)?;
    let mut result = FlipsResult::new(&target, arguments)?;
    let mut chance = Chance::seeded(arguments.seed);
    for _ in 0..arguments.times {
        result.flip(&target, &mut chance)?;
    }
    ensure!(
        target.wrong_answers(&target.open()?) == 0,
        "after restoring all bytes, the generation returns other addresses"
    );
    result.print()?;
    result.check_refusals()
}

impl Target {
    fn make(folder: &Path, seed: u64) -> anyhow::Result<Self> {
        let options = CachedCountryOptions {
            addresses: ADDRESS_COUNT,
            changes: 200,
            days: DAYS,
            seed,
        };
        let made = CachedCountry::find_or_make(&folder.join("made"), options)?;
        let data = DataFolder::new(folder.join("data"));
        let build = Build::new(made.extract);
        build.run(&data, &NoProgress)?;
        for delivery in &made.deliveries {
            DeliveryApplier::default().run(delivery, &data, &NoProgress)?;
        }
        let name = data
            .current_generation()?
            .context("no generation is published")?;
        let path = data.generation_path(name);
        let listed = Manifest::read(&path)?.files;
        let files = listed.into_iter().map(|file| file.path);
        let files = files.chain([MANIFEST.to_owned()]).collect();
        let index = AddressIndex::open(&path.join(ADDRESSES_DIR))?;
        let step = usize::try_from(index.len())?.div_ceil(COMPARED).max(1);
        let sample = index.iter().step_by(step).collect::<Result<_, _>>()?;
        Ok(Self {
            data,
            name,
            files,
            sample,
        })
    }

    fn path(&self, file: &str) -> PathBuf {
        self.data.generation_path(self.name).join(file)
    }

    /// Opens the generation as the service does.
    fn open(&self) -> Result<Snapshot, postduif_schema::OpenGenerationError> {
        Snapshot::open(&self.data, self.name, None)
    }

    fn wrong_answers(&self, snapshot: &Snapshot) -> u32 {
        let is_right = |address: &&Address| {
            let found = snapshot.address_by_id(address.id);
            // The two types of address store their names differently, but print equally.
            found.is_ok_and(|found| format!("{found:?}") == format!("{:?}", Some(address)))
        };
        let wrong = self.sample.iter().filter(|address| !is_right(address));
        u32::try_from(wrong.count()).expect("a small sample")
    }
}

impl FlipsResult {
    fn new(target: &Target, arguments: &Arguments) -> anyhow::Result<Self> {
        let mut bytes = 0;
        for file in &target.files {
            bytes += fs::metadata(target.path(file))?.len();
        }
        Ok(Self {
            machine: cpu::model(),
            load_average: resources::load_average(),
            seed: arguments.seed,
            generation: target.name,
            segments: AddressIndex::open(&target.path(ADDRESSES_DIR))?
                .segments()
                .len(),
            files: target.files.len(),
            bytes,
            times: arguments.times,
            refused: 0,
            accepted: 0,
            nameless: 0,
            panics: 0,
            wrong_answers: 0,
            by_kind: BTreeMap::new(),
            cases: Vec::new(),
        })
    }

    /// Flips one byte of one file, opens the generation, and restores the byte.
    fn flip(&mut self, target: &Target, chance: &mut Chance) -> anyhow::Result<()> {
        let file = &target.files[chance.below(target.files.len())];
        let path = target.path(file);
        let at = chance.below(usize::try_from(fs::metadata(&path)?.len())?);
        let mask = u8::try_from(chance.below(255) + 1)?;
        let kind = path.extension().unwrap_or_default().to_string_lossy();
        *self.by_kind.entry(kind.into_owned()).or_default() += 1;
        xor(&path, at as u64, mask)?;
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let opened = target.open().map_err(|error| error.to_string());
            opened.map(|snapshot| target.wrong_answers(&snapshot))
        }));
        xor(&path, at as u64, mask)?;
        let case = format!("{file}, byte {at} changed by {mask}");
        match opened {
            Ok(Err(error)) => {
                self.refused += 1;
                if !error.contains(file.as_str()) {
                    self.nameless += 1;
                    self.add_case(format!("{case}: the error does not name the file: {error}"));
                }
            }
            Ok(Ok(wrong)) => {
                self.accepted += 1;
                self.wrong_answers += wrong;
                self.add_case(format!("{case}: opened, {wrong} wrong answers"));
            }
            Err(_) => {
                self.panics += 1;
                self.add_case(format!("{case}: panicked"));
            }
        }
        Ok(())
    }

    fn add_case(&mut self, case: String) {
        if self.cases.len() < MAX_LISTED {
            self.cases.push(case);
        }
    }

    fn print(&self) -> anyhow::Result<()> {
        print_line(&format!(
            "{}, seed {}, load average {}\ngeneration {} of {} segments, {} files, {} bytes\n",
            self.machine,
            self.seed,
            self.load_average,
            self.generation,
            self.segments,
            self.files,
            self.bytes
        ))?;
        for (kind, flips) in &self.by_kind {
            print_line(&format!("{flips:>6} in files that end in .{kind}"))?;
        }
        print_line(&format!(
            "\n{} flips: {} refused, {} of them without the file's name; {} opened; {} panics; {} wrong answers",
            self.times, self.refused, self.nameless, self.accepted, self.panics, self.wrong_answers
        ))?;
        for case in &self.cases {
            print_line(&format!("  {case}"))?;
        }
        print_json(self)
    }

    fn check_refusals(&self) -> anyhow::Result<()> {
        ensure!(
            self.refused == self.times && self.nameless == 0,
            "not every flip was refused with the file's name"
        );
        Ok(())
    }
}

fn xor(path: &Path, at: u64, mask: u8) -> anyhow::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut byte = [0];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut byte)?;
    file.seek(SeekFrom::Start(at))?;
    Ok(file.write_all(&[byte[0] ^ mask])?)
}
