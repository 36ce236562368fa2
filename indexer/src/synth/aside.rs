//! What stands beside the main files and must not be loaded: annulled voorkomens (Inactief), records that never belonged in the register (NietBag),
//! and notes that something is being looked into (InOnderzoek). Small, but with identificaties that the main files have too, and records that look open.
//!
//! Source: IMBAGLV_KenmerkInOnderzoek-2.1.0.xsd (v20200601), and the layout of real deliveries.

use super::calendar::{Day, Moment};
use super::country::{Country, StreetPlan};
use super::delivery::Part;
use super::elements::{Mark, domain};
use super::facts::Record;
use super::pages::Pages;
use super::record::{Id, Kind};
use super::shape::Shape;
use super::street::Street;
use super::text::Text;
use std::io;

/// Streets of the country that are looked through for such records.
const STREETS: usize = 200;

/// Writes the marked records of one type.
pub(super) fn marked(
    country: &Country<'_>,
    part: Part,
    mark: Mark,
    pages: &mut Pages<'_, '_, '_>,
) -> io::Result<()> {
    for plan in country
        .streets()
        .take(STREETS)
        .filter(|plan| plan.index % 10 == turn(mark))
    {
        let mut street = Street::build(country, &plan);
        distort(&mut street);
        match part {
            Part::Woonplaats => {}
            Part::OpenbareRuimte => last(&street.openbare_ruimte, mark, pages)?,
            Part::Nummeraanduiding => lasts(&street.nummeraanduidingen, mark, pages)?,
            Part::Verblijfsobject => lasts(&street.verblijfsobjecten, mark, pages)?,
            Part::Ligplaats | Part::Standplaats => lasts(&street.plaatsen, mark, pages)?,
            Part::Pand => lasts(&street.panden, mark, pages)?,
        }
    }
    Ok(())
}

/// Which of ten streets has records with this mark.
fn turn(mark: Mark) -> usize {
    if mark == Mark::NietBag { 4 } else { 6 }
}

/// Whether the street at `ordinal` of the country has records that stand here.
pub(super) fn has_marked(ordinal: usize, plan: &StreetPlan) -> bool {
    let turns = [Mark::NietBag, Mark::Inactief].map(turn);
    ordinal < STREETS && turns.contains(&(plan.index % 10))
}

fn lasts(records: &[impl Record], mark: Mark, pages: &mut Pages<'_, '_, '_>) -> io::Result<()> {
    records
        .iter()
        .take(2)
        .try_for_each(|record| last(record, mark, pages))
}

fn last(record: &impl Record, mark: Mark, pages: &mut Pages<'_, '_, '_>) -> io::Result<()> {
    pages.version(record.id(), &record.version(record.voorkomens() - 1, mark))
}

/// Makes the records of a street wrong, so that loading one shows.
fn distort(street: &mut Street) {
    street.openbare_ruimte.kind = "Terrein";
    for nummeraanduiding in &mut street.nummeraanduidingen {
        nummeraanduiding.number = 77_777;
    }
    for verblijfsobject in &mut street.verblijfsobjecten {
        verblijfsobject.shape =
            Shape::Point(verblijfsobject.shape.centroid().plus(1_000_000, 1_000_000));
    }
    for plaats in &mut street.plaatsen {
        plaats.shape = Shape::Ell {
            at: plaats.shape.centroid().plus(1_000_000, 0),
            unit: 1_000,
        };
    }
}

/// Writes the notes on objects of one type that are being looked into, or no longer are.
pub(super) fn in_onderzoek(
    country: &Country<'_>,
    part: Part,
    pages: &mut Pages<'_, '_, '_>,
) -> io::Result<()> {
    for plan in country
        .streets()
        .take(STREETS)
        .filter(|plan| plan.index % 5 == 2)
    {
        let street = Street::build(country, &plan);
        let id = match part {
            Part::OpenbareRuimte => Some(street.openbare_ruimte.id),
            Part::Nummeraanduiding => street.nummeraanduidingen.first().map(|record| record.id),
            Part::Verblijfsobject => street.verblijfsobjecten.first().map(|record| record.id),
            Part::Pand => street.panden.first().map(|record| record.id),
            Part::Woonplaats | Part::Ligplaats | Part::Standplaats => None,
        };
        let Some(id) = id else { continue };
        let [opened, ended] = [Day(-1_100), Day(-1_060)].map(|day| Moment {
            day,
            ms: 36_000_123,
        });
        for (open, begin, end) in [(true, opened, Some(ended)), (false, ended, None)] {
            let inquiry = Inquiry {
                id,
                open,
                begin,
                end,
            };
            inquiry_to(pages, &inquiry)?;
        }
    }
    Ok(())
}

