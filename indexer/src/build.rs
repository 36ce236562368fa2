//! A full build: from the delivery of a stand to a published generation.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use jiff::Timestamp;
use postduif_schema::{ADDRESSES, Area, Counts, DataFolder, LAYOUT_VERSION, Manifest};

use crate::assemble::{Assembler, LeftOutCounts, count_left_out};
use crate::candidates::Candidates;
use crate::day::Day;
use crate::extract::{ExtractError, Stand};
use crate::generation::AddressWriter;
use crate::links::Links;
use crate::municipalities::{Municipalities, UnknownMunicipality};
use crate::places::Places;
use crate::po_boxes::{self, BoxRange};
use crate::progress::{Progress, Step};
use crate::publish::{Exclusive, PublishError, Unfinished};
use crate::register::{Contents, Head, Register, RegisterError};
use crate::report::{Clock, Report, Seconds, cpu_seconds, peak_memory_bytes};
use crate::sample::{self, Sample};
use crate::table_file::TableError;

/// What a build is made from.
#[derive(Debug, Clone)]
pub struct Build {
    /// The delivery of a stand, municipal or national.
    pub extract: PathBuf,
    /// Ranges of post-office boxes, as CSV.
    pub po_boxes: Option<PathBuf>,
    /// Names of municipalities, as CSV, in place of those that come with postduif.
    pub municipalities: Option<PathBuf>,
    /// Publish even if it holds less than half the addresses of the generation that is served.
    pub accept_fewer: bool,
}

