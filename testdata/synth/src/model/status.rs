//! Defines the statuses of objects.
//!
//! Source: IMBAGLV_Objecten-2.1.0.xsd (v20200601).

/// The status of a woonplaats, openbare ruimte, nummeraanduiding, ligplaats or standplaats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssignmentStatus {
    /// *Aangewezen* or *uitgegeven*.
    Assigned,
    /// *Ingetrokken*.
    Withdrawn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VerblijfsobjectStatus {
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
    /// True if the verblijfsobject can have an address. A planned verblijfsobject (*gevormd*) can have one too.
    pub(crate) const fn is_live(self) -> bool {
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PandStatus {
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
    /// True if the pand exists or is planned: its status is not demolished, never built or recorded in error.
    pub(crate) const fn exists(self) -> bool {
        !matches!(
            self,
            Self::NietGerealiseerd | Self::Gesloopt | Self::TenOnrechte
        )
    }
}
