//! Writes the element that names the area of a delivery.

use crate::plan::MUNICIPAL;

/// The area element of a municipal delivery, indented by `indent` spaces and by `step` more per level. `after_code` is inserted
/// after the municipality code.
pub(crate) fn municipal_area(indent: usize, step: usize, after_code: &str) -> String {
    let line = |level: usize, text: &str| format!("{:1$}<{text}>\n", "", indent + level * step);
    let code = format!("{MUNICIPAL:04}</selecties-extract:GemeenteIdentificatie");
    let mut area =
        line(0, "selecties-extract:Gebied-GEM") + &line(1, "selecties-extract:GemeenteCollectie");
    area += &line(2, "selecties-extract:Gemeente");
    area += &line(
        3,
        &format!("selecties-extract:GemeenteIdentificatie>{code}"),
    );
    area += after_code;
    area += &line(2, "/selecties-extract:Gemeente");
    area + &line(1, "/selecties-extract:GemeenteCollectie")
        + &line(0, "/selecties-extract:Gebied-GEM")
}
