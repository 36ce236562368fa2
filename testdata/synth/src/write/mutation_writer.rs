//! Writes one daily delivery: its covering document, the table of woonplaatsen, and the mutation groups, sorted by type.
//!
//! Source: the real delivery of 13-11-2021. Names, nesting and headers follow that delivery.

use super::file_names::entry_time;
use crate::calendar::DayOffset;
use crate::days::{DayChanges, MutationElement, MutationGroup, has_onderzoek_part};
use crate::model::{
    Identificatie, OnderzoekChange, OnderzoekRecord, SynthObjectType, SynthVoorkomen,
};
use crate::plan::CountryPlan;
use crate::register::SynthRegister;
use crate::xml::{NestedZip, XmlText, write_object, write_onderzoek, write_relations};
use std::io::{self, Write};

/// The number of groups in one XML file of a real delivery.
const GROUPS_PER_FILE: usize = 10_000;
/// Approximate size of the pieces in which text is written to the zip, in bytes.
const PIECE: usize = 1 << 16;

const ROOT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<mlm:bagMutaties xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ml="http://www.kadaster.nl/schemas/mutatielevering-generiek/1.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:mlm="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601" xmlns:nen5825="www.kadaster.nl/schemas/lvbag/imbag/nen5825/v20200601" xmlns:KenmerkInOnderzoek="www.kadaster.nl/schemas/lvbag/imbag/kenmerkinonderzoek/v20200601" xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xmlns:Historie="www.kadaster.nl/schemas/lvbag/imbag/historie/v20200601" xmlns:Objecten="www.kadaster.nl/schemas/lvbag/imbag/objecten/v20200601" xmlns:Objecten-ref="www.kadaster.nl/schemas/lvbag/imbag/objecten-ref/v20200601" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601/BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd">
  <mlm:bagInfo>
    <selecties-extract:Gebied-Registratief>
      <selecties-extract:Gebied-NLD />
    </selecties-extract:Gebied-Registratief>
"#;

/// The types in the order of the real delivery.
const USUAL_ORDER: [SynthObjectType; 7] = [
    SynthObjectType::Woonplaats,
    SynthObjectType::OpenbareRuimte,
    SynthObjectType::Pand,
    SynthObjectType::Nummeraanduiding,
    SynthObjectType::Verblijfsobject,
    SynthObjectType::Ligplaats,
    SynthObjectType::Standplaats,
];
/// The order of the types on some days. Here most objects come before the objects to which they refer; in the usual order they come
/// after them.
const OTHER_ORDER: [SynthObjectType; 7] = [
    SynthObjectType::Standplaats,
    SynthObjectType::Verblijfsobject,
    SynthObjectType::Nummeraanduiding,
    SynthObjectType::Ligplaats,
    SynthObjectType::Pand,
    SynthObjectType::OpenbareRuimte,
    SynthObjectType::Woonplaats,
];

/// Writes one daily delivery.
pub(crate) struct MutationWriter<'a, 'c> {
    pub(crate) country: &'a CountryPlan<'c>,
    /// The register after the changes of the day.
    pub(crate) register: &'a SynthRegister,
    /// The changes of the day.
    pub(crate) changes: DayChanges,
}

impl MutationWriter<'_, '_> {
    /// Writes the delivery and returns the number of bytes of XML.
    pub(crate) fn write(mut self, out: &mut dyn Write) -> io::Result<u64> {
        let (day, order) = (self.register.day, self.order());
        self.changes
            .groups
            .sort_by_key(|group| position(&order, group.id));
        let mut root = NestedZip::new(out, entry_time(&self.country.calendar, self.to()));
        let mut bytes = self.write_file(
            &mut root,
            "Leveringsdocument-BAG-Extract.xml",
            Self::covering_document,
        )?;
        if day % 6 == 3 {
            bytes += self.write_file(
                &mut root,
                "__MACOSX/._Leveringsdocument-BAG-Extract.xml",
                |_, text| {
                    text.raw("\0\x05\x16\x07 Mac OS X");
                },
            )?;
        }
        bytes += self.write_relations_file(&mut root)?;
        let period = self.period();
        bytes += root.nested_zip(&format!("9999MUT{period}.zip"), |zip| {
            self.write_mutation_files(zip, &order)
        })?;
        if has_onderzoek_part(day) {
            bytes += root.nested_zip(&format!("9999IOMUT{period}.zip"), |zip| {
                self.write_onderzoek_files(zip)
            })?;
        }
        root.close()?;
        Ok(bytes)
    }

    fn order(&self) -> [SynthObjectType; 7] {
        if self.register.day % 4 == 3 {
            OTHER_ORDER
        } else {
            USUAL_ORDER
        }
    }

    fn from(&self) -> DayOffset {
        DayOffset(self.register.day - 1)
    }

    fn to(&self) -> DayOffset {
        self.register.stand()
    }

