//! Lists Dutch word parts for names of towns and streets. They are ordinary nouns: no names of persons, and no list of existing
//! places.

/// First parts of town names.
pub(crate) const TOWN_STEMS: [&str; 64] = [
    "Linde", "Berken", "Hazel", "Wilgen", "Elzen", "Olmen", "Vlier", "Meidoorn", "Brem", "Heide",
    "Varen", "Riet", "Biezen", "Klaver", "Gerst", "Haver", "Rogge", "Vlas", "Hop", "Appel",
    "Peren", "Kersen", "Noten", "Eikel", "Zwaluwen", "Reiger", "Kievit", "Wulpen", "Kraaien",
    "Valken", "Haviks", "Zwanen", "Otter", "Bever", "Vossen", "Dassen", "Hazen", "Herten",
    "Paarden", "Ossen", "Schapen", "Bijen", "Zalm", "Snoek", "Karper", "Leem", "Klei", "Zand",
    "Grind", "Turf", "Steen", "Zilver", "Koper", "Tichel", "Molen", "Sluis", "Haven", "Kerk",
    "Toren", "Brug", "Wallen", "Poort", "Markt", "Veer",
];

/// Last parts of town names.
pub(crate) const TOWN_ENDS: [&str; 40] = [
    "veen", "dorp", "wijk", "horst", "rade", "oord", "berg", "dal", "kamp", "laar", "loo", "burg",
    "dam", "dijk", "donk", "drecht", "geest", "hage", "ham", "heem", "hoek", "holt", "huizen",
    "kerke", "koog", "lo", "meer", "moer", "mond", "monde", "nes", "polder", "rijk", "schoten",
    "sluis", "stede", "terp", "voorde", "waard", "zijl",
];

/// Prefixes of some town names; the first is empty.
pub(crate) const TOWN_PREFIXES: [&str; 9] = [
    "", "Oud-", "Nieuw-", "Klein ", "Groot ", "'s-", "'t ", "Âld ", "Noord-",
];

/// First parts of street names: trees and plants, animals, water, land, buildings, trades, things, weather.
pub(crate) const STREET_STEMS: [&str; 219] = [
    "Linden", "Eiken", "Beuken", "Berken", "Kastanje", "Wilgen", "Populieren", "Iepen", "Essen",
    "Esdoorn", "Elzen", "Hazelaar", "Meidoorn", "Sleedoorn", "Vlier", "Lijsterbes", "Acacia",
    "Platanen", "Ceder", "Dennen", "Sparren", "Lariks", "Taxus", "Hulst", "Buxus", "Magnolia",
    "Seringen", "Rozen", "Tulpen", "Narcissen", "Hyacinten", "Krokussen", "Lelie", "Anjer",
    "Dahlia", "Asters", "Viooltjes", "Klaproos", "Korenbloem", "Boterbloem", "Margrieten",
    "Klaver", "Distel", "Brem", "Heide", "Varen", "Riet", "Biezen", "Lisdodde", "Waterlelie",
    "Appel", "Peren", "Pruimen", "Kersen", "Noten", "Druiven", "Bramen", "Frambozen", "Aardbeien",
    "Gerst", "Haver", "Rogge", "Tarwe", "Boekweit", "Vlas", "Hop", "Koolzaad", "Mosterd", "Merel",
    "Lijster", "Spreeuwen", "Mussen", "Vinken", "Mezen", "Zwaluw", "Leeuwerik", "Nachtegaal",
    "Koekoek", "Kievit", "Grutto", "Wulp", "Tureluur", "Scholekster", "Meeuwen", "Sterns",
    "Reiger", "Ooievaar", "Zwanen", "Ganzen", "Eenden", "Fuut", "Valken", "Havik", "Buizerd",
    "Uilen", "Specht", "Fazanten", "Patrijs", "Vossen", "Dassen", "Marter", "Otter", "Bever",
    "Egel", "Eekhoorn", "Hazen", "Konijnen", "Herten", "Ree", "Paarden", "Veulen", "Schapen",
    "Lammeren", "Bijen", "Vlinder", "Libel", "Krekel", "Zalm", "Snoek", "Karper", "Baars",
    "Paling", "Haring", "Schelpen", "Mossel", "Dorps", "Kerk", "Molen", "School", "Station",
    "Markt", "Haven", "Sluis", "Brug", "Toren", "Poort", "Wal", "Stads", "Raadhuis", "Klooster",
    "Kapel", "Abdij", "Hof", "Burcht", "Slot", "Boerderij", "Schuur", "Hooi", "Ploeg", "Eg",
    "Zeis", "Sikkel", "Wagen", "Kar", "Smidse", "Wever", "Kuiper", "Bakker", "Brouwer", "Molenaar",
    "Visser", "Schipper", "Turf", "Leem", "Klei", "Zand", "Grind", "Steen", "Tichel", "Zilver",
    "Koper", "IJzer", "Tin", "Glas", "Zout", "Peper", "Kaneel", "Saffraan", "Vuur", "Lantaarn",
    "Kompas", "Anker", "Zeil", "Mast", "Roer", "Boeg", "Loods", "Baken", "Noorder", "Ooster",
    "Zuider", "Wester", "Midden", "Ring", "Parallel", "Industrie", "Ambacht", "Sport", "Speel",
    "Zon", "Maan", "Sterren", "Regenboog", "Wolken", "Wind", "Storm", "Dauw", "Mist", "Sneeuw",
    "Zomer", "Winter", "Lente", "Herfst", "Morgen", "Avond", "Vrede", "Vrijheid", "Welvaart",
    "Eendracht",
];