/// A build that did not come to publishing. What was served goes on being served.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The delivery.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// A CSV file.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A municipality without a name.
    #[error(transparent)]
    Municipality(#[from] UnknownMunicipality),
    /// The delivery makes no address at all.
    #[error("{extract}: not one address in it (objects read: {objects}); nothing is published")]
    NoAddresses {
        /// The delivery.
        extract: String,
        /// Voorkomens read.
        objects: u64,
    },
    /// Too much in the delivery refers to what it does not hold.
    #[error(
        "{extract}: {count} of its nummeraanduidingen refer to a street, town or municipality that it does not hold, such as \
         {example}; the delivery is not whole, nothing is published"
    )]
    Dangling {
        /// The delivery.
        extract: String,
        /// How many.
        count: u64,
        /// One of them.
        example: String,
    },
    /// Far fewer addresses than are served now.
    #[error(
        "{found} addresses, where generation {generation} has {before} of the same area; nothing is published. If this is \
         right, build again with --accept-fewer"
    )]
    Fewer {
        /// In the new generation.
        found: u64,
        /// In the one that is served.
        before: u64,
        /// The one that is served.
        generation: postduif_schema::GenerationName,
    },
    /// What was written reads back as something else.
    #[error(
        "address {id} reads back from the index other than the register gives it; nothing is published"
    )]
    ReadsBackOtherwise {
        /// The address.
        id: postduif_schema::AddressId,
    },
    /// Writing the index.
    #[error("writing the address index: {0}")]
    Index(#[from] tantivy::TantivyError),
    /// Writing the register.
    #[error(transparent)]
    Register(#[from] RegisterError),
    /// Writing to the data folder.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

impl BuildError {
    /// Whether what was given is at fault, not the machine: trying again will not help.
    #[must_use]
    pub const fn is_refusal(&self) -> bool {
        !matches!(
            self,
            Self::Index(_) | Self::Register(_) | Self::Publish(_) | Self::ReadsBackOtherwise { .. }
        )
    }
}

impl Build {
    /// Builds and publishes a generation and the register that it comes from.
    ///
    /// # Errors
    /// When anything that was given is unsound or anything cannot be written; then nothing is published.
    pub fn run(&self, data: &DataFolder, progress: &dyn Progress) -> Result<Report, BuildError> {
        let mut clock = Clock::start();
        let municipalities = self
            .municipalities
            .as_deref()
            .map_or(Ok(Municipalities::carried()), Municipalities::read)?;
        let boxes = self
            .po_boxes
            .as_deref()
            .map_or(Ok(Vec::new()), po_boxes::read)?;
        let exclusive = Exclusive::take(data)?;
        let stand = Stand::read(&self.extract, progress)?;
        let read_s = clock.lap();

        let day = Day::from(stand.date);
        let places = Places::new(
            stand.openbare_ruimten.all_on(day),
            stand.woonplaatsen.all_on(day),
            &stand.relations,
            &municipalities,
            day,
        )?;
        let unfinished = exclusive.begin(stand.date)?;
        let material = Material {
            stand: &stand,
            municipalities: &municipalities,
            boxes: &boxes,
            places: &places,
        };
        let (written, register) = material.write(&unfinished, progress)?;
        self.check_counts(&stand, &written, data)?;
        let write_s = clock.lap();

        let mut report = Report {
            generation: unfinished.name(),
            stand: stand.date,
            area: stand.area.clone(),
            read: stand.read.clone(),
            addresses: written.counts.addresses,
            po_boxes: written.counts.po_boxes,
            without_location: written.without_location,
            left_out: written.left_out,
            seconds: Seconds {
                read: read_s,
                write: write_s,
                publish: 0.0,
                total: 0.0,
            },
            cpu_seconds: cpu_seconds(),
            peak_memory_bytes: peak_memory_bytes(),
        };
        progress.begin(Step::Verify, 0);
        write_manifest(&unfinished, &report)?;
        let generation = unfinished.verify()?;
        sample::compare(
            &written.sample,
            &register,
            &generation.addresses,
            &places,
            day,
        )?;
        drop((generation, register));
        unfinished.publish()?;
        progress.end(Step::Verify);
        report.seconds.publish = clock.lap();
        report.seconds.total = clock.total();
        report.cpu_seconds = cpu_seconds();
        report.peak_memory_bytes = peak_memory_bytes();
        Ok(report)
    }

    /// Refuses what no sound delivery makes.
    fn check_counts(
        &self,
        stand: &Stand,
        written: &Written,
        data: &DataFolder,
    ) -> Result<(), BuildError> {
        let extract = || self.extract.display().to_string();
        let of_register = written.counts.addresses - written.counts.po_boxes;
        if of_register == 0 {
            let objects = stand.read.objects.values().map(|counts| counts.read).sum();
            return Err(BuildError::NoAddresses {
                extract: extract(),
                objects,
            });
        }
        let dangling = || {
            written
                .left_out
                .iter()
                .filter(|(reason, _)| reason.is_dangling())
                .map(|(_, left_out)| left_out)
        };
        let count: u64 = dangling().map(|left_out| left_out.count).sum();
        if count > DANGLING_MIN.max(of_register / DANGLING_SHARE) {
            let example = dangling()
                .flat_map(|left_out| &left_out.examples)
                .next()
                .cloned()
                .unwrap_or_default();
            return Err(BuildError::Dangling {
                extract: extract(),
                count,
                example,
            });
        }
        match served_counts(data, &stand.area) {
            Some((generation, before))
                if !self.accept_fewer && written.counts.addresses < before / 2 =>
            {
                Err(BuildError::Fewer {
                    found: written.counts.addresses,
                    before,
                    generation,
                })
            }
            _ => Ok(()),
        }
    }
}

/// A delivery may have this many references to nothing, or one in a hundred addresses.
const DANGLING_MIN: u64 = 10;
const DANGLING_SHARE: u64 = 100;

/// How many addresses the generation has that is served, when it is of the same area. One that does not read any more is
/// no reason to refuse a new one.
fn served_counts(data: &DataFolder, area: &Area) -> Option<(postduif_schema::GenerationName, u64)> {
    let generation = data.current().ok()??;
    let manifest = Manifest::read(&data.generation_path(generation)).ok()?;
    (manifest.area == *area).then_some((generation, manifest.counts.addresses))
}

/// What a build has read and joined.
struct Material<'a> {
    stand: &'a Stand,
    municipalities: &'a Municipalities,
    boxes: &'a [BoxRange],
    places: &'a Places,
}

/// What went into the index.
struct Written {
    counts: Counts,
    without_location: u64,
    left_out: LeftOutCounts,
    sample: Sample,
}

impl Material<'_> {
    /// Writes index and register side by side.
    fn write(
        &self,
        unfinished: &Unfinished<'_>,
        progress: &dyn Progress,
    ) -> Result<(Written, Register), BuildError> {
        let links = Links::of(self.stand);
        let head = Head::new(self.stand.date, self.stand.area.clone(), unfinished.name());
        let contents = Contents {
            head: &head,
            stand: self.stand,
            links: &links,
            municipalities: self.municipalities.rows().collect(),
            boxes: self.boxes,
        };
        thread::scope(|scope| {
            let register = scope.spawn(|| {
                let objects = self
                    .stand
                    .read
                    .objects
                    .values()
                    .map(|counts| counts.kept)
                    .sum();
                progress.begin(Step::Register, objects);
                let register = Register::create(&unfinished.register_path(), &contents, progress);
                progress.end(Step::Register);
                register
            });
            let written = self.write_index(&unfinished.folder().join(ADDRESSES), &links, progress);
            let register = register
                .join()
                .expect("writing the register does not panic");
            Ok((written?, register?))
        })
    }

    fn write_index(
        &self,
        folder: &Path,
        links: &Links,
        progress: &dyn Progress,
    ) -> Result<Written, BuildError> {
        const TELL_EVERY: u64 = 4096;
        let day = Day::from(self.stand.date);
        let candidates = Candidates::new(self.stand, links, day);
        let writer = AddressWriter::create(folder)?;
        let assembler = Assembler::new(self.places);
        let (mut counts, mut left_out, mut without_location) =
            (Counts::default(), LeftOutCounts::new(), 0);
        let mut sample = Sample::of(candidates.len());
        progress.begin(Step::Index, candidates.len() as u64);
        for (done, candidate) in (1_u64..).zip(candidates.iter()) {
            match assembler.assemble(&candidate, |pand| self.stand.panden.on(pand, day).copied()) {
                Ok(Some(address)) => {
                    writer.add(&address)?;
                    counts.addresses += 1;
                    without_location += u64::from(address.location.is_none());
                    sample.offer(candidate.id);
                }
                Ok(None) => {}
                Err(reason) => count_left_out(&mut left_out, reason, candidate.id),
            }
            if done % TELL_EVERY == 0 {
                progress.advance(Step::Index, TELL_EVERY);
            }
        }
        for address in self.boxes.iter().flat_map(BoxRange::addresses) {
            writer.add(&address)?;
            counts.po_boxes += 1;
        }
        counts.addresses += counts.po_boxes;
        writer.finish()?;
        progress.end(Step::Index);
        Ok(Written {
            counts,
            without_location,
            left_out,
            sample,
        })
    }
}

fn write_manifest(unfinished: &Unfinished<'_>, report: &Report) -> Result<(), BuildError> {
    let path = unfinished.folder().join("report.json");
    let text = serde_json::to_vec_pretty(report).expect("a report has only text keys");
    fs::write(&path, text).map_err(|source| PublishError::Io { path, source })?;
    let manifest = Manifest {
        layout_version: LAYOUT_VERSION,
        generation: report.generation,
        stand: report.stand,
        area: report.area.clone(),
        created_at: Timestamp::now(),
        counts: Counts {
            addresses: report.addresses,
            po_boxes: report.po_boxes,
        },
        files: unfinished.files()?,
        checksum: String::new(),
    };
    manifest
        .write(&unfinished.folder())
        .map_err(PublishError::from)?;
    Ok(())
}