    /// The period in file names.
    fn period(&self) -> String {
        let [from, to] = [self.from(), self.to()].map(|day| self.country.calendar.file_date(day));
        format!("{from}-{to}")
    }

    /// Writes the table of woonplaatsen and municipalities. The table is usually in a zip, on some days a plain file, and on some
    /// days absent.
    fn write_relations_file(&self, root: &mut NestedZip<'_>) -> io::Result<u64> {
        let name = format!(
            "GEM-WPL-RELATIE-{}",
            self.country.calendar.file_date(self.to())
        );
        let fill = |_: &Self, text: &mut XmlText<'_>| {
            write_relations(&self.register.relations, self.to(), text);
        };
        let file = format!("{name}-000001.xml");
        match self.register.day % 6 {
            2 => Ok(0),
            3 => self.write_file(root, &file, fill),
            _ => root.nested_zip(&format!("{name}.zip"), |zip| {
                self.write_file(zip, &file, fill)
            }),
        }
    }

    /// Writes a file that fits in memory and returns its number of bytes.
    fn write_file(
        &self,
        zip: &mut NestedZip<'_>,
        name: &str,
        fill: impl FnOnce(&Self, &mut XmlText<'_>),
    ) -> io::Result<u64> {
        let mut text = XmlText::new(&self.country.calendar);
        fill(self, &mut text);
        zip.start_file(name)?;
        zip.write(&text.bytes)?;
        Ok(text.bytes.len() as u64)
    }

    /// Writes the element of the period, indented by `indent` spaces and by `step` more per level.
    fn write_period(&self, text: &mut XmlText<'_>, indent: usize, step: usize) {
        let line = |level: usize| format!("\n{:1$}", "", indent + level * step);
        text.raw("<selecties-extract:MUT-Extract>").raw(&line(1));
        text.raw("<selecties-extract:StandTechnischeDatum>")
            .day(self.to())
            .raw("</selecties-extract:StandTechnischeDatum>");
        text.raw(&line(1)).raw("<selecties-extract:Mutatieperiode>");
        text.raw(&line(2))
            .raw("<selecties-extract:MutatiedatumVanaf>")
            .day(self.from())
            .raw("</selecties-extract:MutatiedatumVanaf>");
        text.raw(&line(2))
            .raw("<selecties-extract:MutatiedatumTot>")
            .day(self.to())
            .raw("</selecties-extract:MutatiedatumTot>");
        text.raw(&line(1))
            .raw("</selecties-extract:Mutatieperiode>");
        text.raw(&line(0)).raw("</selecties-extract:MUT-Extract>\n");
    }

    fn covering_document(&self, text: &mut XmlText<'_>) {
        text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xb:BAG-Extract-Levering xmlns:xb=\"http://www.kadaster.nl/schemas/lvbag/extract-levering/v20200601\"");
        text.raw(" xmlns:selecties-extract=\"http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601\">\n    <xb:SelectieGegevens>\n        ");
        self.write_period(text, 8, 4);
        text.raw("        <selecties-extract:Gebied-Registratief>\n            <selecties-extract:Gebied-NLD/>\n");
        text.raw("        </selecties-extract:Gebied-Registratief>\n    </xb:SelectieGegevens>\n    <xb:SchemaInfo>\n");
        text.raw("        <xb:naam>BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd</xb:naam>\n        <xb:versie>20200601</xb:versie>\n    </xb:SchemaInfo>\n");
        text.raw("</xb:BAG-Extract-Levering>");
    }

    /// Writes the start of a file, up to its groups.
    fn write_header(&self, text: &mut XmlText<'_>, types: &[&str]) {
        text.raw(ROOT).raw("    ");
        self.write_period(text, 4, 2);
        text.raw("  </mlm:bagInfo>\n  <ml:mutatieBericht>\n    <ml:dataset>LVBAG</ml:dataset>\n    <ml:inhoud>\n      <ml:gebied>NEDERLAND</ml:gebied>\n");
        text.raw("      <ml:leveringsId>0000000001</ml:leveringsId>\n      ");
        if types.is_empty() {
            text.raw("<ml:objectTypen />");
        } else {
            text.raw("<ml:objectTypen>");
            for object_type in types {
                text.raw("\n        <ml:objectType>")
                    .raw(object_type)
                    .raw("</ml:objectType>");
            }
            text.raw("\n      </ml:objectTypen>");
        }
        text.raw("\n    </ml:inhoud>");
    }

    /// Writes the files of mutation groups.
    fn write_mutation_files(
        &self,
        zip: &mut NestedZip<'_>,
        order: &[SynthObjectType],
    ) -> io::Result<u64> {
        let has = |object_type: &SynthObjectType| {
            self.changes
                .groups
                .iter()
                .any(|group| group.id.object_type == *object_type)
        };
        let types: Vec<&str> = order
            .iter()
            .filter(|object_type| has(object_type))
            .map(|object_type| object_type.file_code())
            .collect();
        let stem = format!("9999MUT{}", self.period());
        let mut bytes = self.write_file(zip, &format!("{stem}-000001.xml"), |_, text| {
            self.write_header(text, &types);
            text.raw(END);
        })?;
        let mut text = XmlText::new(&self.country.calendar);
        let mut files: Vec<&[MutationGroup]> =
            self.changes.groups.chunks(GROUPS_PER_FILE).collect();
        // Without groups, an even day still gets a second file, and an odd day has only the first file.
        if files.is_empty() && self.register.day % 2 == 0 {
            files.push(&[]);
        }
        for (groups, nth) in files.into_iter().zip(2..) {
            zip.start_file(&format!("{stem}-{nth:06}.xml"))?;
            self.write_header(&mut text, &[]);
            for group in groups {
                write_group(&mut text, group);
                if text.bytes.len() >= PIECE {
                    bytes += flush(zip, &mut text)?;
                }
            }
            text.raw(END);
            bytes += flush(zip, &mut text)?;
        }
        Ok(bytes)
    }

    /// Writes the files of investigations.
    fn write_onderzoek_files(&self, zip: &mut NestedZip<'_>) -> io::Result<u64> {
        let stem = format!("9999IOMUT{}", self.period());
        let groups = &self.changes.onderzoek;
        let types = [
            "KenmerkPandInOnderzoek",
            "KenmerkVerblijfsobjectInOnderzoek",
        ];
        let types = if groups.is_empty() { &[][..] } else { &types };
        let head = self.write_file(zip, &format!("{stem}-000001.xml"), |_, text| {
            self.write_header(text, types);
            text.raw(END);
        })?;
        let rest = self.write_file(zip, &format!("{stem}-000002.xml"), |_, text| {
            self.write_header(text, &[]);
            groups
                .iter()
                .for_each(|group| write_onderzoek_group(text, group));
            text.raw(END);
        })?;
        Ok(head + rest)
    }
}

