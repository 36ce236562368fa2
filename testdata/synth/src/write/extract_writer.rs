//! Writes an extract: its file names, its nesting, and one pass over the streets for every object type.
//!
//! Source: real extracts of one municipality (2021) and of the whole country (2020 to 2026).

use super::extra_records::{write_marked_voorkomens, write_planned_onderzoeken};
use super::file_names::entry_time;
use super::progress::SynthProgress;
use crate::model::{SynthObjectType, VoorkomenMark};
use crate::plan::{CountryPlan, MUNICIPAL, StreetPlan};
use crate::register::{SynthObject, SynthRegister, WoonplaatsIndex, expected_of_street};
use crate::spec::Layout;
use crate::streets::{BuiltStreet, build_openbare_ruimte, build_street};
use crate::xml::{NestedZip, ObjectFiles, WriteCounts, XmlText, municipal_area, write_relations};
use std::io::{self, Write};

/// The object types in the order in which they are written.
const OBJECT_TYPES: [SynthObjectType; 7] = [
    SynthObjectType::Woonplaats,
    SynthObjectType::OpenbareRuimte,
    SynthObjectType::Nummeraanduiding,
    SynthObjectType::Verblijfsobject,
    SynthObjectType::Ligplaats,
    SynthObjectType::Standplaats,
    SynthObjectType::Pand,
];

/// A summary of an extract.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExtractSummary {
    /// The number of addresses that a service must serve, which is the requested number.
    pub served: u64,
    /// The number of live nummeraanduidingen without a postcode to which live objects refer.
    pub without_postcode: u64,
    /// The number of references of live objects to a withdrawn nummeraanduiding, as hoofdadres or nevenadres.
    pub withdrawn: u64,
    /// The number of voorkomens in the main files, by the three letters of the object type (`WPL`, `OPR`, `NUM`, `VBO`, `LIG`,
    /// `STA`, `PND`).
    pub voorkomens: Vec<(&'static str, u64)>,
    /// Bytes of XML, before compression.
    pub xml_bytes: u64,
}

/// Writes the extract of the register on the day of the register.
pub(crate) fn write_register(
    country: &CountryPlan<'_>,
    register: &SynthRegister,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(SynthProgress),
) -> io::Result<ExtractSummary> {
    let mut writer = ExtractWriter {
        country,
        register,
        // On the stand day the plan already has the served addresses, so no index is needed.
        woonplaatsen: (register.day > 0).then(|| WoonplaatsIndex::new(register)),
        progress,
        done: 0,
        summary: ExtractSummary::default(),
    };
    let mut root = NestedZip::new(out, entry_time(&country.calendar, register.stand()));
    writer.write_root(&mut root)?;
    root.close()?;
    Ok(writer.summary)
}

struct ExtractWriter<'a, 'c> {
    country: &'a CountryPlan<'c>,
    register: &'a SynthRegister,
    woonplaatsen: Option<WoonplaatsIndex>,
    progress: &'a mut dyn FnMut(SynthProgress),
    /// The work done so far: the addresses of every pass, added up.
    done: u64,
    summary: ExtractSummary,
}

