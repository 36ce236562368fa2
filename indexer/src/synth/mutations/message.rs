//! One daily delivery: its covering document, the table of municipalities, and the groups, sorted by type.
//!
//! Source: the real delivery of 13-11-2021, whose names, levels and headers this follows.

use super::editor::{Group, Mutation};
use super::notes::Noted;
use super::register::Register;
use super::run::{Told, has_notes};
use crate::synth::archive::Folder;
use crate::synth::aside::Inquiry;
use crate::synth::calendar::Day;
use crate::synth::country::Country;
use crate::synth::delivery::{Part, date_of, time_of, write_relations};
use crate::synth::facts::Version;
use crate::synth::objects;
use crate::synth::record::Id;
use crate::synth::text::Text;
use std::io::{self, Write};

/// Groups in one XML file of a real delivery.
const GROUPS_A_FILE: usize = 10_000;
/// Text is handed on to the zip in pieces of about this many bytes.
const PIECE: usize = 1 << 16;

const ROOT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<mlm:bagMutaties xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ml="http://www.kadaster.nl/schemas/mutatielevering-generiek/1.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:selecties-extract="http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601" xmlns:mlm="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601" xmlns:nen5825="www.kadaster.nl/schemas/lvbag/imbag/nen5825/v20200601" xmlns:KenmerkInOnderzoek="www.kadaster.nl/schemas/lvbag/imbag/kenmerkinonderzoek/v20200601" xmlns:DatatypenNEN3610="www.kadaster.nl/schemas/lvbag/imbag/datatypennen3610/v20200601" xmlns:Historie="www.kadaster.nl/schemas/lvbag/imbag/historie/v20200601" xmlns:Objecten="www.kadaster.nl/schemas/lvbag/imbag/objecten/v20200601" xmlns:Objecten-ref="www.kadaster.nl/schemas/lvbag/imbag/objecten-ref/v20200601" xsi:schemaLocation="http://www.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601 https://developer.kadaster.nl/schemas/lvbag/extract-deelbestand-mutaties-lvc/v20200601/BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd">
  <mlm:bagInfo>
    <selecties-extract:Gebied-Registratief>
      <selecties-extract:Gebied-NLD />
    </selecties-extract:Gebied-Registratief>
"#;

/// The types in the order of the real delivery; on some days another one, in which references are broken the other way round.
const ORDER: [Part; 7] = [
    Part::Woonplaats,
    Part::OpenbareRuimte,
    Part::Pand,
    Part::Nummeraanduiding,
    Part::Verblijfsobject,
    Part::Ligplaats,
    Part::Standplaats,
];
const OTHER_ORDER: [Part; 7] = [
    Part::Standplaats,
    Part::Verblijfsobject,
    Part::Nummeraanduiding,
    Part::Ligplaats,
    Part::Pand,
    Part::OpenbareRuimte,
    Part::Woonplaats,
];

/// One daily delivery.
pub(super) struct Message<'a, 'c> {
    pub(super) country: &'a Country<'c>,
    /// As it stands when the day is over.
    pub(super) register: &'a Register,
    /// What was registered on it.
    pub(super) told: Told,
}

impl Message<'_, '_> {
    /// Writes the delivery; how many bytes of XML it has.
    pub(super) fn write(mut self, out: &mut dyn Write) -> io::Result<u64> {
        let (day, order) = (self.register.day, self.order());
        self.told
            .groups
            .sort_by_key(|group| place(&order, group.id));
        let mut root = Folder::new(out, time_of(self.country, self.to()));
        let mut bytes = self.file(
            &mut root,
            "Leveringsdocument-BAG-Extract.xml",
            Self::covering,
        )?;
        if day % 6 == 3 {
            bytes += self.file(
                &mut root,
                "__MACOSX/._Leveringsdocument-BAG-Extract.xml",
                |_, text| {
                    text.raw("\0\x05\x16\x07 Mac OS X");
                },
            )?;
        }
        bytes += self.relations(&mut root)?;
        let period = self.period();
        bytes += root.folder(&format!("9999MUT{period}.zip"), |folder| {
            self.mutations(folder, &order)
        })?;
        if has_notes(day) {
            bytes += root.folder(&format!("9999IOMUT{period}.zip"), |folder| {
                self.notes(folder)
            })?;
        }
        root.close()?;
        Ok(bytes)
    }

