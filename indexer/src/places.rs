//! Streets, towns, municipalities and provinces on the stand day, with their names ready to share.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use postduif_schema::{BagId, OpenbareRuimte as Street, WoonplaatsCode};

use crate::day::Day;
use crate::municipalities::{Municipalities, UnknownMunicipality};
use crate::objects::{GemeenteWoonplaats, OpenbareRuimte, Woonplaats};

/// What lies around an address.
pub(crate) struct Places {
    streets: HashMap<BagId<Street>, StreetPlace>,
    towns: HashMap<WoonplaatsCode, Option<Town>>,
}

/// A street and the town it lies in.
pub(crate) struct StreetPlace {
    pub(crate) name: Arc<str>,
    pub(crate) woonplaats: WoonplaatsCode,
}

/// A town with what it lies in.
pub(crate) struct Town {
    pub(crate) city: Arc<str>,
    pub(crate) municipality: Arc<str>,
    pub(crate) province: Arc<str>,
}

/// Shares equal names.
#[derive(Default)]
struct Names(BTreeSet<Arc<str>>);

impl Names {
    fn share(&mut self, name: &str) -> Arc<str> {
        if let Some(shared) = self.0.get(name) {
            return shared.clone();
        }
        let shared: Arc<str> = name.into();
        self.0.insert(shared.clone());
        shared
    }
}

impl Places {
    /// Joins what holds on a day.
    ///
    /// # Errors
    /// When a designated town lies in a municipality that the table does not hold on that day.
    pub(crate) fn new<'a>(
        streets: impl Iterator<Item = (BagId<Street>, &'a OpenbareRuimte)>,
        towns: impl Iterator<Item = (WoonplaatsCode, &'a Woonplaats)>,
        relations: &[GemeenteWoonplaats],
        municipalities: &Municipalities,
        day: Day,
    ) -> Result<Self, UnknownMunicipality> {
        let mut names = Names::default();
        let gemeenten = gemeenten_on(relations, day);
        let mut join = |(code, town): (WoonplaatsCode, &Woonplaats)| {
            let Some(&gemeente) = gemeenten.get(&code) else {
                return Ok((code, None));
            };
            let Some(found) = municipalities.on(gemeente, day) else {
                // A withdrawn town keeps its row when its municipality is dissolved, as 1012 did in 2022.
                let origin = municipalities.origin().to_owned();
                let unknown = UnknownMunicipality {
                    code: gemeente,
                    woonplaats: code,
                    day,
                    origin,
                };
                return if town.aangewezen {
                    Err(unknown)
                } else {
                    Ok((code, None))
                };
            };
            let [city, municipality, province] =
                [&town.naam, &found.name, &found.province].map(|name| names.share(name));
            Ok((
                code,
                Some(Town {
                    city,
                    municipality,
                    province,
                }),
            ))
        };
        let towns = towns.map(&mut join).collect::<Result<_, _>>()?;
        let share = |(id, street): (BagId<Street>, &OpenbareRuimte)| {
            (
                id,
                StreetPlace {
                    name: names.share(&street.naam),
                    woonplaats: street.woonplaats,
                },
            )
        };
        Ok(Self {
            streets: streets.map(share).collect(),
            towns,
        })
    }

    /// The street with this id, if the register has it on the day.
    pub(crate) fn street(&self, id: BagId<Street>) -> Option<&StreetPlace> {
        self.streets.get(&id)
    }

    /// The town with this code, if the register has it on the day; `Some(None)` when no municipality has it then.
    pub(crate) fn town(&self, code: WoonplaatsCode) -> Option<Option<&Town>> {
        self.towns.get(&code).map(Option::as_ref)
    }
}

/// The municipality of each town on a day. Of two rows that hold, the definitive one counts.
fn gemeenten_on(
    relations: &[GemeenteWoonplaats],
    day: Day,
) -> HashMap<WoonplaatsCode, postduif_schema::GemeenteCode> {
    let mut holding: Vec<&GemeenteWoonplaats> = relations
        .iter()
        .filter(|row| row.period.holds_on(day))
        .collect();
    holding.sort_by_key(|row| (row.definitive, row.period.begin));
    holding
        .into_iter()
        .map(|row| (row.woonplaats, row.gemeente))
        .collect()
}
