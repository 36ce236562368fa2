//! Renders the chapter about the address field for forms, which a shop uses instead of the API.

use super::html::{Field, field_list};
use super::page::Page;
use super::samples::render_copyable;
use super::titles::FIELD;
use super::{PLACEHOLDER_WIDGET, code};
use crate::http::web::widget;

const INTRODUCTION: &str = "The element `<postduif-address>` is an address field for the form of a shop. It finds the address while a \
customer types, fills in street and town, lists the additions that exist, and allows entry by hand.\n\n\
Make a read-only key for it that lists the shop's origins. In a form, its name sends the BAG id of the confirmed address; as \
long as no address is confirmed, the value is empty.";

/// The values of the attribute `mode`.
const MODES: [(&str, &str); 3] = [
    (
        "postcode",
        "Fields for postcode, house number and addition, then for street and town.",
    ),
    (
        "search",
        "One field for any part of an address, with suggestions. It fills in the fields of the form.",
    ),
    (
        "attach",
        "The fields that the form has. The element finds them by `autocomplete`, by their usual names, or by selectors such as \
         `field-postcode=\"#postcode\"`.",
    ),
];

const ATTRIBUTES: [(&str, &str); 5] = [
    ("api-key", "The key."),
    (
        "name",
        "The name under which the form sends the BAG id, and the beginning of the names of the element's own fields.",
    ),
    ("lang", "The language of the field: `nl` or `en`."),
    (
        "required",
        "The form needs a chosen address or one that was entered by hand, unless the service fails or the country is another one. \
         Entry by hand in mode `postcode` needs every field but the addition, also if the service fails.",
    ),
    (
        "strict",
        "The form needs a confirmed address, unless the service fails or the country is another one.",
    ),
];

const EVENTS: [(&str, &str); 4] = [
    (
        "postduif-select",
        "An address was confirmed. `detail.address` has its fields.",
    ),
    (
        "postduif-clear",
        "The address is no longer confirmed, for example because a field was changed.",
    ),
    (
        "postduif-manual",
        "The customer enters the address by hand.",
    ),
    (
        "postduif-error",
        "The service failed or refused. `detail.kind` is `offline`, `slow`, `refused`, `limit` or `failed`.",
    ),
];

pub(super) fn render_form_field(page: &Page<'_>) -> String {
    let list = |title: &str, fields: &[(&str, &str)]| {
        let fields = fields.iter().map(|(name, about)| Field {
            name: code(name),
            about: page.translate_inline(about),
            ..Field::default()
        });
        format!(
            "<h3>{}</h3>\n{}",
            page.translate_inline(title),
            field_list(fields)
        )
    };
    let sample = format!(
        "<script src=\"{PLACEHOLDER_WIDGET}?v={}\" defer></script>\n\n<form>\n  <postduif-address mode=\"postcode\" name=\"address\" \
         required\n    api-key=\"pd_live_…\"></postduif-address>\n  <button>{}</button>\n</form>",
        widget::VERSION,
        page.translate_and_escape("Order"),
    );
    let own_form = "<form data-postduif-form=\"pd_live_…\">\n  <input name=\"postcode\">\n  <input name=\"house_number\">\n  \
         <input name=\"street\">\n  <input name=\"city\">\n</form>";
    format!(
        "<section id=\"{id}\">\n<h2>{title}</h2>\n<div class=\"split\">\n<div class=\"text\">\n{about}{modes}{attributes}{events}</div>\n\
         <div class=\"samples\">\n{sample}{own_form}<p><a href=\"./#checkout\">{demo}</a></p>\n</div>\n</div>\n</section>\n",
        id = FIELD.0,
        title = page.translate_and_escape(FIELD.1),
        about = page.paragraphs(INTRODUCTION),
        modes = list("Values of `mode`", &MODES),
        attributes = list("Attributes", &ATTRIBUTES),
        events = list("Events", &EVENTS),
        sample = render_copyable(&page.translate_and_escape("With its own fields"), &sample),
        own_form = render_copyable(
            &page.translate_and_escape("With the fields of the form"),
            own_form
        ),
        demo = page.translate_and_escape("Try the field at a checkout"),
    )
}
