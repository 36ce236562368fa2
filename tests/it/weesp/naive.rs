//! Reads a delivery a second time without the indexer: unpacks it to memory, splits it by text search, and joins it in maps of
//! plain strings. It is slow and simple, so that a reader can check it against the format.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

/// One voorkomen as plain text. Dates are compared as texts.
pub(crate) struct Version {
    pub(crate) number: u32,
    pub(crate) begin: String,
    /// The last day of the period; empty if the period is open.
    pub(crate) end: String,
    pub(crate) annulled: bool,
    /// The content of the object's XML element.
    pub(crate) xml: String,
}

/// All versions of all objects, by element name and id, and the rows of the gemeente-woonplaats table.
pub(crate) struct NaiveRegister {
    pub(crate) stand: String,
    objects: BTreeMap<&'static str, BTreeMap<String, Vec<Version>>>,
    /// Rows of woonplaats, gemeente, begin and end.
    pub(crate) relations: Vec<[String; 4]>,
}

pub(crate) const ELEMENTS: [&str; 7] = [
    "Woonplaats", "OpenbareRuimte", "Nummeraanduiding", "Verblijfsobject", "Ligplaats",
    "Standplaats", "Pand",
];

impl NaiveRegister {
    pub(crate) fn read(delivery: Vec<u8>) -> Self {
        let mut documents = BTreeMap::new();
        unpack(delivery, &mut documents);
        let header = &documents["Leveringsdocument-BAG-Extract.xml"];
        let mut naive = Self {
            stand: first(header, "selecties-extract:StandTechnischeDatum"),
            objects: BTreeMap::new(),
            relations: Vec::new(),
        };
        for text in documents.values() {
            for element in ELEMENTS {
                for xml in cut(text, &format!("Objecten:{element}")) {
                    let id = first(xml, "Objecten:identificatie");
                    let of_element = naive.objects.entry(element).or_default();
                    of_element.entry(id).or_default().push(version(xml));
                }
            }
            for row in cut(text, "gwr-product:GemeenteWoonplaatsRelatie") {
                let codes = cut(row, "gwr-product:identificatie");
                let [begin, end] = ["begin", "eind"]
                    .map(|which| first(row, &format!("bagtypes:{which}datumTijdvakGeldigheid")));
                let row = [codes[0].to_owned(), codes[1].to_owned(), begin, end];
                naive.relations.push(row);
            }
        }
        naive
    }

    /// Every object of a type with all its versions.
    pub(crate) fn all(&self, element: &str) -> impl Iterator<Item = (&str, &[Version])> {
        let of_element = self.objects.get(element).into_iter().flatten();
        of_element.map(|(id, versions)| (id.as_str(), versions.as_slice()))
    }

    /// The content of an object's element on the stand date.
    pub(crate) fn now(&self, element: &str, id: &str) -> Option<&str> {
        let versions = self.objects.get(element)?.get(id)?.iter();
        let holding = versions.filter(|version| {
            let open = version.end.is_empty() || self.stand < version.end;
            !version.annulled && version.begin <= self.stand && open
        });
        let last = holding.max_by_key(|version| version.number)?;
        Some(&last.xml)
    }

    /// The versions of an object that are valid on the stand date or later, ordered by number.
    pub(crate) fn lasting<'a>(&self, versions: &'a [Version]) -> Vec<&'a Version> {
        let lasts = |version: &&Version| {
            let end = &version.end;
            !version.annulled && (end.is_empty() || *end > self.stand && *end > version.begin)
        };
        let mut lasting: Vec<&Version> = versions.iter().filter(lasts).collect();
        lasting.sort_by_key(|version| version.number);
        lasting
    }
}

fn version(xml: &str) -> Version {
    let history = cut(xml, "Historie:Voorkomen")[0];
    let ends = [
        "tijdstipInactief", "tijdstipInactiefLV", "tijdstipNietBagLV",
    ];
    Version {
        number: first(history, "Historie:voorkomenidentificatie")
            .parse()
            .expect("a number"),
        begin: first(history, "Historie:beginGeldigheid"),
        end: first(history, "Historie:eindGeldigheid"),
        annulled: ends
            .iter()
            .any(|end| !cut(history, &format!("Historie:{end}")).is_empty()),
        xml: xml.to_owned(),
    }
}

/// Unpacks every document by its name, except documents that never contain an address.
pub(crate) fn unpack(bytes: Vec<u8>, into: &mut BTreeMap<String, String>) {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a zip archive");
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("an entry");
        let name = file.name().expect("a name").into_owned();
        let ignored = ["__MACOSX", "InOnderzoek", "Inactief", "NietBag"];
        if ignored.iter().any(|part| name.contains(part)) {
            continue;
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).expect("a sound entry");
        if name.ends_with(".zip") {
            unpack(content, into);
        } else if name.ends_with(".xml") {
            let text = String::from_utf8(content).expect("UTF-8");
            into.insert(name, without_comments(&text));
        }
    }
}

fn without_comments(text: &str) -> String {
    let mut pieces = text.split("<!--");
    let before = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(before, |kept, piece| {
        kept + piece.split_once("-->").expect("a closed comment").1
    })
}

/// The content of every element with this name, in order. An element must not contain another element of the same name.
pub(crate) fn cut<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    cut_one_by_one(text, name).collect()
}

fn cut_one_by_one<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(at) = rest.find(&open) {
            rest = &rest[at + open.len()..];
            if rest.starts_with(['>', ' ']) {
                let start = rest.find('>').expect("a closed tag") + 1;
                let end = rest.find(&close).expect("a closed element");
                let found = rest[start..end].trim();
                rest = &rest[end..];
                return Some(found);
            }
        }
        None
    })
}

/// The text of every element with this name.
pub(crate) fn texts(xml: &str, name: &str) -> Vec<String> {
    cut(xml, name).into_iter().map(decoded).collect()
}

/// The text of the first element with this name; empty if there is none.
pub(crate) fn first(xml: &str, name: &str) -> String {
    cut_one_by_one(xml, name)
        .next()
        .map_or(String::new(), decoded)
}

fn decoded(text: &str) -> String {
    let mut pieces = text.split('&');
    let before = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(before, |mut decoded, piece| {
        let (name, rest) = piece.split_once(';').expect("a closed reference");
        decoded.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "apos" => '\'',
            "quot" => '"',
            number => character(number),
        });
        decoded + rest
    })
}

fn character(reference: &str) -> char {
    let number = reference.strip_prefix('#').expect("a known reference");
    let code = match number.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    code.ok().and_then(char::from_u32).expect("a character")
}
