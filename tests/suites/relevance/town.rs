//! Lists fixed queries for the bundled town: at least one for each kind of name and number in the town.

use super::fixed_query::{FixedQuery, address, area, city, number, postcode, street};

const S: &str = "Schapenhoek";
const H: &str = "Âld Hertenterp";
const ANY: &str = "";

const DORP: &str = "Dorpsstraat";
const COOP: &str = "Coöperatiestraat";
const FACADE: &str = "Façadeplein";
const HOEKJE: &str = "'t Hoekje";
const DREEF: &str = "’s-Gravendreef";
const OUDE: &str = "Buitenplaats d’Oude Kwekerij";
const LINDEN: &str = "2e Lindendwarsstraat";
const OOSTER: &str = "Eerste Oosterkade";
const LAAN: &str = "Laan 1940-1945";
const HORST: &str = "Lindehorst 50e";
const BRUG: &str = "v.d. Brugstraat";
const KAAI: &str = "Kaai & Keersluis";
const LONG: &str =
    "Verlengde Zuidelijke Ringvaartkade Oostzijde (voorheen Oude Trekvaart van 1665).";

pub(crate) const CASES: &[FixedQuery] = &[
    // Towns: the whole name, its beginning, with and without diacritics, a later word of the name, the name as one word.
    city("schapenhoek", S).first(),
    city("Schap", S),
    city("Âld Hertenterp", H).first(),
    city("ald hertenterp", H).first(),
    city("ÂLD HERTENTERP", H).first(),
    city("Ald hert", H),
    city("hertenterp", H),
    city("aldhertenterp", H),
    // A street and its town, in both orders.
    street("Dorpsstraat Schapenhoek", DORP, S).first(),
    street("DORPSSTRAAT SCHAPENHOEK", DORP, S).first(),
    street("dorpsstraat, schapenhoek", DORP, S).first(),
    street("  dorpsstraat   schapenhoek ", DORP, S).first(),
    street("Schapenhoek Dorpsstraat", DORP, S).first(),
    street("schapenhoek, dorpsstraat", DORP, S).first(),
    street("dorpsstr schap", DORP, S).first(),
    street("dorpsstraat", DORP, ANY).first(),
    street("dorps", DORP, ANY),
    street("dorpsstraat ald hertenterp", DORP, H).first(),
    // Abbreviated endings, split words, and one typo.
    street("dorpsstr. schapenhoek", DORP, S).first(),
    street("dorps straat schapenhoek", DORP, S),
    street("dorpstraat schapenhoek", DORP, S),
    street("dropsstraat schapenhoek", DORP, S),
    street("dorpsstraat schapenhoke", DORP, S),
    street("cooperatiestr schapenhoek", COOP, S),
    street("facadepl schapenhoek", FACADE, S),
    street("stationswg schapenhoek", "Stationsweg", S),
    street("ijsselkd schapenhoek", "IJsselkade", S),
    // Diacritics, ĳ and ß.
    street("cooperatiestraat", COOP, ANY).first(),
    street("coöperatiestraat", COOP, ANY).first(),
    street("facadeplein schapenhoek", FACADE, S).first(),
    street("senoritahof", "Señoritahof", ANY).first(),
    street("belgielaan schapenhoek", "Belgiëlaan", S).first(),
    street("ruinepad", "Ruïnepad", H).first(),
    street("skutsjedyk", "Skûtsjedyk", ANY).first(),
    street("a campolaan", "À Campolaan", H).first(),
    street("strasse am grenzpfahl", "Straße am Grenzpfahl", H).first(),
    street("straße am gr", "Straße am Grenzpfahl", H),
    street("ijsselkade schapenhoek", "IJsselkade", S).first(),
    street("ĳsselkade schapenhoek", "IJsselkade", S).first(),
    street("ijsvogelkade", "Ĳsvogelkade", ANY).first(),
    // Apostrophes and articles.
    street("'t hoekje schapenhoek", HOEKJE, S).first(),
    street("’t Hoekje Schapenhoek", HOEKJE, S).first(),
    street("`t hoekje schapenhoek", HOEKJE, S).first(),
    street("t hoekje schapenhoek", HOEKJE, S),
    street("het hoekje schapenhoek", HOEKJE, S),
    street("hoekje schapenhoek", HOEKJE, S),
    street("'s-gravendreef schapenhoek", DREEF, S).first(),
    street("s gravendreef schapenhoek", DREEF, S).first(),
    street("gravendreef schapenhoek", DREEF, S),
    street("sgravendreef schapenhoek", DREEF, S),
    street("buitenplaats d'oude kwekerij schapenhoek", OUDE, S).first(),
    street("buitenplaats doude kwekerij", OUDE, ANY),
    // Ordinals.
    street("2e lindendwarsstraat schapenhoek", LINDEN, S).first(),
    street("tweede lindendwarsstraat schapenhoek", LINDEN, S).first(),
    street("2de lindendwarsstraat", LINDEN, ANY).first(),
    street("1e oosterkade ald hertenterp", OOSTER, H).first(),
    street("1ste oosterkade", OOSTER, ANY).first(),
    number("1e oosterkade 10 ald hertenterp", OOSTER, 10, H).first(),
    // Numbers in names. The longest matching name comes first, and the number after it is the house number.
    street("plein 1944 schapenhoek", "Plein 1944", S).first(),
    number("plein 1944 12 schapenhoek", "Plein 1944", 12, S).first(),
    address("plein 1944 3a schapenhoek", "Plein 1944", 3, "a", S).first(),
    street("laan 1940-1945 schapenhoek", LAAN, S).first(),
    address("laan 1940-1945 15a schapenhoek", LAAN, 15, "a", S).first(),
    number("laan 1940 1945 20 ald hertenterp", LAAN, 20, H),
    street("wijk 1 schapenhoek", "Wijk 1", S).first(),
    number("wijk 1 20 schapenhoek", "Wijk 1", 20, S).first(),
    address("wijk 1 21 iv ald hertenterp", "Wijk 1", 21, "IV", H).first(),
    street("lindehorst 50e", HORST, ANY).first(),
    number("lindehorst 50e 4 schapenhoek", HORST, 4, S).first(),
    address("lindehorst 50e 3c ald hertenterp", HORST, 3, "C", H).first(),
    address("lindehorst 50e 4a2 schapenhoek", HORST, 4, "A2", S).first(),
    // Names with particles, and names of one or two letters.
    street("v.d. brugstraat schapenhoek", BRUG, S).first(),
    street("vd brugstraat schapenhoek", BRUG, S),
    street("van de brugstraat schapenhoek", BRUG, S),
    address("van der brugstraat 15a schapenhoek", BRUG, 15, "a", S),
    street("Q schapenhoek", "Q", S),
    address("Q 21b-01 schapenhoek", "Q", 21, "B01", S).first(),
    street("Ee schapenhoek", "Ee", S),
    address("ee 36a-1 ald hertenterp", "Ee", 36, "A1", H).first(),
    // Hyphens, ampersands, brackets, long names.
    street("noord-zuidlaan schapenhoek", "Noord-Zuidlaan", S).first(),
    street("noord zuidlaan schapenhoek", "Noord-Zuidlaan", S).first(),
    street("noordzuidlaan schapenhoek", "Noord-Zuidlaan", S),
    street("kaai & keersluis schapenhoek", KAAI, S).first(),
    street("kaai keersluis schapenhoek", KAAI, S),
    street("kerkpad oost schapenhoek", "Kerkpad (Oost)", S).first(),
    street("verlengde zuidelijke ringvaartkade schapenhoek", LONG, S).first(),
    street(
        "steenfabrieksweg schapenhoek",
        "Voormalige Steenfabrieksweg",
        S,
    ),
    // Letters and additions.
    address("dorpsstraat 22 schapenhoek", DORP, 22, "", S).first(),
    address("dorpsstraat 8 schapenhoek", DORP, 8, "", S).first(),
    number("dorpsstraat 22z schapenhoek", DORP, 22, S),
    address("dorpsstraat 22A schapenhoek", DORP, 22, "a", S).first(),
    address("dorpsstraat 22 a schapenhoek", DORP, 22, "a", S).first(),
    address("dorpsstraat 22-b, schapenhoek", DORP, 22, "b", S).first(),
    address("dorpsstraat 64-bis schapenhoek", DORP, 64, "bis", S).first(),
    address("dorpsstraat 64 BIS schapenhoek", DORP, 64, "bis", S).first(),
    address("schapenhoek dorpsstraat 64bis", DORP, 64, "bis", S).first(),
    address("dorpsstraat 99-0 schapenhoek", DORP, 99, "0", S).first(),
    address("schoolstraat 3b-1 schapenhoek", "Schoolstraat", 3, "b1", S).first(),
    address("schoolstraat 3 b 1 schapenhoek", "Schoolstraat", 3, "b1", S).first(),
    address("schoolstraat 3B1 schapenhoek", "Schoolstraat", 3, "b1", S).first(),
    number("schoolstraat 3 schapenhoek", "Schoolstraat", 3, S).first(),
    address(
        "schoolstraat 15-001 schapenhoek",
        "Schoolstraat",
        15,
        "001",
        S,
    )
    .first(),
    address(
        "schoolstraat 15 hs schapenhoek",
        "Schoolstraat",
        15,
        "HS",
        S,
    )
    .first(),
    address("kaai & keersluis 3-tm25 schapenhoek", KAAI, 3, "TM25", S).first(),
    address("kaai en keersluis 3-II schapenhoek", KAAI, 3, "II", S),
    address("belgielaan 18-10 schapenhoek", "Belgiëlaan", 18, "10", S).first(),
    address("belgiëlaan 18/1 schapenhoek", "Belgiëlaan", 18, "1", S).first(),
    number("belgielaan 99960 schapenhoek", "Belgiëlaan", 99_960, S).first(),
    street("dorpsstraat 9999 schapenhoek", DORP, S).first(),
    // Postcodes.
    postcode("3931AV", "3931AV").first(),
    postcode("3931 av", "3931AV").first(),
    postcode("3931AV schapenhoek", "3931AV").first(),
    address("3931av 22a", DORP, 22, "a", S).first(),
    address("3931 AX 64 bis", DORP, 64, "bis", S).first(),
    area("3931", 3931).first(),
    street("3932GP", "Vinkenlaan", H),
    street("3932gp", "Burgemeestersplantsoen Westzijde", H),
    // Post-office boxes.
    number("Postbus 12 Schapenhoek", "Postbus", 12, S).first(),
    number("postbus 1001 schapenhoek", "Postbus", 1001, S).first(),
    number("postbus 80, ald hertenterp", "Postbus", 80, H).first(),
    number("postbus 12", "Postbus", 12, ANY).first(),
    number("3930 AA 12", "Postbus", 12, S).first(),
    // Complete mail address lines.
    address("Dorpsstraat 64 bis, 3931AX Schapenhoek", DORP, 64, "bis", S).first(),
    address(
        "Belgiëlaan 18-10, 3931CC  SCHAPENHOEK",
        "Belgiëlaan",
        18,
        "10",
        S,
    )
    .first(),
    address("Lindehorst 50e 4 A2, 3931EA Schapenhoek", HORST, 4, "A2", S).first(),
];
