//! Joins addresses from the objects of [`naive`](super::naive), and records why some are omitted. Source: decisions.md, section
//! Addresses.

use std::collections::BTreeMap;

use super::geodesy::{Place, place};
use super::naive::{NaiveRegister, first, texts};

/// An address as plain text. An absent field is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) postcode: String,
    pub(super) number: String,
    pub(super) letter: String,
    pub(super) addition: String,
    pub(super) street_id: String,
    pub(super) street: String,
    pub(super) city: String,
    pub(super) municipality: String,
    pub(super) province: String,
    pub(super) purposes: Vec<String>,
    pub(super) surface_m2: String,
    pub(super) construction_year: String,
    pub(super) kind: String,
    pub(super) planned: bool,
}

pub(super) struct Joined {
    pub(super) rows: BTreeMap<String, (Row, Place)>,
    pub(super) without_postcode: Vec<String>,
    pub(super) withdrawn: Vec<String>,
    pub(super) without_object: Vec<String>,
}

/// An object that exists on the stand date.
struct LiveObject<'a> {
    id: &'a str,
    kind: &'static str,
    xml: &'a str,
}

const DEAD: [&str; 4] = [
    "Niet gerealiseerd verblijfsobject",
    "Verblijfsobject ingetrokken",
    "Verblijfsobject ten onrechte opgevoerd",
    "Plaats ingetrokken",
];

pub(super) fn join(naive: &NaiveRegister, municipalities: &str) -> Joined {
    let mut live: BTreeMap<String, Vec<LiveObject<'_>>> = BTreeMap::new();
    for (element, kind) in [
        ("Verblijfsobject", "verblijfsobject"),
        ("Ligplaats", "ligplaats"),
        ("Standplaats", "standplaats"),
    ] {
        for (id, _) in naive.all(element) {
            let now = naive.now(element, id);
            let alive = |xml: &&str| !DEAD.contains(&&*first(xml, "Objecten:status"));
            let Some(xml) = now.filter(alive) else {
                continue;
            };
            for named in texts(xml, "Objecten-ref:NummeraanduidingRef") {
                live.entry(named)
                    .or_default()
                    .push(LiveObject { id, kind, xml });
            }
        }
    }
    let mut joined = Joined {
        rows: BTreeMap::new(),
        without_postcode: Vec::new(),
        withdrawn: Vec::new(),
        without_object: Vec::new(),
    };
    let mut municipalities = Municipalities {
        naive,
        table: municipalities,
        of_towns: BTreeMap::new(),
    };
    for (id, _) in naive.all("Nummeraanduiding") {
        let Some(num) = naive.now("Nummeraanduiding", id) else {
            continue;
        };
        let issued = first(num, "Objecten:status") == "Naamgeving uitgegeven";
        let chosen = live
            .get(id)
            .and_then(|objects| objects.iter().min_by_key(preference));
        match chosen {
            Some(_) if !issued => joined.withdrawn.push(id.to_owned()),
            None if issued => joined.without_object.push(id.to_owned()),
            Some(_) if first(num, "Objecten:postcode").is_empty() => {
                joined.without_postcode.push(id.to_owned())
            }
            Some(object) => {
                let row = row(naive, &mut municipalities, id, num, object);
                joined.rows.insert(id.to_owned(), (row, place(object.xml)));
            }
            None => {}
        }
    }
    joined
}

fn preference<'a>(object: &&'a LiveObject<'_>) -> (bool, bool, &'a str) {
    let dwelling = texts(object.xml, "Objecten:gebruiksdoel").contains(&"woonfunctie".to_owned());
    (is_planned(object.xml), !dwelling, object.id)
}

fn is_planned(xml: &str) -> bool {
    first(xml, "Objecten:status") == "Verblijfsobject gevormd"
}

fn row(
    naive: &NaiveRegister,
    municipalities: &mut Municipalities<'_>,
    id: &str,
    num: &str,
    object: &LiveObject<'_>,
) -> Row {
    let street_id = first(num, "Objecten-ref:OpenbareRuimteRef");
    let street = naive.now("OpenbareRuimte", &street_id).expect("a street");
    let own = first(num, "Objecten-ref:WoonplaatsRef");
    let town_id = if own.is_empty() {
        first(street, "Objecten-ref:WoonplaatsRef")
    } else {
        own
    };
    let town = naive.now("Woonplaats", &town_id).expect("a town");
    let [municipality, province] = municipalities.look_up(&town_id);
    let surface_m2 = first(object.xml, "Objecten:oppervlakte");
    Row {
        id: id.to_owned(),
        postcode: first(num, "Objecten:postcode"),
        number: first(num, "Objecten:huisnummer"),
        letter: first(num, "Objecten:huisletter"),
        addition: first(num, "Objecten:huisnummertoevoeging"),
        street_id,
        street: first(street, "Objecten:naam"),
        city: first(town, "Objecten:naam"),
        municipality,
        province,
        purposes: texts(object.xml, "Objecten:gebruiksdoel"),
        surface_m2: if surface_m2 == "999999" {
            String::new()
        } else {
            surface_m2
        },
        construction_year: construction_year(naive, object.xml),
        kind: object.kind.to_owned(),
        planned: is_planned(object.xml),
    }
}

fn construction_year(naive: &NaiveRegister, object: &str) -> String {
    let panden = texts(object, "Objecten-ref:PandRef");
    let standing = panden
        .iter()
        .filter_map(|id| naive.now("Pand", id))
        .filter(|pand| {
            let status = first(pand, "Objecten:status");
            ![
                "Niet gerealiseerd pand",
                "Pand gesloopt",
                "Pand ten onrechte opgevoerd",
            ]
            .contains(&&*status)
        });
    let years = standing.map(|pand| first(pand, "Objecten:oorspronkelijkBouwjaar"));
    years
        .filter(|year| year != "9999")
        .min()
        .unwrap_or_default()
}

/// Looks up the municipality of each town only once.
struct Municipalities<'a> {
    naive: &'a NaiveRegister,
    table: &'a str,
    of_towns: BTreeMap<String, [String; 2]>,
}

impl Municipalities<'_> {
    fn look_up(&mut self, town: &str) -> [String; 2] {
        if let Some(known) = self.of_towns.get(town) {
            return known.clone();
        }
        let found = municipality(self.naive, self.table, town);
        self.of_towns.insert(town.to_owned(), found.clone());
        found
    }
}

/// The name and province of a town's municipality, from the table
/// `provinciecode;provincienaam;gemeentecode;gemeentenaam;begindatum;einddatum`.
fn municipality(naive: &NaiveRegister, table: &str, town: &str) -> [String; 2] {
    let holds =
        |begin: &str, end: &str| begin <= &*naive.stand && (end.is_empty() || &*naive.stand < end);
    let mut codes = naive
        .relations
        .iter()
        .filter(|[woonplaats, _, begin, end]| woonplaats == town && holds(begin, end));
    let (Some([_, code, ..]), None) = (codes.next(), codes.next()) else {
        panic!("town {town} is not in one municipality");
    };
    let lines = table
        .lines()
        .map(|line| line.split(';').collect::<Vec<_>>());
    let mut found = lines.filter(|line| line[2] == code && holds(line[4], line[5]));
    let line = found.next().expect("a known municipality");
    [line[3].to_owned(), line[1].to_owned()]
}
