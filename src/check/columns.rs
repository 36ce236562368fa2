//! Which column of a table has which part of an address: by the names of the header, or as the user says.

use postduif_schema::{fold, squash};

/// What a column contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnRole {
    /// Postcode.
    Postcode,
    /// House number, with or without letter and addition.
    Number,
    /// House letter.
    Letter,
    /// Addition.
    Addition,
    /// Street, with or without house number.
    Street,
    /// City.
    City,
    /// Street and house number, or the whole address.
    Line,
}

/// The column of each part of an address; `None` if the table lacks it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnMap([Option<usize>; ColumnRole::ALL.len()]);

/// Names of columns without case, spaces and marks, in Dutch and English, the most certain first.
const COLUMN_NAMES: [(ColumnRole, &[&str]); 7] = [
    (
        ColumnRole::Postcode,
        &[
            "postcode",
            "pc",
            "pc6",
            "postkode",
            "zip",
            "zipcode",
            "postalcode",
            "postalzip",
        ],
    ),
    (
        ColumnRole::Number,
        &[
            "huisnummer",
            "huisnr",
            "hnr",
            "nummer",
            "nr",
            "number",
            "housenumber",
            "houseno",
            "housenr",
            "streetnumber",
            "huisnummermettoevoeging",
            "huisnummertoevoeging",
            "huisnrtoev",
        ],
    ),
    (
        ColumnRole::Letter,
        &["huisletter", "letter", "houseletter", "huisnummerletter"],
    ),
    (
        ColumnRole::Addition,
        &[
            "toevoeging",
            "toev",
            "huisnummertoevoeging",
            "huisnummertoev",
            "huisnrtoevoeging",
            "huisnrtoev",
            "addition",
            "suffix",
            "housenumberaddition",
            "housenumbersuffix",
        ],
    ),
    (
        ColumnRole::Street,
        &[
            "straat",
            "straatnaam",
            "street",
            "streetname",
            "openbareruimte",
        ],
    ),
    (
        ColumnRole::City,
        &[
            "plaats",
            "woonplaats",
            "plaatsnaam",
            "woonplaatsnaam",
            "stad",
            "city",
            "town",
            "towncity",
            "citytown",
            "place",
            "locality",
        ],
    ),
    (
        ColumnRole::Line,
        &[
            "adres",
            "address",
            "adresregel",
            "adresregel1",
            "adres1",
            "address1",
            "addressline",
            "addressline1",
            "street1",
            "streetaddress",
            "straatenhuisnummer",
            "straatenhuisnr",
            "straatennummer",
            "straatennr",
            "straathuisnummer",
            "straathuisnr",
            "straatnr",
            "straatnaamenhuisnummer",
            "bezoekadres",
            "woonadres",
            "postadres",
            "factuuradres",
            "afleveradres",
            "volledigadres",
            "fulladdress",
        ],
    ),
];

/// The least letters of a name that is also recognised at the end of a longer one, as in `factuur_postcode`. Shorter names would
/// make `offertenr` a house number.
const MIN_SUFFIX_LETTERS: usize = 6;

/// Names that are recognised only alone: `telefoonnummer` is not a house number, and `e-mailadres` not an address.
const GENERIC_NAMES: [&str; 9] = [
    "nummer", "number", "nr", "letter", "suffix", "place", "adres", "address", "pc",
];

impl ColumnRole {
    /// Every part.
    pub const ALL: [Self; 7] = [
        Self::Postcode,
        Self::Number,
        Self::Letter,
        Self::Addition,
        Self::Street,
        Self::City,
        Self::Line,
    ];