/// Last parts of street names.
pub(crate) const STREET_ENDS: [&str; 26] = [
    "straat", "laan", "weg", "pad", "hof", "plein", "kade", "gracht", "singel", "dreef", "steeg",
    "dijk", "park", "erf", "plantsoen", "wal", "baan", "kamp", "veld", "akker", "ring", "hoek",
    "gaarde", "poort", "berg", "dwarsstraat",
];

/// Prefixes of one street name in eight.
pub(crate) const STREET_PREFIXES: [&str; 10] = [
    "Oude ", "Nieuwe ", "Korte ", "Lange ", "1e ", "2e ", "Eerste ", "Verlengde ", "Achter de ",
    "Aan de ",
];

/// Prefixes of further street names, used when a town has used up all names without them.
pub(crate) const STREET_ROUNDS: [&str; 8] = [
    "", "Grote ", "Kleine ", "Hoge ", "Lage ", "Binnen ", "Buiten ", "Derde ",
];

/// Street names that occur in nearly every town.
pub(crate) const COMMON: [&str; 12] = [
    "Kerkstraat", "Dorpsstraat", "Molenweg", "Schoolstraat", "Nieuwstraat", "Stationsweg", "Markt",
    "Parallelweg", "Sportlaan", "Industrieweg", "Achterweg", "Kade",
];

/// Street names that software often mishandles: digits, ordinals, apostrophes, signs, case, very short and very long names. A town
/// of about forty streets has all of them.
pub(crate) const ODD: [&str; 28] = [
    "Plein 1944",
    "Laan 1940-1945",
    "2e Lindendwarsstraat",
    "Eerste Oosterkade",
    "'t Hoekje",
    "’s-Gravendreef",
    "Ĳsvogelkade",
    "Belgiëlaan",
    "Skûtsjedyk",
    "v.d. Brugstraat",
    "Kerkpad (Oost)",
    "Q",
    "Ee",
    "Verlengde Zuidelijke Ringvaartkade Oostzijde (voorheen Oude Trekvaart van 1665).",
    "Voormalige Steenfabrieksweg",
    "Wijk 1",
    "Lindehorst 50e",
    "Noord-Zuidlaan",
    "Façadeplein",
    "Coöperatiestraat",
    "Señoritahof",
    "Kaai & Keersluis",
    "IJsselkade",
    "Buitenplaats d’Oude Kwekerij",
    "Straße am Grenzpfahl",
    "Ruïnepad",
    "Burgemeestersplantsoen Westzijde",
    "À Campolaan",
];

/// Former names of renamed streets.
pub(crate) const FORMER: [&str; 4] = ["Voorweg", "Achterom", "Oude Rijksweg", "Bouwweg"];
