//! A whole delivery: its names and nesting, and one pass over the streets for every object type.
//!
//! Source: the real deliveries of one municipality (2021) and of the whole country (2020 to 2026), whose names and levels this follows.

use super::archive::Folder;
use super::calendar::Day;
use super::country::{Country, MUNICIPAL, StreetPlan};
use super::elements::Mark;
use super::mutations::{Object, Register, Woonplaatsen, truth_of};
use super::pages::{Pages, Tally, municipal_area};
use super::record::Kind;
use super::street;
use super::street::Street;
use super::text::Text;
use super::woonplaatsen::Relation;
use super::{Layout, Progress, Summary, aside};
use jiff::ToSpan;
use jiff::civil::Date;
use std::io::{self, Write};

/// An object type, in the order of writing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    Woonplaats,
    OpenbareRuimte,
    Nummeraanduiding,
    Verblijfsobject,
    Ligplaats,
    Standplaats,
    Pand,
}

const PARTS: [Part; 7] = [
    Part::Woonplaats,
    Part::OpenbareRuimte,
    Part::Nummeraanduiding,
    Part::Verblijfsobject,
    Part::Ligplaats,
    Part::Standplaats,
    Part::Pand,
];

impl Part {
    /// The part that objects of this kind stand in.
    pub(super) fn of(kind: Kind) -> Self {
        match kind {
            Kind::Woonplaats => Part::Woonplaats,
            Kind::OpenbareRuimte => Part::OpenbareRuimte,
            Kind::Nummeraanduiding => Part::Nummeraanduiding,
            Kind::Verblijfsobject => Part::Verblijfsobject,
            Kind::Ligplaats => Part::Ligplaats,
            Kind::Standplaats => Part::Standplaats,
            Kind::Pand => Part::Pand,
        }
    }

    /// The three letters in file names.
    pub(super) fn code(self) -> &'static str {
        match self {
            Part::Woonplaats => "WPL",
            Part::OpenbareRuimte => "OPR",
            Part::Nummeraanduiding => "NUM",
            Part::Verblijfsobject => "VBO",
            Part::Ligplaats => "LIG",
            Part::Standplaats => "STA",
            Part::Pand => "PND",
        }
    }
}

const RELATIONS_HEAD: &str = r#"<gwr-bestand:BAG-GWR-Deelbestand-LVC xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gwr-bestand="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:bagtypes="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/bag-types/v20200601" xmlns:gwr-product="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-producten-lvc/v20200601" xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601/BagvsGwrDeelbestandLvc-2.1.0.xsd">
  <gwr-bestand:SelectieGegevens>
    <selecties-extract:StandTechnischeDatum>"#;

/// The comment before the root, in UTF-8 as in real files: long, with letters beyond ASCII.
const RELATIONS_COMMENT: &str = "<!-- Disclaimer:\n\
    Dit bestand hoort bij een verzonnen levering. De gemeenten bestaan, de woonplaatsen en alle adressen daarin zijn verzonnen. \n\
    Het bestand heeft uitsluitend tot doel de relatie tussen woonplaats en gemeente te leggen bij het verwerken van deze levering. De gemeente is géén \
    onderdeel van de registratie; hier staan alléén codes, zonder namen, met hun hele geschiedenis en met wat al van de toekomst bekend is. \n\
    Een regel die in de toekomst begint, staat naast de regel die dan eindigt: wie alléén naar regels zonder einddatum kijkt, leest de indeling van morgen. \n -->";

/// Writes the delivery.
pub(super) fn write(
    country: &Country<'_>,
    register: &Register,
    out: &mut dyn Write,
    progress: &mut dyn FnMut(Progress),
) -> io::Result<Summary> {
    let mut delivery = Delivery {
        country,
        register,
        // On the stand day itself the scenes say what is served.
        woonplaatsen: (register.day > 0).then(|| Woonplaatsen::on(register, register.stand())),
        progress,
        done: 0,
        summary: Summary::default(),
    };
    let mut root = Folder::new(out, time_of(country, register.stand()));
    delivery.root(&mut root)?;
    root.close()?;
    Ok(delivery.summary)
}

/// A day as in file names.
pub(super) fn date_of(country: &Country<'_>, day: Day) -> String {
    date(country, day).strftime("%d%m%Y").to_string()
}