    /// The name in `--columns` and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Postcode => "postcode",
            Self::Number => "number",
            Self::Letter => "letter",
            Self::Addition => "addition",
            Self::Street => "street",
            Self::City => "city",
            Self::Line => "line",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl ColumnMap {
    /// Recognises the columns of a header: by their whole names, and then by the ends of longer ones.
    #[must_use]
    pub fn from_header(header: &[String]) -> Self {
        let names: Vec<String> = header.iter().map(|name| squashed(name)).collect();
        let mut map = Self::default();
        for (role, known) in COLUMN_NAMES {
            let named = |known: &&str| {
                let mut free = (0..names.len()).filter(|at| map.is_free(*at));
                free.find(|at| names[*at] == *known)
            };
            map.0[role as usize] = known.iter().find_map(named);
        }
        // The line comes first: `factuur_straat_en_huisnummer` is more than a number.
        for (role, known) in COLUMN_NAMES.into_iter().rev() {
            let ends = |at: &usize| known.iter().any(|known| is_end(known, &header[*at]));
            let mut free = (0..names.len()).filter(|at| map.is_free(*at));
            let found = map.get(role).or_else(|| free.find(ends));
            map.0[role as usize] = found;
        }
        map
    }

    fn is_free(&self, at: usize) -> bool {
        !self.0.contains(&Some(at))
    }

    /// Reads `postcode=B,number=huisnr`: a column is a name of the header, a letter as in a spreadsheet, or a number from 1.
    ///
    /// # Errors
    /// When a part of an address or a column is unknown; the text says which.
    pub fn parse(text: &str, header: &[String]) -> Result<Self, String> {
        let mut map = Self::default();
        for item in text.split(',') {
            let (role, column) = item.split_once('=').ok_or_else(|| {
                format!("--columns: {item:?} has no =; expected such as postcode=B,number=huisnr")
            })?;
            let known = ColumnRole::from_name(role.trim()).ok_or_else(|| {
                let names = ColumnRole::ALL.map(ColumnRole::name).join(", ");
                format!("--columns: {role:?} is none of {names}")
            })?;
            let at = find_column(column.trim(), header).ok_or_else(|| {
                format!(
                    "--columns: there is no column {column:?}; the columns are {}",
                    describe_header(header)
                )
            })?;
            map.0[known as usize] = Some(at);
        }
        Ok(map)
    }

    /// The column of a part.
    #[must_use]
    pub fn get(&self, role: ColumnRole) -> Option<usize> {
        self.0[role as usize]
    }

    /// How many parts have a column.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// Whether an address can be read from these columns.
    #[must_use]
    pub fn has_number(&self) -> bool {
        let with_number = [ColumnRole::Number, ColumnRole::Street, ColumnRole::Line];
        with_number.iter().any(|&role| self.get(role).is_some())
    }
}

/// The columns as `A=naam, B=postcode`, for messages.
pub(super) fn describe_header(header: &[String]) -> String {
    let named = header.iter().enumerate().map(|(at, name)| {
        let short: String = name.chars().take(30).collect();
        format!("{}={short}", column_letters(at))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Whether a name of a header ends in a known name: in its last word, or glued to other words if it is long.
fn is_end(known: &str, name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    let last_word = words.rfind(|word| !word.is_empty()).unwrap_or_default();
    let is_glued = known.len() >= MIN_SUFFIX_LETTERS && squashed(name).ends_with(known);
    !GENERIC_NAMES.contains(&known) && (is_glued || squashed(last_word) == known)
}

fn squashed(name: &str) -> String {
    squash([&*fold(name)])
}

fn find_column(column: &str, header: &[String]) -> Option<usize> {
    let wanted = squashed(column);
    let named = header.iter().position(|name| squashed(name) == wanted);
    let numbered = || column.parse::<usize>().ok()?.checked_sub(1);
    let lettered = || (0..header.len()).find(|&at| column_letters(at) == column.to_uppercase());
    let at = named.or_else(numbered).or_else(lettered)?;
    (at < header.len()).then_some(at)
}

/// The letters of a column in a spreadsheet: A to Z, AA and so on.
pub(super) fn column_letters(mut at: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(at % 26).unwrap_or(0)));
        if at < 26 {
            break;
        }
        at = at / 26 - 1;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Vec<String> {
        text.split(';').map(str::to_owned).collect()
    }

    #[test]
    fn columns_are_recognised_by_their_names() {
        #[track_caller]
        fn case(names: &str, expected: &str) {
            let header = header(names);
            let map = ColumnMap::from_header(&header);
            let found: Vec<String> = ColumnRole::ALL
                .iter()
                .filter_map(|role| Some(format!("{}={}", role.name(), header[map.get(*role)?])))
                .collect();
            assert_eq!(found.join(" "), expected, "{names}");
        }
        case(
            "naam;Postcode;Huisnummer",
            "postcode=Postcode number=Huisnummer",
        );
        case(
            "PC;hnr;toev.;Straat;Woonplaats",
            "postcode=PC number=hnr addition=toev. street=Straat city=Woonplaats",
        );
        case(
            "Address 1;ZIP code;City",
            "postcode=ZIP code city=City line=Address 1",
        );
        case(
            "huisnummer;huisletter;huisnummertoevoeging",
            "number=huisnummer letter=huisletter addition=huisnummertoevoeging",
        );
        case(
            "postcode;huisnummer_toevoeging",
            "postcode=postcode number=huisnummer_toevoeging",
        );
        case(
            "factuur_postcode;factuur_huisnummer",
            "postcode=factuur_postcode number=factuur_huisnummer",
        );
        case(
            "klantnr;omschrijving;telefoonnummer;mobiel nr.;E-mail adres",
            "",
        );
        case(
            "Straat en huisnummer;Postcode",
            "postcode=Postcode line=Straat en huisnummer",
        );
        case(
            "Straat + nr;PC;Plaats",
            "postcode=PC city=Plaats line=Straat + nr",
        );
        case(
            "factuur straat en huisnr;factuur plaats",
            "city=factuur plaats line=factuur straat en huisnr",
        );
        case(
            "billing_address_1;billing_postcode;billing_city;shipping_city",
            "postcode=billing_postcode city=billing_city line=billing_address_1",
        );
        case("Adres;Postcode/Plaats", "city=Postcode/Plaats line=Adres");
        case("Bezoekadres;Town/City", "city=Town/City line=Bezoekadres");
        case("E-mailadres;adres", "line=adres");
    }

    #[test]
    fn columns_are_chosen_by_name_letter_or_number() {
        let header = header("naam;pc;huis nr;x");
        let map = ColumnMap::parse("postcode=B,number=huisnr,line=4", &header).expect("columns");
        assert_eq!(map.get(ColumnRole::Postcode), Some(1));
        assert_eq!(map.get(ColumnRole::Number), Some(2));
        assert_eq!(map.get(ColumnRole::Line), Some(3));
        for (wrong, word) in [
            ("postcode", "no ="),
            ("zip=A", "none of"),
            ("city=E", "D=x"),
            ("city=0", "no column"),
        ] {
            let message = ColumnMap::parse(wrong, &header).expect_err("it is wrong");
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        assert_eq!(
            [0, 25, 26, 701, 702].map(column_letters),
            ["A", "Z", "AA", "ZZ", "AAA"]
        );
    }
}
