//! The numbered XML files of one object type: 10 000 objects a file, each with the header of real deliveries.

use super::Layout;
use super::archive::Folder;
use super::calendar::{Calendar, Day};
use super::country::MUNICIPAL;
use super::elements::Mark;
use super::facts::{Record, Version};
use super::objects;
use super::record::Id;
use super::text::Text;
use std::io;

/// Objects in one XML file of a real delivery.
const OBJECTS_A_FILE: u64 = 10_000;
/// Text is handed on to the zip in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

const ROOT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<sl-bag-extract:bagStand xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xmlns:Objecten="www.kadaster.nl/schemas/lvbag/imbag/objecten/v20200601" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:Historie="www.kadaster.nl/schemas/lvbag/imbag/historie/v20200601" xmlns:Objecten-ref="www.kadaster.nl/schemas/lvbag/imbag/objecten-ref/v20200601" xmlns:nen5825="www.kadaster.nl/schemas/lvbag/imbag/nen5825/v20200601" xmlns:KenmerkInOnderzoek="www.kadaster.nl/schemas/lvbag/imbag/kenmerkinonderzoek/v20200601" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:sl-bag-extract="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601" xmlns:sl="http://www.kadaster.nl/schemas/standlevering-generiek/1.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/extract-deelbestand-lvc/v20200601/BagvsExtractDeelbestandExtractLvc-2.1.0.xsd">
  <sl-bag-extract:bagInfo>
    <selecties-extract:Gebied-Registratief>
"#;

/// The files of one type in one zip. A type without objects has one file without objects.
pub(super) struct Pages<'f, 'w, 'c> {
    folder: &'f mut Folder<'w>,
    text: Text<'c>,
    layout: Layout,
    stand: Day,
    /// The name of the files up to their number.
    stem: String,
    object_type: &'static str,
    files: u64,
    objects: u64,
    tally: Tally,
}

/// What has been written.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) objects: u64,
    pub(super) bytes: u64,
}

impl<'f, 'w, 'c> Pages<'f, 'w, 'c> {
    pub(super) fn open(
        folder: &'f mut Folder<'w>,
        calendar: &'c Calendar,
        (layout, stand): (Layout, Day),
        stem: String,
        object_type: &'static str,
    ) -> Self {
        Self {
            folder,
            text: Text::new(calendar),
            layout,
            stand,
            stem,
            object_type,
            files: 0,
            objects: 0,
            tally: Tally::default(),
        }
    }

    /// Writes all voorkomens of an object.
    pub(super) fn all(&mut self, record: &impl Record) -> io::Result<()> {
        for index in 0..record.voorkomens() {
            self.version(record.id(), &record.version(index, Mark::None))?;
        }
        Ok(())
    }

    /// Writes one voorkomen.
    pub(super) fn version(&mut self, id: Id, version: &Version) -> io::Result<()> {
        self.element("bagObject>", |text| objects::write(text, id, version))
    }

    /// Writes one model object of this element name.
    pub(super) fn element(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Text<'_>),
    ) -> io::Result<()> {
        if self.objects.is_multiple_of(OBJECTS_A_FILE) {
            self.turn()?;
        }
        self.objects += 1;
        self.text.raw("<sl:stand><sl-bag-extract:").raw(name);
        write(&mut self.text);
        self.text
            .raw("</sl-bag-extract:")
            .raw(name)
            .raw("</sl:stand>");
        if self.text.bytes.len() >= PIECE {
            self.hand_on()
        } else {
            Ok(())
        }
    }

    /// Closes the last file and tells what was written.
    pub(super) fn close(mut self) -> io::Result<Tally> {
        if self.files == 0 {
            self.turn()?;
        }
        self.end_file()?;
        Ok(Tally {
            objects: self.objects,
            ..self.tally
        })
    }

    fn turn(&mut self) -> io::Result<()> {
        if self.files > 0 {
            self.end_file()?;
        }
        self.files += 1;
        self.folder
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
        self.hand_on()
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.folder.write(&self.text.bytes)?;
        self.tally.bytes += self.text.bytes.len() as u64;
        self.text.bytes.clear();
        Ok(())
    }
}

/// The area of a municipal delivery, indented by `indent` and then by `step` a level, with what follows the code.
pub(super) fn municipal_area(indent: usize, step: usize, after_code: &str) -> String {
    let line = |level: usize, text: &str| format!("{:1$}<{text}>\n", "", indent + level * step);
    let code = format!("{MUNICIPAL:04}</selecties-extract:GemeenteIdentificatie");
    let mut area =
        line(0, "selecties-extract:Gebied-GEM") + &line(1, "selecties-extract:GemeenteCollectie");
    area += &line(2, "selecties-extract:Gemeente");
    area += &line(
        3,
        &format!("selecties-extract:GemeenteIdentificatie>{code}"),
    );
    area += after_code;
    area += &line(2, "/selecties-extract:Gemeente");
    area + &line(1, "/selecties-extract:GemeenteCollectie")
        + &line(0, "/selecties-extract:Gebied-GEM")
}
