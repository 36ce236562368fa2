//! Keeps the register of a day as plain text, independently of the indexer. Applies mutation deliveries version by version, and
//! packs the extract of any day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use zip::CompressionMethod;

use crate::delivery::{Archive, Content, header};
use crate::weesp::naive::{ELEMENTS, cut, first, unpack};

/// The element of each version, by element name, object id and voorkomenidentificatie.
type Versions = BTreeMap<(&'static str, String, String), String>;

pub(crate) struct State {
    versions: Versions,
    relations: String,
}

impl State {
    pub(crate) fn read(extract: Vec<u8>) -> Self {
        let mut documents = BTreeMap::new();
        unpack(extract, &mut documents);
        let mut state = Self {
            versions: BTreeMap::new(),
            relations: String::new(),
        };
        for text in documents.values() {
            state.put(text);
        }
        state.take_relations(&documents);
        state
    }

    /// Applies a mutation delivery.
    pub(crate) fn apply(&mut self, mutations: Vec<u8>) {
        let mut documents = BTreeMap::new();
        unpack(mutations, &mut documents);
        for text in documents.values() {
            for group in cut(text, "ml:mutatieGroep") {
                for was in cut(group, "ml:was") {
                    for (key, _) in versions(was) {
                        self.versions.remove(&key);
                    }
                }
                for is in cut(group, "ml:wordt") {
                    self.put(is);
                }
            }
        }
        self.take_relations(&documents);
    }

    fn put(&mut self, text: &str) {
        for (key, xml) in versions(text) {
            self.versions.insert(key, xml.to_owned());
        }
    }

    fn take_relations(&mut self, documents: &BTreeMap<String, String>) {
        let relations = |name: &str| name.starts_with("GEM-WPL-RELATIE");
        if let Some((_, text)) = documents.iter().find(|(name, _)| relations(name)) {
            self.relations.clone_from(text);
        }
    }

    /// Packs a delivery of this stand with the whole register.
    pub(crate) fn extract(&self, stand: Date, area: &str) -> Vec<u8> {
        let stored = CompressionMethod::Stored;
        let day = stand.strftime("%d%m%Y");
        let dated = header(area).replace("2021-09-15", &stand.to_string());
        let mut entries = vec![
            (
                "Leveringsdocument-BAG-Extract.xml".to_owned(),
                Content::File(dated.into()),
            ),
            (
                format!("GEM-WPL-RELATIE-{day}-000001.xml"),
                Content::File(self.relations.clone().into()),
            ),
        ];
        for (element, letters) in ELEMENTS.iter().zip(LETTERS) {
            let name = format!("9999{letters}{day}");
            let inner = Archive(vec![(
                format!("{name}-000001.xml"),
                Content::Packed(self.document(element, stand).into()),
            )]);
            entries.push((format!("{name}.zip"), Content::Archive(inner, stored)));
        }
        Archive(entries).pack()
    }

    fn document(&self, element: &'static str, stand: Date) -> String {
        let mut text = format!(
            "<b:bagStand xmlns:b=\"b\"><b:bagInfo><s:LVC-Extract><s:StandTechnischeDatum>{stand}</s:StandTechnischeDatum>\
             </s:LVC-Extract></b:bagInfo><sl:standBestand>"
        );
        for ((of, ..), xml) in &self.versions {
            if *of == element {
                text += &format!(
                    "<sl:stand><b:bagObject><O:{element}>{xml}</O:{element}></b:bagObject></sl:stand>"
                );
            }
        }
        text + "</sl:standBestand></b:bagStand>"
    }
}

const LETTERS: [&str; 7] = ["WPL", "OPR", "NUM", "VBO", "LIG", "STA", "PND"];

fn versions(text: &str) -> impl Iterator<Item = ((&'static str, String, String), &str)> {
    ELEMENTS.iter().flat_map(move |&element| {
        cut(text, &format!("Objecten:{element}"))
            .into_iter()
            .map(move |xml| {
                let id = first(xml, "Objecten:identificatie");
                let number = first(xml, "Historie:voorkomenidentificatie");
                ((element, id, number), xml)
            })
    })
}
