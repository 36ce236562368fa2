//! Writes the numbered XML files of one object type: 10 000 objects per file, each file with the header of real deliveries.

use super::archive::NestedZip;
use super::area::municipal_area;
use super::objects::write_object;
use super::onderzoek::write_onderzoek;
use super::text::XmlText;
use crate::calendar::{Calendar, DayOffset};
use crate::model::{BagRecord, Identificatie, OnderzoekRecord, SynthVoorkomen, VoorkomenMark};
use crate::spec::Layout;
use std::io;

/// The number of objects in one XML file of a real delivery.
const OBJECTS_PER_FILE: u64 = 10_000;
/// Approximate size of the pieces in which text is written to the zip, in bytes.
const PIECE: usize = 1 << 16;

const ROOT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<sl-bag-extract:bagStand xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xmlns:Objecten="www.kadaster.nl/schemas/lvbag/imbag/objecten/v20200601" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:Historie="www.kadaster.nl/schemas/lvbag/imbag/historie/v20200601" xmlns:Objecten-ref="www.kadaster.nl/schemas/lvbag/imbag/objecten-ref/v20200601" xmlns:nen5825="www.kadaster.nl/schemas/lvbag/imbag/nen5825/v20200601" xmlns:KenmerkInOnderzoek="www.kadaster.nl/schemas/lvbag/imbag/kenmerkinonderzoek/v20200601" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:sl-bag-extract="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601" xmlns:sl="http://www.kadaster.nl/schemas/standlevering-generiek/1.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601/BagvsExtractDeelbestandExtractLvc-2.1.0.xsd">
  <sl-bag-extract:bagInfo>
    <selecties-extract:Gebied-Registratief>
"#;

/// Writes the files of one object type into one zip. A type without objects gets one empty file.
pub(crate) struct ObjectFiles<'f, 'w, 'c> {
    zip: &'f mut NestedZip<'w>,
    text: XmlText<'c>,
    layout: Layout,
    stand: DayOffset,
    /// The start of the file names, before the number of the file.
    stem: String,
    object_type: &'static str,
    files: u64,
    objects: u64,
    counts: WriteCounts,
}

/// The number of objects and of XML bytes written.
#[derive(Clone, Copy, Default)]
pub(crate) struct WriteCounts {
    pub(crate) objects: u64,
    pub(crate) bytes: u64,
}

impl<'f, 'w, 'c> ObjectFiles<'f, 'w, 'c> {
    /// Prepares the files of a type. The first object starts the first file.
    pub(crate) fn new(
        zip: &'f mut NestedZip<'w>,
        calendar: &'c Calendar,
        (layout, stand): (Layout, DayOffset),
        stem: String,
        object_type: &'static str,
    ) -> Self {
        Self {
            zip,
            text: XmlText::new(calendar),
            layout,
            stand,
            stem,
            object_type,
            files: 0,
            objects: 0,
            counts: WriteCounts::default(),
        }
    }

    /// Writes all voorkomens of an object.
    pub(crate) fn write_record(&mut self, record: &impl BagRecord) -> io::Result<()> {
        for index in 0..record.voorkomens() {
            self.write_voorkomen(record.id(), &record.voorkomen(index, VoorkomenMark::None))?;
        }
        Ok(())
    }

    /// Writes one voorkomen.
    pub(crate) fn write_voorkomen(
        &mut self,
        id: Identificatie,
        voorkomen: &SynthVoorkomen,
    ) -> io::Result<()> {
        self.element("bagObject>", |text| write_object(text, id, voorkomen))
    }

    /// Writes one object in an element of this name.
    fn element(&mut self, name: &str, write: impl FnOnce(&mut XmlText<'_>)) -> io::Result<()> {
        if self.objects.is_multiple_of(OBJECTS_PER_FILE) {
            self.next_file()?;
        }
        self.objects += 1;
        self.text.raw("<sl:stand><sl-bag-extract:").raw(name);
        write(&mut self.text);
        self.text
            .raw("</sl-bag-extract:")
            .raw(name)
            .raw("</sl:stand>");
        if self.text.bytes.len() >= PIECE {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes one record of an investigation.
    pub(crate) fn write_onderzoek(&mut self, record: &OnderzoekRecord) -> io::Result<()> {
        self.element("kenmerkInOnderzoek>", |text| write_onderzoek(text, record))
    }

    /// Closes the last file and returns the counts.
    pub(crate) fn close(mut self) -> io::Result<WriteCounts> {
        if self.files == 0 {
            self.next_file()?;
        }
        self.end_file()?;
        Ok(WriteCounts {
            objects: self.objects,
            ..self.counts
        })
    }

    fn next_file(&mut self) -> io::Result<()> {
        if self.files > 0 {
            self.end_file()?;
        }
        self.files += 1;
        self.zip
            .start_file(&format!("{}-{:06}.xml", self.stem, self.files))?;
        self.header();
        Ok(())
    }

    fn header(&mut self) {
        let (area, scope) = match self.layout {
            Layout::National => (
                "      <selecties-extract:Gebied-NLD />\n".to_owned(),
                "NEDERLAND",
            ),
            Layout::Municipal => (municipal_area(6, 2, ""), "GEMEENTE"),
        };
        self.text.raw(ROOT).raw(&area).raw(
            "    </selecties-extract:Gebied-Registratief>\n    <selecties-extract:LVC-Extract>\n",
        );
        self.text
            .raw("      <selecties-extract:StandTechnischeDatum>")
            .day(self.stand)
            .raw("</selecties-extract:StandTechnischeDatum>\n");
        self.text.raw("    </selecties-extract:LVC-Extract>\n  </sl-bag-extract:bagInfo>\n  <sl:standBestand>\n    <sl:dataset>LVBAG</sl:dataset>\n");
        self.text
            .raw("    <sl:inhoud>\n      <sl:gebied>")
            .raw(scope)
            .raw("</sl:gebied>\n      <sl:leveringsId>0000000001</sl:leveringsId>\n");
        self.text
            .raw("      <sl:objectTypen>\n        <sl:objectType>")
            .raw(self.object_type);
        self.text
            .raw("</sl:objectType>\n      </sl:objectTypen>\n    </sl:inhoud>");
    }

    fn end_file(&mut self) -> io::Result<()> {
        self.text
            .raw("\n  </sl:standBestand>\n</sl-bag-extract:bagStand>");
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.write(&self.text.bytes)?;
        self.counts.bytes += self.text.bytes.len() as u64;
        self.text.bytes.clear();
        Ok(())
    }
}