/// The time of all entries: the stand day at one o'clock.
pub(super) fn time_of(country: &Country<'_>, stand: Day) -> zip::DateTime {
    let stand = date(country, stand);
    let part = |value: i8| u8::try_from(value).expect("months and days are positive");
    let year = u16::try_from(stand.year()).expect("a stand year has four digits");
    zip::DateTime::from_date_and_time(year, part(stand.month()), part(stand.day()), 1, 0, 0)
        .expect("a stand day from 2010 on fits a zip")
}

fn date(country: &Country<'_>, day: Day) -> Date {
    country
        .spec
        .stand
        .checked_add(day.0.days())
        .expect("a stand day and its deliveries are on the calendar")
}

struct Delivery<'a, 'c> {
    country: &'a Country<'c>,
    register: &'a Register,
    woonplaatsen: Option<Woonplaatsen>,
    progress: &'a mut dyn FnMut(Progress),
    /// Streets times passes that are done.
    done: u64,
    summary: Summary,
}

impl Delivery<'_, '_> {
    fn root(&mut self, root: &mut Folder<'_>) -> io::Result<()> {
        let date = self.date();
        self.file(
            root,
            "Leveringsdocument-BAG-Extract.xml",
            Self::covering_document,
        )?;
        let name = format!("GEM-WPL-RELATIE-{date}");
        root.folder(&format!("{name}.zip"), |folder| {
            self.file(folder, &format!("{name}-000001.xml"), Self::relations)
        })?;
        match self.country.spec.layout {
            Layout::National => self.objects(root),
            Layout::Municipal => root.folder(&format!("{MUNICIPAL:04}GEM{date}.zip"), |folder| {
                self.objects(folder)
            }),
        }
    }

    /// The date as in file names.
    fn date(&self) -> String {
        date_of(self.country, self.register.stand())
    }

    /// What file names begin with.
    fn area(&self) -> String {
        match self.country.spec.layout {
            Layout::National => "9999".to_owned(),
            Layout::Municipal => format!("{MUNICIPAL:04}"),
        }
    }

    /// The file of every object type, and the three zips beside them.
    fn objects(&mut self, folder: &mut Folder<'_>) -> io::Result<()> {
        let (area, date) = (self.area(), self.date());
        for part in PARTS {
            let stem = format!("{area}{}{date}", part.code());
            folder.folder(&format!("{stem}.zip"), |inner| self.part(inner, stem, part))?;
        }
        for (name, code, mark) in [
            ("InOnderzoek", "IO", Mark::None),
            ("Inactief", "IA", Mark::Inactief),
            ("NietBag", "NB", Mark::NietBag),
        ] {
            folder.folder(&format!("{area}{name}{date}.zip"), |inner| {
                self.beside(inner, code, mark)
            })?;
        }
        Ok(())
    }

    fn part(&mut self, folder: &mut Folder<'_>, stem: String, part: Part) -> io::Result<()> {
        let (country, stand) = (self.country, self.register.stand());
        let mut pages = Pages::open(
            folder,
            &country.calendar,
            (country.spec.layout, stand),
            stem,
            part.code(),
        );
        let register = self.register;
        if part == Part::Woonplaats {
            write_objects(&register.woonplaatsen, part, Mark::None, &mut pages)?;
        } else {
            self.each_street(|delivery, index, plan| {
                if part == Part::Nummeraanduiding {
                    delivery.count(index, plan);
                }
                match register.books.get(&index) {
                    Some(book) => write_objects(&book.objects, part, Mark::None, &mut pages),
                    None if part == Part::OpenbareRuimte => {
                        pages.all(&street::openbare_ruimte(country, plan))
                    }
                    None => write_part(&Street::build(country, plan), part, &mut pages),
                }
            })?;
        }
        let tally = pages.close()?;
        self.summary.voorkomens.push((part.code(), tally.objects));
        self.add(tally);
        Ok(())
    }

    fn each_street(
        &mut self,
        mut each: impl FnMut(&mut Self, usize, &StreetPlan) -> io::Result<()>,
    ) -> io::Result<()> {
        let (country, register) = (self.country, self.register);
        let passes = PARTS.len() as u64 - 1;
        for (index, plan) in register.plans.iter().enumerate() {
            each(self, index, plan)?;
            self.done += plan.quota;
            (self.progress)(Progress {
                done: self.done,
                total: passes * country.spec.addresses,
            });
        }
        Ok(())
    }

