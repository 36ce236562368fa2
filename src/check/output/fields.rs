//! Defines the fields of the register's address that are added to a row.

use postduif_schema::{Address, Rd};

/// A field of the register's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterField {
    /// Postcode.
    Postcode,
    /// House number.
    Number,
    /// House letter.
    Letter,
    /// Addition.
    Addition,
    /// Street.
    Street,
    /// City.
    City,
    /// Municipality.
    Municipality,
    /// Province.
    Province,
    /// Id of the address.
    Id,
    /// Degrees east, WGS84.
    Lon,
    /// Degrees north, WGS84.
    Lat,
    /// Metres east, EPSG:28992.
    RdX,
    /// Metres north, EPSG:28992.
    RdY,
}

impl RegisterField {
    /// Every field, in the order of the columns in the output.
    pub const ALL: [Self; 13] = [
        Self::Postcode,
        Self::Number,
        Self::Letter,
        Self::Addition,
        Self::Street,
        Self::City,
        Self::Municipality,
        Self::Province,
        Self::Id,
        Self::Lon,
        Self::Lat,
        Self::RdX,
        Self::RdY,
    ];

    /// The name of the field in `--fields`. The name of the column in the output has [`RESULT_PREFIX`](crate::check::table::RESULT_PREFIX) in front.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Postcode => "postcode",
            Self::Number => "number",
            Self::Letter => "letter",
            Self::Addition => "addition",
            Self::Street => "street",
            Self::City => "city",
            Self::Municipality => "municipality",
            Self::Province => "province",
            Self::Id => "id",
            Self::Lon => "lon",
            Self::Lat => "lat",
            Self::RdX => "rd_x",
            Self::RdY => "rd_y",
        }
    }

    /// Reads a list of names, separated by commas.
    ///
    /// # Errors
    /// When a name is unknown or occurs twice. The error about an unknown name lists the known names.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, String> {
        let field = |name: &str| {
            let name = name.trim();
            let known = Self::ALL.into_iter().find(|field| field.name() == name);
            known.ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join(", ");
                format!("--fields: unknown field {name:?}; expected one of {names}")
            })
        };
        let mut fields = Vec::new();
        for field in text.split(',').map(field) {
            let field = field?;
            if fields.contains(&field) {
                return Err(format!("--fields: {} is given twice", field.name()));
            }
            fields.push(field);
        }
        Ok(fields)
    }

    /// The text of the field; empty if the address does not have the field.
    #[must_use]
    pub fn text(self, address: &Address) -> String {
        let location = address.location;
        match self {
            Self::Postcode => address.postcode.to_string(),
            Self::Number => address.number.to_string(),
            Self::Letter => optional(address.letter),
            Self::Addition => optional(address.addition),
            Self::Street => address.street.to_string(),
            Self::City => address.city.to_string(),
            Self::Municipality => address.municipality.to_string(),
            Self::Province => address.province.to_string(),
            Self::Id => address.id.to_string(),
            Self::Lon => optional(location.map(|at| at.lon_lat.lon_deg())),
            Self::Lat => optional(location.map(|at| at.lon_lat.lat_deg())),
            Self::RdX => optional(location.map(|at| Rd::x_m(at.rd))),
            Self::RdY => optional(location.map(|at| Rd::y_m(at.rd))),
        }
    }
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The address as one line: `Dijk 12A-3, 1234AB Weesp`.
pub(super) fn address_line(address: &Address) -> String {
    format!(
        "{} {}, {} {}",
        address.street,
        number_text(address),
        address.postcode,
        address.city
    )
}

/// House number, letter and addition: `12A-3`.
pub(super) fn number_text(address: &Address) -> String {
    let letter = RegisterField::Letter.text(address);
    match RegisterField::Addition.text(address) {
        addition if addition.is_empty() => format!("{}{letter}", address.number),
        addition => format!("{}{letter}-{addition}", address.number),
    }
}
