//! Writes the XML of the table of woonplaatsen and municipalities.
//!
//! Source: BagvsGemeenteWoonplaatsRelatieProduct-2.1.0.xsd (v20200601), and real deliveries.

use super::text::XmlText;
use crate::calendar::DayOffset;
use crate::woonplaatsen::RelationRow;

const HEAD: &str = r#"<gwr-bestand:BAG-GWR-Deelbestand-LVC xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:gwr-bestand="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:bagtypes="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/bag-types/v20200601" xmlns:gwr-product="www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-producten-lvc/v20200601" xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/gem-wpl-rel/gwr-deelbestand-lvc/v20200601/BagvsGwrDeelbestandLvc-2.1.0.xsd">
  <gwr-bestand:SelectieGegevens>
    <selecties-extract:StandTechnischeDatum>"#;

/// The comment before the root element, in UTF-8. As in real files, it is long and has letters beyond ASCII.
const COMMENT: &str = "<!-- Disclaimer:\n\
    Dit bestand hoort bij een verzonnen levering. De gemeenten bestaan, de woonplaatsen en alle adressen daarin zijn verzonnen. \n\
    Het bestand heeft uitsluitend tot doel de relatie tussen woonplaats en gemeente te leggen bij het verwerken van deze levering. De gemeente is géén \
    onderdeel van de registratie; hier staan alléén codes, zonder namen, met hun hele geschiedenis en met wat al van de toekomst bekend is. \n\
    Een regel die in de toekomst begint, staat naast de regel die dan eindigt: wie alléén naar regels zonder einddatum kijkt, leest de indeling van morgen. \n -->";

/// Writes the file of the table of woonplaatsen and municipalities.
pub(crate) fn write_relations(rows: &[RelationRow], stand: DayOffset, text: &mut XmlText<'_>) {
    text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        .raw(COMMENT)
        .raw(HEAD)
        .day(stand);
    text.raw("</selecties-extract:StandTechnischeDatum>\n  </gwr-bestand:SelectieGegevens>\n  <gwr-bestand:Product>\n");
    text.raw("    <gwr-product:GemeenteWoonplaatsRelatieProduct>");
    rows.iter().for_each(|row| write_row(text, row));
    text.raw("</gwr-product:GemeenteWoonplaatsRelatieProduct>\n  </gwr-bestand:Product>\n</gwr-bestand:BAG-GWR-Deelbestand-LVC>");
}

fn write_row(text: &mut XmlText<'_>, row: &RelationRow) {
    text.raw("<gwr-product:GemeenteWoonplaatsRelatie><gwr-product:tijdvakgeldigheid><bagtypes:begindatumTijdvakGeldigheid>").day(row.begin);
    text.raw("</bagtypes:begindatumTijdvakGeldigheid>");
    if let Some(end) = row.end {
        text.raw("<bagtypes:einddatumTijdvakGeldigheid>")
            .day(end)
            .raw("</bagtypes:einddatumTijdvakGeldigheid>");
    }
    text.raw("</gwr-product:tijdvakgeldigheid><gwr-product:gerelateerdeWoonplaats><gwr-product:identificatie>").digits(u64::from(row.woonplaats), 4);
    text.raw("</gwr-product:identificatie></gwr-product:gerelateerdeWoonplaats><gwr-product:gerelateerdeGemeente><gwr-product:identificatie>");
    text.digits(u64::from(row.municipality), 4)
        .raw("</gwr-product:identificatie></gwr-product:gerelateerdeGemeente><gwr-product:status>");
    text.raw(row.status)
        .raw("</gwr-product:status></gwr-product:GemeenteWoonplaatsRelatie>");
}