impl<'a> ExtractWriter<'a, '_> {
    fn write_root(&mut self, root: &mut NestedZip<'_>) -> io::Result<()> {
        let date = self.date();
        let name = "Leveringsdocument-BAG-Extract.xml";
        self.write_file(root, name, Self::covering_document)?;
        let name = format!("GEM-WPL-RELATIE-{date}");
        root.nested_zip(&format!("{name}.zip"), |zip| {
            self.write_file(zip, &format!("{name}-000001.xml"), Self::relations)
        })?;
        match self.country.spec.layout {
            Layout::National => self.write_objects(root),
            Layout::Municipal => root.nested_zip(&format!("{MUNICIPAL:04}GEM{date}.zip"), |zip| {
                self.write_objects(zip)
            }),
        }
    }

    /// The date in file names.
    fn date(&self) -> String {
        self.country.calendar.file_date(self.register.stand())
    }

    /// The area at the start of file names.
    fn area(&self) -> String {
        match self.country.spec.layout {
            Layout::National => "9999".to_owned(),
            Layout::Municipal => format!("{MUNICIPAL:04}"),
        }
    }

    /// Writes the zip of every object type, and the three other zips beside them.
    fn write_objects(&mut self, zip: &mut NestedZip<'_>) -> io::Result<()> {
        let (area, date) = (self.area(), self.date());
        for object_type in OBJECT_TYPES {
            let stem = format!("{area}{}{date}", object_type.file_code());
            zip.nested_zip(&format!("{stem}.zip"), |inner| {
                self.write_main_files(inner, stem, object_type)
            })?;
        }
        for (name, code, mark) in [
            ("InOnderzoek", "IO", VoorkomenMark::None),
            ("Inactief", "IA", VoorkomenMark::Inactief),
            ("NietBag", "NB", VoorkomenMark::NietBag),
        ] {
            zip.nested_zip(&format!("{area}{name}{date}.zip"), |inner| {
                self.write_extra_files(inner, code, mark)
            })?;
        }
        Ok(())
    }

    fn write_main_files(
        &mut self,
        zip: &mut NestedZip<'_>,
        stem: String,
        object_type: SynthObjectType,
    ) -> io::Result<()> {
        let (country, register) = (self.country, self.register);
        let mut files = self.object_files(zip, stem, object_type);
        if object_type == SynthObjectType::Woonplaats {
            let all = &register.woonplaatsen;
            write_registered(all, object_type, VoorkomenMark::None, &mut files)?;
        } else {
            self.each_street(|writer, index, plan| {
                if object_type == SynthObjectType::Nummeraanduiding {
                    writer.count_addresses(index, plan);
                }
                match register.changed_streets.get(&index) {
                    Some(street) => {
                        let all = &street.all;
                        write_registered(all, object_type, VoorkomenMark::None, &mut files)
                    }
                    None if object_type == SynthObjectType::OpenbareRuimte => {
                        files.write_record(&build_openbare_ruimte(country, plan))
                    }
                    None => write_planned(&build_street(country, plan), object_type, &mut files),
                }
            })?;
        }
        let counts = files.close()?;
        let code = object_type.file_code();
        self.summary.voorkomens.push((code, counts.objects));
        self.add_bytes(counts);
        Ok(())
    }

    fn object_files<'f, 'w>(
        &self,
        zip: &'f mut NestedZip<'w>,
        stem: String,
        object_type: SynthObjectType,
    ) -> ObjectFiles<'f, 'w, 'a> {
        let header = (self.country.spec.layout, self.register.stand());
        let calendar = &self.country.calendar;
        ObjectFiles::new(zip, calendar, header, stem, object_type.file_code())
    }

    fn each_street(
        &mut self,
        mut each: impl FnMut(&mut Self, usize, &StreetPlan) -> io::Result<()>,
    ) -> io::Result<()> {
        let (country, register) = (self.country, self.register);
        let passes = OBJECT_TYPES.len() as u64 - 1;
        for (index, plan) in register.plans.iter().enumerate() {
            each(self, index, plan)?;
            self.done += plan.served_addresses;
            (self.progress)(SynthProgress {
                done: self.done,
                total: passes * country.spec.addresses,
            });
        }
        Ok(())
    }

    fn count_addresses(&mut self, index: usize, plan: &StreetPlan) {
        let (country, register) = (self.country, self.register);
        let summary = &mut self.summary;
        match &self.woonplaatsen {
            Some(woonplaatsen) => {
                let street = expected_of_street(country, register, woonplaatsen, index);
                summary.served += street.addresses.len() as u64;
                summary.without_postcode += street.without_postcode;
                summary.withdrawn += street.withdrawn;
            }
            None => {
                let street = build_street(country, plan);
                summary.served += street.served.len() as u64;
                summary.without_postcode += street.without_postcode;
                summary.withdrawn += street.withdrawn;
            }
        }
    }

    fn add_bytes(&mut self, counts: WriteCounts) {
        self.summary.xml_bytes += counts.bytes;
    }

    /// Writes the zips of one kind that are not main files, one zip per object type.
    fn write_extra_files(
        &mut self,
        zip: &mut NestedZip<'_>,
        code: &str,
        mark: VoorkomenMark,
    ) -> io::Result<()> {
        let (country, area, date) = (self.country, self.area(), self.date());
        for object_type in OBJECT_TYPES {
            let stem = format!("{area}{code}{}{date}", object_type.file_code());
            zip.nested_zip(&format!("{stem}.zip"), |inner| {
                let mut files = self.object_files(inner, stem, object_type);
                if mark == VoorkomenMark::None {
                    write_planned_onderzoeken(country, object_type, &mut files)?;
                    self.write_onderzoeken(object_type, &mut files)?;
                } else {
                    write_marked_voorkomens(country, object_type, mark, &mut files)?;
                    for street in self.register.changed_streets.values() {
                        write_registered(&street.all, object_type, mark, &mut files)?;
                    }
                }
                let counts = files.close()?;
                self.add_bytes(counts);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Writes the records of investigations that mutations opened.
    fn write_onderzoeken(
        &self,
        object_type: SynthObjectType,
        files: &mut ObjectFiles<'_, '_, '_>,
    ) -> io::Result<()> {
        let all = self.register.onderzoeken.iter();
        let mut records = all
            .filter(|onderzoek| onderzoek.id.object_type == object_type)
            .flat_map(|onderzoek| onderzoek.records());
        records.try_for_each(|record| files.write_onderzoek(&record))
    }

    /// Writes a file that fits in memory.
    fn write_file(
        &mut self,
        zip: &mut NestedZip<'_>,
        name: &str,
        fill: impl FnOnce(&Self, &mut XmlText<'_>),
    ) -> io::Result<()> {
        let mut text = XmlText::new(&self.country.calendar);
        fill(self, &mut text);
        self.summary.xml_bytes += text.bytes.len() as u64;
        zip.start_file(name)?;
        zip.write(&text.bytes)
    }

    fn covering_document(&self, text: &mut XmlText<'_>) {
        let name = "                        <selecties-extract:GemeenteNaam>Woudenberg</selecties-extract:GemeenteNaam>\n";
        let area = match self.country.spec.layout {
            Layout::National => "            <selecties-extract:Gebied-NLD/>\n".to_owned(),
            Layout::Municipal => municipal_area(12, 4, name),
        };
        text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xb:BAG-Extract-Levering xmlns:xb=\"http://www.kadaster.nl/schemas/lvbag/extract-levering/v20200601\"");
        text.raw(" xmlns:selecties-extract=\"http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601\">\n    <xb:SelectieGegevens>\n");
        text.raw("        <selecties-extract:LVC-Extract>\n            <selecties-extract:StandTechnischeDatum>").day(self.register.stand());
        text.raw("</selecties-extract:StandTechnischeDatum>\n        </selecties-extract:LVC-Extract>\n        <selecties-extract:Gebied-Registratief>\n");
        text.raw(&area).raw("        </selecties-extract:Gebied-Registratief>\n    </xb:SelectieGegevens>\n    <xb:SchemaInfo>\n");
        text.raw("        <xb:naam>BagvsExtractDeelbestandExtractLvc-2.1.0.xsd</xb:naam>\n        <xb:versie>20200601</xb:versie>\n    </xb:SchemaInfo>\n");
        text.raw("</xb:BAG-Extract-Levering>");
    }

    fn relations(&self, text: &mut XmlText<'_>) {
        write_relations(&self.register.relations, self.register.stand(), text);
    }
}

/// Writes the voorkomens of registered objects that have this type and mark.
fn write_registered(
    objects: &[SynthObject],
    object_type: SynthObjectType,
    mark: VoorkomenMark,
    files: &mut ObjectFiles<'_, '_, '_>,
) -> io::Result<()> {
    for object in objects
        .iter()
        .filter(|object| object.id.object_type == object_type)
    {
        for voorkomen in &object.voorkomens {
            if voorkomen.times.mark() == mark {
                files.write_voorkomen(object.id, voorkomen)?;
            }
        }
    }
    Ok(())
}

/// Writes all voorkomens of one type of a street of the plan.
fn write_planned(
    street: &BuiltStreet,
    object_type: SynthObjectType,
    files: &mut ObjectFiles<'_, '_, '_>,
) -> io::Result<()> {
    match object_type {
        SynthObjectType::Woonplaats | SynthObjectType::OpenbareRuimte => Ok(()),
        SynthObjectType::Nummeraanduiding => {
            let mut all = street.nummeraanduidingen.iter();
            all.try_for_each(|record| files.write_record(record))
        }
        SynthObjectType::Verblijfsobject => {
            let mut all = street.verblijfsobjecten.iter();
            all.try_for_each(|record| files.write_record(record))
        }
        SynthObjectType::Ligplaats | SynthObjectType::Standplaats => street
            .plaatsen
            .iter()
            .filter(|record| record.id.object_type == object_type)
            .try_for_each(|record| files.write_record(record)),
        SynthObjectType::Pand => {
            let mut all = street.panden.iter();
            all.try_for_each(|record| files.write_record(record))
        }
    }
}
