//! What a delivery is made of: objects of the seven types, each with its voorkomens. Nothing here is written or read; see `objects` for the XML.
//!
//! Source of types, statuses and ranges: the BAG 2.0 schemas v20200601 (IMBAGLV_Objecten-2.1.0.xsd).

use super::calendar::{Day, Moment};
use super::rng::Rng;
use super::shape::Shape;

/// The object type inside an identificatie: its fifth and sixth digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kind {
    /// Its identificatie is a code of four digits.
    Woonplaats = 0,
    Verblijfsobject = 1,
    Ligplaats = 2,
    Standplaats = 3,
    Pand = 10,
    Nummeraanduiding = 20,
    OpenbareRuimte = 30,
}

/// A sixteen-digit identificatie: the municipality that issued it, the object type, a number of ten digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id {
    pub(super) issuer: u16,
    pub(super) kind: Kind,
    pub(super) number: u64,
}

impl std::fmt::Display for Id {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{:04}{:02}{:010}",
            self.issuer, self.kind as u8, self.number
        )
    }
}

/// One version of an object: from when it holds, when it was registered, and what it says.
struct Voorkomen<S> {
    begin: Day,
    registered: Moment,
    state: S,
}

/// All voorkomens of one object, oldest first. Each closes the one before it on the day and at the moment it is registered itself.
pub(super) struct Life<S> {
    voorkomens: Vec<Voorkomen<S>>,
    closed: Option<(Day, Moment)>,
}

/// The times of one voorkomen; the last two are there when it is closed.
pub(super) struct Span {
    pub(super) begin: Day,
    pub(super) registered: Moment,
    pub(super) end: Option<Day>,
    pub(super) deregistered: Option<Moment>,
}

impl<S> Life<S> {
    pub(super) fn since(rng: &mut Rng, begin: Day, state: S) -> Self {
        let registered = registration(rng, begin, None);
        Self {
            voorkomens: vec![Voorkomen {
                begin,
                registered,
                state,
            }],
            closed: None,
        }
    }

    /// Closes the last voorkomen on `begin` and opens the next; `begin` may be the day on which the last one began, or lie in the future.
    pub(super) fn then(mut self, rng: &mut Rng, begin: Day, state: S) -> Self {
        let registered = registration(rng, begin, Some(self.last_registration()));
        self.voorkomens.push(Voorkomen {
            begin,
            registered,
            state,
        });
        self
    }

    /// Closes the last voorkomen without a next one.
    pub(super) fn until(mut self, rng: &mut Rng, end: Day) -> Self {
        self.closed = Some((end, registration(rng, end, Some(self.last_registration()))));
        self
    }

    pub(super) fn len(&self) -> usize {
        self.voorkomens.len()
    }

    pub(super) fn state(&self, index: usize) -> &S {
        &self.voorkomens[index].state
    }

    pub(super) fn span(&self, index: usize) -> Span {
        let this = &self.voorkomens[index];
        let next = self
            .voorkomens
            .get(index + 1)
            .map(|next| (next.begin, next.registered))
            .or(self.closed);
        Span {
            begin: this.begin,
            registered: this.registered,
            end: next.map(|(day, _)| day),
            deregistered: next.map(|(_, moment)| moment),
        }
    }

    fn last_registration(&self) -> Moment {
        self.voorkomens
            .last()
            .expect("a life has a first voorkomen")
            .registered
    }
}

/// Registration follows validity by days, but for what was there before the register (filled some fifteen years before the stand) and what is still to come.
fn registration(rng: &mut Rng, begin: Day, after: Option<Moment>) -> Moment {
    const REGISTER_FILLED: i32 = -5_600;
    const LAST: i32 = -1;
    let day = Day((begin.0 + rng.between(0, 6)).clamp(REGISTER_FILLED, LAST));
    let drawn = Moment {
        day,
        ms: u32::try_from(rng.between(27_000_000, 57_000_000)).expect("office hours are positive"),
    };
    match after {
        Some(before) if drawn <= before => Moment {
            day: before.day,
            ms: before.ms
                + u32::try_from(rng.between(900_000, 2_400_000)).expect("a wait is positive"),
        },
        _ => drawn,
    }
}

/// A postcode: four digits, then two capitals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Postcode {
    pub(super) digits: u16,
    pub(super) letters: [u8; 2],
}

impl std::fmt::Display for Postcode {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            out,
            "{:04}{}{}",
            self.digits,
            char::from(self.letters[0]),
            char::from(self.letters[1])
        )
    }
}

/// The status of an object that is either in force or withdrawn: woonplaats, openbare ruimte, nummeraanduiding, ligplaats, standplaats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    Live,
    Withdrawn,
}

/// The kind of addressable object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ObjectKind {
    /// A dwelling, shop, office or the like, in at least one pand.
    Verblijfsobject,
    /// A berth.
    Ligplaats,
    /// A pitch for a mobile home.
    Standplaats,
}