    fn order(&self) -> [Part; 7] {
        if self.register.day % 4 == 3 {
            OTHER_ORDER
        } else {
            ORDER
        }
    }

    fn from(&self) -> Day {
        Day(self.register.day - 1)
    }

    fn to(&self) -> Day {
        self.register.stand()
    }

    /// As in file names.
    fn period(&self) -> String {
        let [from, to] = [self.from(), self.to()].map(|day| date_of(self.country, day));
        format!("{from}-{to}")
    }

    /// The table as it stands: mostly in a zip, on some days bare, on some not at all.
    fn relations(&self, root: &mut Folder<'_>) -> io::Result<u64> {
        let name = format!("GEM-WPL-RELATIE-{}", date_of(self.country, self.to()));
        let fill = |_: &Self, text: &mut Text<'_>| {
            write_relations(&self.register.relations, self.to(), text);
        };
        let file = format!("{name}-000001.xml");
        match self.register.day % 6 {
            2 => Ok(0),
            3 => self.file(root, &file, fill),
            _ => root.folder(&format!("{name}.zip"), |folder| {
                self.file(folder, &file, fill)
            }),
        }
    }

    fn file(
        &self,
        folder: &mut Folder<'_>,
        name: &str,
        fill: impl FnOnce(&Self, &mut Text<'_>),
    ) -> io::Result<u64> {
        let mut text = Text::new(&self.country.calendar);
        fill(self, &mut text);
        folder.start_file(name)?;
        folder.write(&text.bytes)?;
        Ok(text.bytes.len() as u64)
    }

    /// The period, indented by so many spaces.
    fn extract(&self, text: &mut Text<'_>, indent: usize, step: usize) {
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

    fn covering(&self, text: &mut Text<'_>) {
        text.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xb:BAG-Extract-Levering xmlns:xb=\"http://www.kadaster.nl/schemas/lvbag/extract-levering/v20200601\"");
        text.raw(" xmlns:selecties-extract=\"http://www.kadaster.nl/schemas/lvbag/extract-selecties/v20200601\">\n    <xb:SelectieGegevens>\n        ");
        self.extract(text, 8, 4);
        text.raw("        <selecties-extract:Gebied-Registratief>\n            <selecties-extract:Gebied-NLD/>\n");
        text.raw("        </selecties-extract:Gebied-Registratief>\n    </xb:SelectieGegevens>\n    <xb:SchemaInfo>\n");
        text.raw("        <xb:naam>BagvsExtractDeelbestandMutatieLvc-2.1.0.xsd</xb:naam>\n        <xb:versie>20200601</xb:versie>\n    </xb:SchemaInfo>\n");
        text.raw("</xb:BAG-Extract-Levering>");
    }

    /// Up to the groups of a file.
    fn header(&self, text: &mut Text<'_>, types: &[&str]) {
        text.raw(ROOT).raw("    ");
        self.extract(text, 4, 2);
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

    fn mutations(&self, folder: &mut Folder<'_>, order: &[Part]) -> io::Result<u64> {
        let has = |part: &Part| {
            self.told
                .groups
                .iter()
                .any(|group| Part::of(group.id.kind) == *part)
        };
        let types: Vec<&str> = order
            .iter()
            .filter(|part| has(part))
            .map(|part| part.code())
            .collect();
        let stem = format!("9999MUT{}", self.period());
        let mut bytes = self.file(folder, &format!("{stem}-000001.xml"), |_, text| {
            self.header(text, &types);
            text.raw(END);
        })?;
        let mut text = Text::new(&self.country.calendar);
        let mut files: Vec<&[Group]> = self.told.groups.chunks(GROUPS_A_FILE).collect();
        // On an empty day there may be a file without groups, or none.
        if files.is_empty() && self.register.day % 2 == 0 {
            files.push(&[]);
        }
        for (groups, nth) in files.into_iter().zip(2..) {
            folder.start_file(&format!("{stem}-{nth:06}.xml"))?;
            self.header(&mut text, &[]);
            for group in groups {
                write_group(&mut text, group);
                if text.bytes.len() >= PIECE {
                    bytes += hand_on(folder, &mut text)?;
                }
            }
            text.raw(END);
            bytes += hand_on(folder, &mut text)?;
        }
        Ok(bytes)
    }

    fn notes(&self, folder: &mut Folder<'_>) -> io::Result<u64> {
        let stem = format!("9999IOMUT{}", self.period());
        let groups = &self.told.notes;
        let types = [
            "KenmerkPandInOnderzoek",
            "KenmerkVerblijfsobjectInOnderzoek",
        ];
        let types = if groups.is_empty() { &[][..] } else { &types };
        let head = self.file(folder, &format!("{stem}-000001.xml"), |_, text| {
            self.header(text, types);
            text.raw(END);
        })?;
        let rest = self.file(folder, &format!("{stem}-000002.xml"), |_, text| {
            self.header(text, &[]);
            groups.iter().for_each(|group| write_notes(text, group));
            text.raw(END);
        })?;
        Ok(head + rest)
    }
}

const END: &str = "\n  </ml:mutatieBericht>\n</mlm:bagMutaties>";

fn place(order: &[Part], id: Id) -> usize {
    let part = Part::of(id.kind);
    order
        .iter()
        .position(|&other| other == part)
        .unwrap_or(order.len())
}

fn hand_on(folder: &mut Folder<'_>, text: &mut Text<'_>) -> io::Result<u64> {
    folder.write(&text.bytes)?;
    let bytes = text.bytes.len() as u64;
    text.bytes.clear();
    Ok(bytes)
}

fn write_group(text: &mut Text<'_>, group: &Group) {
    text.raw("<ml:mutatieGroep>");
    for mutation in &group.mutations {
        match mutation {
            Mutation::Toevoeging(version) => {
                text.raw("<ml:toevoeging>");
                state(text, "wordt>", group.id, version);
                text.raw("</ml:toevoeging>");
            }
            Mutation::Wijziging(versions) => {
                text.raw("<ml:wijziging>");
                state(text, "was>", group.id, &versions[0]);
                state(text, "wordt>", group.id, &versions[1]);
                text.raw("</ml:wijziging>");
            }
            Mutation::Verwijdering(version) => {
                text.raw("<ml:verwijdering>");
                state(text, "was>", group.id, version);
                text.raw("</ml:verwijdering>");
            }
        }
    }
    text.raw("</ml:mutatieGroep>");
}

fn write_notes(text: &mut Text<'_>, group: &[Noted]) {
    text.raw("<ml:mutatieGroep>");
    for (was, wordt) in group {
        let name = if was.is_some() {
            "wijziging>"
        } else {
            "toevoeging>"
        };
        text.raw("<ml:").raw(name);
        if let Some(was) = was {
            noted(text, "was>", was);
        }
        noted(text, "wordt>", wordt);
        text.raw("</ml:").raw(name);
    }
    text.raw("</ml:mutatieGroep>");
}

fn noted(text: &mut Text<'_>, name: &str, inquiry: &Inquiry) {
    text.raw("<ml:").raw(name).raw("<mlm:kenmerkInOnderzoek>");
    inquiry.write(text);
    text.raw("</mlm:kenmerkInOnderzoek></ml:").raw(name);
}

fn state(text: &mut Text<'_>, name: &str, id: Id, version: &Version) {
    text.raw("<ml:").raw(name).raw("<mlm:bagObject>");
    objects::write(text, id, version);
    text.raw("</mlm:bagObject></ml:").raw(name);
}
