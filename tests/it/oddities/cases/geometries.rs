//! Lists records with surfaces or several points where the format expects one point or one polygon.

use postduif_indexer::IssueEffect::Nulled;

use super::{Cost, FIRST, OddRecords, POINT, RING, berth, flat, pitch};

pub(super) fn add(records: &mut OddRecords) {
    let east = ["131009.12", "oost"];
    let cost = Cost::Of(FIRST, |address| address.location = None);
    records.add(
        "coordinate in words",
        flat(),
        east,
        Some(("geometrie", Nulled)),
        cost,
    );
    // A square around the point.
    let square = "131008.12 482404.04 131010.12 482404.04 131010.12 482406.04 131008.12 482406.04 131008.12 482404.04";
    let ring = format!(
        "<gml:exterior><gml:LinearRing><gml:posList>{square}</gml:posList></gml:LinearRing></gml:exterior>"
    );
    let patch = format!(
        "<gml:Surface><gml:patches><gml:PolygonPatch>{ring}</gml:PolygonPatch></gml:patches></gml:Surface>"
    );
    let point = format!("<O:punt>{POINT}</O:punt>");
    records.geometry(
        "verblijfsobject as Surface",
        flat(),
        [&point, &format!("<O:vlak>{patch}</O:vlak>")],
    );
    let member = format!(
        "<O:multivlak><gml:MultiSurface><gml:surfaceMember><gml:Polygon>{ring}</gml:Polygon></gml:surfaceMember></gml:MultiSurface></O:multivlak>"
    );
    records.geometry("verblijfsobject as MultiSurface", flat(), [&point, &member]);
    let points: String = ["131008.12", "131010.12"]
        .map(|x| format!("<gml:pointMember><gml:Point><gml:pos>{x} 482405.04</gml:pos></gml:Point></gml:pointMember>"))
        .concat();
    let points = format!("<O:punt><gml:MultiPoint>{points}</gml:MultiPoint></O:punt>");
    records.geometry("verblijfsobject as MultiPoint", flat(), [&point, &points]);
    let spatial: Vec<&str> = RING.split(' ').collect();
    let spatial: Vec<String> = spatial
        .chunks(2)
        .map(|at| format!("{} {} 0.0", at[0], at[1]))
        .collect();
    let polygon = format!(
        "<gml:Polygon srsDimension=\"2\"><gml:exterior><gml:LinearRing><gml:posList>{RING}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>"
    );
    let in_3d = format!(
        "<gml:Surface srsDimension=\"3\"><gml:patches><gml:PolygonPatch><gml:exterior><gml:LinearRing><gml:posList>{}</gml:posList>\
         </gml:LinearRing></gml:exterior></gml:PolygonPatch></gml:patches></gml:Surface>",
        spatial.join(" ")
    );
    records.geometry("ligplaats as Surface in 3D", berth(), [&polygon, &in_3d]);
    let member = format!(
        "<gml:MultiSurface><gml:surfaceMember>{polygon}</gml:surfaceMember></gml:MultiSurface>"
    );
    records.geometry("standplaats as MultiSurface", pitch(), [&polygon, &member]);
}
