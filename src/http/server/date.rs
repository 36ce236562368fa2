//! Sets the `Date` header of a response.
//!
//! hyper can set `Date` too, but hyper renders the text again only when the clock is past the last rendered second. So after the clock is
//! set back, hyper's `Date` stays in the future. Source: RFC 9110, section 6.6.1.

use std::cell::RefCell;

use hyper::header::HeaderValue;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

thread_local! {
    /// The last rendered second and its text. Responses in one second share the text.
    static RENDERED: RefCell<Option<(i64, HeaderValue)>> = const { RefCell::new(None) };
}

/// The value of the header `Date` at the time `now`.
pub(super) fn date_header_value(now: Timestamp) -> HeaderValue {
    RENDERED.with_borrow_mut(|rendered| match rendered {
        Some((second, value)) if *second == now.as_second() => value.clone(),
        _ => {
            let value = render(now);
            *rendered = Some((now.as_second(), value.clone()));
            value
        }
    })
}

fn render(now: Timestamp) -> HeaderValue {
    let text = DateTimePrinter::new().timestamp_to_rfc9110_string(&now);
    let text = text.expect("the clock is between the years 0 and 9999");
    HeaderValue::from_str(&text).expect("a date is visible ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_follows_a_clock_that_is_set_back() {
        let at = |second| date_header_value(Timestamp::constant(second, 999_999_999));
        assert_eq!(at(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(at(784_111_777 + 86_400), "Mon, 07 Nov 1994 08:49:37 GMT");
        assert_eq!(at(784_111_777), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(at(253_370_764_800), "Fri, 01 Jan 9999 00:00:00 GMT");
    }
}
