//! Builds small mutation deliveries.

use zip::CompressionMethod;

use crate::delivery::{Archive, Content, VOORKOMEN};

pub(crate) const COUNTRY: &str = "<s:Gebied-NLD/>";

/// A delivery for the whole country. `from` and `to` are dates such as `2021-09-15`.
pub(crate) fn mutations(from: &str, to: &str, groups: &[String]) -> Archive {
    mutations_of_area(COUNTRY, [from, to], groups)
}

pub(crate) fn mutations_of_area(area: &str, [from, to]: [&str; 2], groups: &[String]) -> Archive {
    let stored = CompressionMethod::Stored;
    let name = format!("9999MUT{}-{}", name_of(from), name_of(to));
    let documents = Archive(vec![
        (
            format!("{name}-000001.xml"),
            Content::File(document([from, to], &[]).into()),
        ),
        (
            format!("{name}-000002.xml"),
            Content::File(document([from, to], groups).into()),
        ),
    ]);
    let header = format!(
        "<xb:BAG-Extract-Levering xmlns:xb=\"x\"><xb:SelectieGegevens>{}<s:Gebied-Registratief>{area}</s:Gebied-Registratief>\
         </xb:SelectieGegevens></xb:BAG-Extract-Levering>",
        period([from, to])
    );
    Archive(vec![
        (
            "Leveringsdocument-BAG-Extract.xml".to_owned(),
            Content::File(header.into()),
        ),
        (format!("{name}.zip"), Content::Archive(documents, stored)),
    ])
}

fn name_of(day: &str) -> String {
    day.split('-').rev().collect()
}

fn period([from, to]: [&str; 2]) -> String {
    format!(
        "<s:MUT-Extract><s:StandTechnischeDatum>{to}</s:StandTechnischeDatum><s:Mutatieperiode><s:MutatiedatumVanaf>{from}\
         </s:MutatiedatumVanaf><s:MutatiedatumTot>{to}</s:MutatiedatumTot></s:Mutatieperiode></s:MUT-Extract>"
    )
}

pub(crate) fn document(days: [&str; 2], groups: &[String]) -> String {
    format!(
        "<b:bagMutaties xmlns:b=\"b\"><b:bagInfo>{}</b:bagInfo><m:mutatieBericht><m:inhoud><m:objectTypen/></m:inhoud>{}\
         </m:mutatieBericht></b:bagMutaties>",
        period(days),
        groups.concat()
    )
}

/// A group of mutations in the XML of a delivery.
pub(crate) fn group(mutations: &[String]) -> String {
    format!("<m:mutatieGroep>{}</m:mutatieGroep>", mutations.concat())
}

pub(crate) fn mutation_adding(is: &str) -> String {
    format!("<m:toevoeging>{}</m:toevoeging>", side("wordt", is))
}

pub(crate) fn mutation_changing(was: &str, is: &str) -> String {
    let (was, is) = (side("was", was), side("wordt", is));
    format!("<m:wijziging>{was}{is}</m:wijziging>")
}

pub(crate) fn mutation_removing(was: &str) -> String {
    format!("<m:verwijdering>{}</m:verwijdering>", side("was", was))
}

fn side(name: &str, object: &str) -> String {
    format!("<m:{name}><b:bagObject>{object}</b:bagObject></m:{name}>")
}

/// Replaces the first version of an object by a version with this number and this period, such as `2010-08-31..`. `more` has
/// further fields of the version's history.
pub(crate) fn version(object: &str, number: u32, period: &str, more: &str) -> String {
    let (begin, end) = period.split_once("..").expect("two days");
    let end = if end.is_empty() {
        String::new()
    } else {
        format!("<H:eindGeldigheid>{end}</H:eindGeldigheid>")
    };
    let voorkomen = format!(
        "<O:voorkomen><H:Voorkomen><H:voorkomenidentificatie>{number}</H:voorkomenidentificatie><H:beginGeldigheid>{begin}\
         </H:beginGeldigheid>{end}{more}<H:BeschikbaarLV></H:BeschikbaarLV></H:Voorkomen></O:voorkomen>"
    );
    assert!(object.contains(VOORKOMEN), "an object's first version");
    object.replace(VOORKOMEN, &voorkomen)
}

/// A group that ends version 1 of an object on a day and begins version 2 with other content.
pub(crate) fn group_of_new_version(was: &str, is: &str, day: &str) -> String {
    group(&[
        mutation_changing(was, &version(was, 1, &format!("2010-08-31..{day}"), "")),
        mutation_adding(&version(is, 2, &format!("{day}.."), "")),
    ])
}