/// That a feature of an object is being looked into, or no longer is.
#[derive(Clone, Copy)]
pub(super) struct Inquiry {
    pub(super) id: Id,
    pub(super) open: bool,
    pub(super) begin: Moment,
    pub(super) end: Option<Moment>,
}

/// Writes one note into the files of its type.
pub(super) fn inquiry_to(pages: &mut Pages<'_, '_, '_>, inquiry: &Inquiry) -> io::Result<()> {
    pages.element("kenmerkInOnderzoek>", |text| inquiry.write(text))
}

/// The feature that is looked into, and the name of the type as elements have it.
fn feature(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::OpenbareRuimte => ("naam", "Openbareruimte"),
        Kind::Nummeraanduiding => ("postcode", "Nummeraanduiding"),
        Kind::Verblijfsobject => ("oppervlakte", "Verblijfsobject"),
        Kind::Pand => ("oorspronkelijk bouwjaar", "Pand"),
        Kind::Ligplaats => ("geometrie", "Ligplaats"),
        Kind::Standplaats => ("geometrie", "Standplaats"),
        Kind::Woonplaats => ("naam", "Woonplaats"),
    }
}

impl Inquiry {
    /// Writes what stands in an element `kenmerkInOnderzoek`.
    pub(super) fn write(&self, text: &mut Text<'_>) {
        let (feature, element) = feature(self.id.kind);
        text.raw("<KenmerkInOnderzoek:Kenmerk")
            .raw(element)
            .raw("InOnderzoek><KenmerkInOnderzoek:kenmerk>")
            .raw(feature);
        text.raw("</KenmerkInOnderzoek:kenmerk><KenmerkInOnderzoek:identificatieVan")
            .raw(element)
            .raw(" domein=\"")
            .raw(domain(self.id.kind))
            .raw("\">");
        text.id(self.id)
            .raw("</KenmerkInOnderzoek:identificatieVan")
            .raw(element)
            .raw("><KenmerkInOnderzoek:inOnderzoek>");
        text.raw(if self.open { "J" } else { "N" })
            .raw("</KenmerkInOnderzoek:inOnderzoek><KenmerkInOnderzoek:documentdatum>")
            .day(self.begin.day);
        text.raw("</KenmerkInOnderzoek:documentdatum><KenmerkInOnderzoek:documentnummer>")
            .document_number(self.id.number);
        text.raw("</KenmerkInOnderzoek:documentnummer><KenmerkInOnderzoek:historieInOnderzoek><Historie:HistorieInOnderzoek><Historie:tijdstipRegistratie>");
        self.history(text);
        text.raw("</Historie:HistorieInOnderzoek></KenmerkInOnderzoek:historieInOnderzoek></KenmerkInOnderzoek:Kenmerk");
        text.raw(element).raw("InOnderzoek>");
    }

    fn history(&self, text: &mut Text<'_>) {
        text.moment(self.begin)
            .raw("</Historie:tijdstipRegistratie>");
        if let Some(end) = self.end {
            text.raw("<Historie:eindRegistratie>")
                .moment(end)
                .raw("</Historie:eindRegistratie>");
        }
        text.raw("<Historie:beginGeldigheid>")
            .day(self.begin.day)
            .raw("</Historie:beginGeldigheid>");
        if let Some(end) = self.end {
            text.raw("<Historie:eindGeldigheid>")
                .day(end.day)
                .raw("</Historie:eindGeldigheid>");
        }
        text.raw("<Historie:BeschikbaarLVInOnderzoek><Historie:tijdstipRegistratieLV>")
            .moment(self.begin)
            .raw("</Historie:tijdstipRegistratieLV>");
        if let Some(end) = self.end {
            text.raw("<Historie:tijdstipEindRegistratieLV>")
                .moment(end)
                .raw("</Historie:tijdstipEindRegistratieLV>");
        }
        text.raw("</Historie:BeschikbaarLVInOnderzoek>");
    }
}

/// Whether a ligplaats or standplaats belongs to this part.
pub(super) fn is_of(part: Part, id: Id) -> bool {
    (part == Part::Ligplaats) == (id.kind == Kind::Ligplaats)
}
