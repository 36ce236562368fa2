//! Parses the header `Forwarded`, which has one element for each hop. Only `for=` is read. Source: RFC 7239, sections 4 and 6.
//!
//! A line is split into elements from its right end. A trusted proxy wrote the last element, so that element is well formed. The last
//! element is read first, so an unclosed quotation mark that a client wrote in an earlier element cannot change the last element.

/// The hops of one line, the last hop first. Each hop is the value of `for=`, or `None` if that value is malformed.
pub(super) fn hops_in_reverse(line: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let line = rest?;
        let element = match last_comma(line) {
            Some(comma) => {
                rest = Some(&line[..comma]);
                &line[comma + 1..]
            }
            None => {
                rest = None;
                line
            }
        };
        Some(for_parameter(element))
    })
}

/// Finds the last comma outside quotes, searching from the right.
fn last_comma(line: &[u8]) -> Option<usize> {
    let mut quoted = false;
    for (at, byte) in line.iter().enumerate().rev() {
        match byte {
            b'"' if !is_escaped(line, at) => quoted = !quoted,
            b',' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// True if an odd number of backslashes precedes the byte at `at`.
fn is_escaped(text: &[u8], at: usize) -> bool {
    let backslashes = text[..at].iter().rev().take_while(|byte| **byte == b'\\');
    backslashes.count() % 2 == 1
}

/// The value of `for` in an element, without quotes; `None` if `for` is missing or occurs twice, or if the element is malformed.
fn for_parameter(element: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    let mut rest = element;
    loop {
        let (pair, more) = next_pair(rest);
        let equals = pair.iter().position(|byte| *byte == b'=')?;
        let (name, value) = (pair[..equals].trim_ascii(), pair[equals + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"for") && found.replace(unquote(value)?).is_some() {
            return None;
        }
        match more {
            Some(more) => rest = more,
            None => return found,
        }
    }
}

/// Splits `text` at the first semicolon outside quotes.
fn next_pair(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let mut quoted = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' if !is_escaped(text, at) => quoted = !quoted,
            b';' if !quoted => return (&text[..at], Some(&text[at + 1..])),
            _ => {}
        }
    }
    (text, None)
}

/// Removes quotes. An IP needs no escapes, so a value that contains quotes or backslashes is malformed.
fn unquote(value: &[u8]) -> Option<&[u8]> {
    let quoted = || value.strip_prefix(b"\"")?.strip_suffix(b"\"");
    let value = quoted().unwrap_or(value);
    let plain = !value.iter().any(|byte| [b'"', b'\\'].contains(byte));
    plain.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_from_the_right() {
        #[track_caller]
        fn case(line: &str, expected: &[Option<&str>]) {
            let hops: Vec<_> = hops_in_reverse(line.as_bytes()).collect();
            let expected: Vec<_> = expected.iter().map(|hop| hop.map(str::as_bytes)).collect();
            assert_eq!(hops, expected, "{line}");
        }
        case("for=192.0.2.1", &[Some("192.0.2.1")]);
        case("For=\"[2001:db8::1]:47\"", &[Some("[2001:db8::1]:47")]);
        case("for=a, for=b,for=c", &[Some("c"), Some("b"), Some("a")]);
        case("proto=https;FOR = a ;by=b", &[Some("a")]);
        case("by=\"x;for=evil,for=evil\";for=a", &[Some("a")]);
        case(r#"for=a;host="e\",for=evil""#, &[Some("a")]);
        case(r#"for=a;host="e\\",for=b"#, &[Some("b"), Some("a")]);
        case("for=\"open, for=b", &[Some("b"), None]);
        case("\", for=b", &[Some("b"), None]);
        case("for=a;for=b", &[None]);
        case("by=a", &[None]);
        case("for", &[None]);
        case("", &[None]);
        case("for=a,", &[None, Some("a")]);
        case(r#"for="a\b""#, &[None]);
        case("for=\"", &[None]);
    }
}