    fn count(&mut self, index: usize, plan: &StreetPlan) {
        let summary = &mut self.summary;
        match &self.woonplaatsen {
            Some(woonplaatsen) => {
                let truth = truth_of(self.country, self.register, woonplaatsen, index);
                summary.served += truth.addresses.len() as u64;
                summary.without_postcode += truth.without_postcode;
                summary.withdrawn += truth.withdrawn;
            }
            None => {
                let street = Street::build(self.country, plan);
                summary.served += street.served.len() as u64;
                summary.without_postcode += street.without_postcode;
                summary.withdrawn += street.withdrawn;
            }
        }
    }

    fn add(&mut self, tally: Tally) {
        self.summary.xml_bytes += tally.bytes;
    }

    fn beside(&mut self, folder: &mut Folder<'_>, code: &str, mark: Mark) -> io::Result<()> {
        let (country, area, date) = (self.country, self.area(), self.date());
        let Register { books, notes, .. } = self.register;
        let stand = self.register.stand();
        for part in PARTS {
            let stem = format!("{area}{code}{}{date}", part.code());
            folder.folder(&format!("{stem}.zip"), |inner| {
                let mut pages = Pages::open(
                    inner,
                    &country.calendar,
                    (country.spec.layout, stand),
                    stem,
                    part.code(),
                );
                if mark == Mark::None {
                    aside::in_onderzoek(country, part, &mut pages)?;
                    for note in notes.iter().filter(|note| Part::of(note.id.kind) == part) {
                        for inquiry in note.inquiries() {
                            aside::inquiry_to(&mut pages, &inquiry)?;
                        }
                    }
                } else {
                    aside::marked(country, part, mark, &mut pages)?;
                    for book in books.values() {
                        write_objects(&book.objects, part, mark, &mut pages)?;
                    }
                }
                self.add(pages.close()?);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// One file that is written whole.
    fn file(
        &mut self,
        folder: &mut Folder<'_>,
        name: &str,
        fill: impl FnOnce(&Self, &mut Text<'_>),
    ) -> io::Result<()> {
        let mut text = Text::new(&self.country.calendar);
        fill(self, &mut text);
        self.summary.xml_bytes += text.bytes.len() as u64;
        folder.start_file(name)?;
        folder.write(&text.bytes)
    }

    fn covering_document(&self, text: &mut Text<'_>) {
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

    fn relations(&self, text: &mut Text<'_>) {
        write_relations(&self.register.relations, self.register.stand(), text);
    }
}

/// The table of municipalities and woonplaatsen.
pub(super) fn write_relations(rows: &[Relation], stand: Day, text: &mut Text<'_>) {
    text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .raw(RELATIONS_COMMENT)
        .raw(RELATIONS_HEAD)
        .day(stand);
    text.raw("</selecties-extract:StandTechnischeDatum>\n  </gwr-bestand:SelectieGegevens>\n  <gwr-bestand:Product>\n");
    text.raw("    <gwr-product:GemeenteWoonplaatsRelatieProduct>");
    rows.iter().for_each(|row| row.write(text));
    text.raw("</gwr-product:GemeenteWoonplaatsRelatieProduct>\n  </gwr-bestand:Product>\n</gwr-bestand:BAG-GWR-Deelbestand-LVC>");
}

/// Writes the voorkomens of one type that stand in files of this mark.
fn write_objects(
    objects: &[Object],
    part: Part,
    mark: Mark,
    pages: &mut Pages<'_, '_, '_>,
) -> io::Result<()> {
    for object in objects
        .iter()
        .filter(|object| Part::of(object.id.kind) == part)
    {
        for version in &object.versions {
            if version.history.mark() == mark {
                pages.version(object.id, version)?;
            }
        }
    }
    Ok(())
}

fn write_part(street: &Street, part: Part, pages: &mut Pages<'_, '_, '_>) -> io::Result<()> {
    match part {
        Part::Woonplaats | Part::OpenbareRuimte => Ok(()),
        Part::Nummeraanduiding => street
            .nummeraanduidingen
            .iter()
            .try_for_each(|record| pages.all(record)),
        Part::Verblijfsobject => street
            .verblijfsobjecten
            .iter()
            .try_for_each(|record| pages.all(record)),
        Part::Ligplaats | Part::Standplaats => {
            let mut of_part = street
                .plaatsen
                .iter()
                .filter(|record| aside::is_of(part, record.id));
            of_part.try_for_each(|record| pages.all(record))
        }
        Part::Pand => street
            .panden
            .iter()
            .try_for_each(|record| pages.all(record)),
    }
}
