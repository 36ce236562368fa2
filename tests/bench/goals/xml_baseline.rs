//! Measures the baseline of a build: inflates every document and reads the text of the fields that a build needs.
//!
//! Each thread inflates whole documents into its own buffer and reads them with quick-xml and its default settings. It only sums
//! the bytes of the fields. It ignores the files that a build ignores.

use std::fs::File;
use std::io::{Cursor, Read as _, Seek, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use crate::build::XmlCounts;

/// Types of files that a build does not read.
const SKIPPED_TYPES: [&str; 3] = ["Inactief", "InOnderzoek", "NietBag"];

/// Types of objects whose geometry a build reads.
const TYPES_WITH_GEOMETRY: [&str; 3] = ["VBO", "LIG", "STA"];

/// Reads a whole extract and prints the counts.
pub(crate) fn read(extract: &Path) -> anyhow::Result<()> {
    let file = File::open(extract).with_context(|| extract.display().to_string())?;
    let read = archive(&mut ZipArchive::new(file)?)?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&read)?)?;
    Ok(())
}

/// Reads the inner archives of a delivery one after the other, each completely into memory.
fn archive(outer: &mut ZipArchive<impl std::io::Read + Seek>) -> anyhow::Result<XmlCounts> {
    let mut sum = XmlCounts::zero();
    for at in 0..outer.len() {
        let mut entry = outer.by_index(at)?;
        let name = entry.name()?.into_owned();
        let is_skipped = SKIPPED_TYPES.iter().any(|word| name.contains(word));
        if is_skipped || !name.to_lowercase().ends_with(".zip") {
            continue;
        }
        let mut bytes = Vec::with_capacity(usize::try_from(entry.size())?);
        entry.read_to_end(&mut bytes)?;
        let mut inner = ZipArchive::new(Cursor::new(Arc::<[u8]>::from(bytes)))?;
        sum.add(&documents(
            &inner,
            TYPES_WITH_GEOMETRY.iter().any(|kind| name.contains(kind)),
        )?);
        // A municipal delivery has one more archive around the files.
        if inner
            .file_names()
            .any(|name| name.is_ok_and(|name| name.ends_with(".zip")))
        {
            sum.add(&archive(&mut inner)?);
        }
    }
    Ok(sum)
}

/// Reads the documents of one archive on all cores.
fn documents(
    archive: &ZipArchive<Cursor<Arc<[u8]>>>,
    is_placed: bool,
) -> anyhow::Result<XmlCounts> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut archive, mut buffer) = (archive.clone(), Vec::new());
        let mut sum = XmlCounts::zero();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= archive.len() {
                return anyhow::Ok(sum);
            }
            let mut entry = archive.by_index(at)?;
            if entry.name()?.ends_with(".xml") {
                buffer.clear();
                entry.read_to_end(&mut buffer)?;
                sum.add(&document(&buffer, is_placed)?);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut sum = XmlCounts::zero();
        for thread in threads {
            sum.add(&thread.join().expect("reading does not panic")?);
        }
        Ok(sum)
    })
}

fn document(bytes: &[u8], is_placed: bool) -> anyhow::Result<XmlCounts> {
    let mut reader = Reader::from_reader(bytes);
    let mut sum = XmlCounts {
        documents: 1,
        bytes: bytes.len() as u64,
        ..XmlCounts::zero()
    };
    let mut wanted = false;
    loop {
        match reader.read_event()? {
            Event::Start(start) => {
                let name = start.local_name().into_inner();
                wanted = is_field(name, is_placed);
            }
            Event::Text(text) if wanted => {
                sum.fields += 1;
                let text = text.into_inner();
                sum.sum += text.bytes().map(u64::from).sum::<u64>();
            }
            Event::End(_) => wanted = false,
            Event::Eof => return Ok(sum),
            _ => {}
        }
    }
}

/// Whether a build needs the text of an element. A build does not need the geometry of a town or a pand.
fn is_field(name: &str, is_placed: bool) -> bool {
    match name {
        "pos" | "posList" => is_placed,
        _ => matches!(
            name,
            "identificatie"
                | "naam"
                | "verkorteNaam"
                | "status"
                | "huisnummer"
                | "huisletter"
                | "huisnummertoevoeging"
                | "postcode"
                | "gebruiksdoel"
                | "oppervlakte"
                | "oorspronkelijkBouwjaar"
                | "OpenbareRuimteRef"
                | "WoonplaatsRef"
                | "NummeraanduidingRef"
                | "PandRef"
                | "voorkomenidentificatie"
                | "beginGeldigheid"
                | "eindGeldigheid"
                | "tijdstipInactief"
                | "tijdstipInactiefLV"
                | "tijdstipNietBagLV"
                | "begindatumTijdvakGeldigheid"
                | "einddatumTijdvakGeldigheid"
        ),
    }
}

impl XmlCounts {
    fn zero() -> Self {
        Self {
            documents: 0,
            bytes: 0,
            fields: 0,
            sum: 0,
        }
    }

    fn add(&mut self, other: &Self) {
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.fields += other.fields;
        self.sum += other.sum;
    }
}