const END: &str = "\n  </ml:mutatieBericht>\n</mlm:bagMutaties>";

fn position(order: &[SynthObjectType], id: Identificatie) -> usize {
    let object_type = id.object_type;
    order
        .iter()
        .position(|&other| other == object_type)
        .unwrap_or(order.len())
}

fn flush(zip: &mut NestedZip<'_>, text: &mut XmlText<'_>) -> io::Result<u64> {
    zip.write(&text.bytes)?;
    let bytes = text.bytes.len() as u64;
    text.bytes.clear();
    Ok(bytes)
}

fn write_group(text: &mut XmlText<'_>, group: &MutationGroup) {
    text.raw("<ml:mutatieGroep>");
    for mutation in &group.mutations {
        match mutation {
            MutationElement::Toevoeging(voorkomen) => {
                text.raw("<ml:toevoeging>");
                state(text, "wordt>", group.id, voorkomen);
                text.raw("</ml:toevoeging>");
            }
            MutationElement::Wijziging(voorkomens) => {
                text.raw("<ml:wijziging>");
                state(text, "was>", group.id, &voorkomens[0]);
                state(text, "wordt>", group.id, &voorkomens[1]);
                text.raw("</ml:wijziging>");
            }
            MutationElement::Verwijdering(voorkomen) => {
                text.raw("<ml:verwijdering>");
                state(text, "was>", group.id, voorkomen);
                text.raw("</ml:verwijdering>");
            }
        }
    }
    text.raw("</ml:mutatieGroep>");
}

fn write_onderzoek_group(text: &mut XmlText<'_>, group: &[OnderzoekChange]) {
    text.raw("<ml:mutatieGroep>");
    for (was, wordt) in group {
        let name = if was.is_some() {
            "wijziging>"
        } else {
            "toevoeging>"
        };
        text.raw("<ml:").raw(name);
        if let Some(was) = was {
            onderzoek_state(text, "was>", was);
        }
        onderzoek_state(text, "wordt>", wordt);
        text.raw("</ml:").raw(name);
    }
    text.raw("</ml:mutatieGroep>");
}

fn onderzoek_state(text: &mut XmlText<'_>, name: &str, record: &OnderzoekRecord) {
    text.raw("<ml:").raw(name).raw("<mlm:kenmerkInOnderzoek>");
    write_onderzoek(text, record);
    text.raw("</mlm:kenmerkInOnderzoek></ml:").raw(name);
}

fn state(text: &mut XmlText<'_>, name: &str, id: Identificatie, voorkomen: &SynthVoorkomen) {
    text.raw("<ml:").raw(name).raw("<mlm:bagObject>");
    write_object(text, id, voorkomen);
    text.raw("</mlm:bagObject></ml:").raw(name);
}