pub(super) struct OpenbareRuimte {
    pub(super) id: Id,
    pub(super) kind: &'static str,
    pub(super) life: Life<OpenbareRuimteState>,
}

#[derive(Clone, Debug)]
pub(super) struct OpenbareRuimteState {
    pub(super) name: String,
    pub(super) standing: Standing,
    pub(super) woonplaats: u16,
}

pub(super) struct Nummeraanduiding {
    pub(super) id: Id,
    pub(super) number: u32,
    pub(super) letter: Option<char>,
    pub(super) addition: Option<String>,
    pub(super) kind: ObjectKind,
    pub(super) street: Id,
    pub(super) life: Life<NummeraanduidingState>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NummeraanduidingState {
    pub(super) postcode: Option<Postcode>,
    pub(super) standing: Standing,
    /// Its own woonplaats, where that is not the one of its street.
    pub(super) woonplaats: Option<u16>,
}

impl NummeraanduidingState {
    /// Issued, under this postcode, in the woonplaats of its street.
    pub(super) const fn issued(postcode: Postcode) -> Self {
        Self {
            postcode: Some(postcode),
            standing: Standing::Live,
            woonplaats: None,
        }
    }

    /// The same, withdrawn.
    pub(super) const fn withdrawn(self) -> Self {
        Self {
            standing: Standing::Withdrawn,
            ..self
        }
    }
}

pub(super) struct Verblijfsobject {
    pub(super) id: Id,
    pub(super) hoofdadres: Id,
    pub(super) nevenadressen: Vec<Id>,
    pub(super) shape: Shape,
    pub(super) panden: Vec<Id>,
    pub(super) life: Life<Use>,
}

/// What a voorkomen of a verblijfsobject says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) status: VerblijfsobjectStatus,
    pub(super) purposes: Purposes,
    /// Square metres, 1 to 999 999; the last means unknown.
    pub(super) surface_m2: u32,
}

impl Use {
    /// An ordinary dwelling in use.
    pub(super) const LIVING: Use = Use {
        status: VerblijfsobjectStatus::InGebruik,
        purposes: Purposes::WOON,
        surface_m2: 84,
    };

    /// The same with another status.
    pub(super) const fn with(self, status: VerblijfsobjectStatus) -> Use {
        Use { status, ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VerblijfsobjectStatus {
    Gevormd,
    NietGerealiseerd,
    NietIngemeten,
    InGebruik,
    Verbouwing,
    Ingetrokken,
    BuitenGebruik,
    TenOnrechte,
}

impl VerblijfsobjectStatus {
    /// Whether an address can be had from it; one that is planned counts.
    pub(super) const fn is_live(self) -> bool {
        match self {
            Self::NietGerealiseerd | Self::Ingetrokken | Self::TenOnrechte => false,
            Self::Gevormd
            | Self::NietIngemeten
            | Self::InGebruik
            | Self::Verbouwing
            | Self::BuitenGebruik => true,
        }
    }
}

/// A ligplaats or a standplaats, as the kind in its identificatie says.
pub(super) struct Plaats {
    pub(super) id: Id,
    pub(super) hoofdadres: Id,
    pub(super) nevenadressen: Vec<Id>,
    pub(super) shape: Shape,
    pub(super) life: Life<Standing>,
}

pub(super) struct Pand {
    pub(super) id: Id,
    pub(super) shape: Shape,
    pub(super) life: Life<PandState>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PandState {
    pub(super) status: PandStatus,
    /// 9999 means unknown.
    pub(super) year: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PandStatus {
    BouwvergunningVerleend,
    NietGerealiseerd,
    BouwGestart,
    NietIngemeten,
    InGebruik,
    Verbouwing,
    SloopvergunningVerleend,
    Gesloopt,
    BuitenGebruik,
    TenOnrechte,
}

impl PandStatus {
    /// Whether it is planned or stands.
    pub(super) const fn stands(self) -> bool {
        !matches!(
            self,
            Self::NietGerealiseerd | Self::Gesloopt | Self::TenOnrechte
        )
    }
}

/// A set of gebruiksdoelen: one bit each, in catalogue order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Purposes(pub(super) u16);

impl Purposes {
    /// The catalogue, in its order. Source: IMBAGLV_Objecten-2.1.0.xsd, GebruiksdoelType.
    pub(super) const CATALOGUE: [&'static str; 11] = [
        "woonfunctie",
        "bijeenkomstfunctie",
        "celfunctie",
        "gezondheidszorgfunctie",
        "industriefunctie",
        "kantoorfunctie",
        "logiesfunctie",
        "onderwijsfunctie",
        "sportfunctie",
        "winkelfunctie",
        "overige gebruiksfunctie",
    ];
    pub(super) const NONE: Self = Self(0);
    pub(super) const WOON: Self = Self(1);
    pub(super) const KANTOOR: Self = Self(1 << 5);
    pub(super) const OVERIG: Self = Self(1 << 10);

    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        Self::CATALOGUE
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 & (1 << bit) != 0)
            .map(|(_, name)| name)
    }
}
