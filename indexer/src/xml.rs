//! Reads one XML document step by step (a pull reader). Every error names its place in the document.
//!
//! quick-xml accepts truncated documents, two root elements and NUL bytes, and does not resolve character references. This reader
//! refuses such documents and resolves the references. It also refuses document types, so there are no custom entities.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::record_issues::{IssueEffect, ValueIssue};

/// Maximum depth of nested elements. Deliveries have 15 levels; a document with more than this maximum is refused.
const MAX_DEPTH: usize = 64;

/// Maximum length of the reason in an error, in characters. The rest is cut, because a reason may quote a very long name from the document.
const MAX_REASON_CHARS: usize = 400;

/// The error for a malformed document.
#[derive(Debug, thiserror::Error)]
#[error("{file}, byte {offset}{}: {reason}", ObjectSuffix(object))]
pub struct XmlError {
    /// The path of the document and of the archives around it.
    pub file: String,
    /// The id of the object that was being read; `None` if its id had not been read yet.
    pub object: Option<String>,
    /// The place in the document, in bytes from its start.
    pub offset: u64,
    /// What is wrong, and what is expected instead.
    pub reason: String,
}

struct ObjectSuffix<'a>(&'a Option<String>);

impl fmt::Display for ObjectSuffix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0
            .as_ref()
            .map_or(Ok(()), |object| write!(f, ", object {object}"))
    }
}

/// Reads one document. Elements are recognized by their local name, because the author of a document may choose any prefix.
pub(crate) struct XmlReader<'a> {
    reader: Reader<&'a [u8]>,
    file: &'a str,
    object: Option<String>,
    current_element: BytesStart<'a>,
    depth: usize,
    /// The invalid values of the current record.
    issues: Vec<ValueIssue>,
}

impl<'a> XmlReader<'a> {
    /// Reads a whole document with one root element. `read` must consume the content of the root.
    pub(crate) fn read_document<T>(
        file: &'a str,
        bytes: &'a [u8],
        read: impl FnOnce(&mut Self, &str) -> Result<T, XmlError>,
    ) -> Result<T, XmlError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = Reader::from_reader(bytes);
        reader.config_mut().expand_empty_elements = true;
        let mut xml = Self {
            reader,
            file,
            object: None,
            current_element: BytesStart::new(""),
            depth: 0,
            issues: Vec::new(),
        };
        if bytes.starts_with(&[0xFE, 0xFF]) || bytes.starts_with(&[0xFF, 0xFE]) {
            return Err(xml.error("the document is in UTF-16; UTF-8 is expected"));
        }
        if let Some(nul_offset) = memchr::memchr(0, bytes) {
            return Err(XmlError {
                offset: nul_offset as u64,
                ..xml.error("found a NUL byte; the document is damaged")
            });
        }
        let root = xml.read_root()?;
        let content = read(&mut xml, root.local_name().into_inner())?;
        xml.expect_end()?;
        Ok(content)
    }

    /// Calls `read` for every child of the current element. `read` must consume the whole child with [`read_text`](Self::read_text),
    /// [`for_each_child`](Self::for_each_child) or [`skip`](Self::skip). Text between children is skipped.
    pub(crate) fn for_each_child(
        &mut self,
        mut read: impl FnMut(&mut Self, &str) -> Result<(), XmlError>,
    ) -> Result<(), XmlError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("elements nest deeper than {MAX_DEPTH}")));
        }
        loop {
            match self.next()? {
                Event::Start(start) => {
                    self.current_element = start.clone();
                    read(self, start.local_name().into_inner())?;
                }
                Event::End(_) => break,
                Event::Eof => return Err(self.truncated_error()),
                _ => {}
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads the text of the current element and resolves references. If the element has a child element, skips the content, and returns
    /// the child's tag instead of the text.
    pub(crate) fn text_or_child(&mut self) -> Result<Result<Cow<'a, str>, String>, XmlError> {
        let mut text = Cow::Borrowed("");
        loop {
            match self.next()? {
                Event::Text(piece) => append_text(&mut text, piece.into_inner()),
                Event::CData(piece) => append_text(&mut text, piece.into_inner()),
                Event::GeneralRef(reference) => {
                    text.to_mut().push(self.resolve_reference(&reference)?)
                }
                Event::End(_) => return Ok(Ok(text)),
                Event::Start(child) => return self.skip_child(&child).map(Err),
                Event::Eof => return Err(self.truncated_error()),
                _ => {}
            }
        }
    }

    /// Skips the child and the rest of the current element. Returns the child's tag.
    #[cold]
    fn skip_child(&mut self, child: &BytesStart<'_>) -> Result<String, XmlError> {
        self.skip()?;
        self.skip()?;
        Ok(format!("<{}>", child.name().into_inner()))
    }

    /// Reads the text of the current element. If it has a child element, adds an issue with the given effect and returns `None`.
    pub(crate) fn read_text(
        &mut self,
        field: &'static str,
        effect: IssueEffect,
    ) -> Result<Option<Cow<'a, str>>, XmlError> {
        match self.text_or_child()? {
            Ok(text) => Ok(Some(text)),
            Err(child) => {
                self.note(field, effect, &child, &"expected only text");
                Ok(None)
            }
        }
    }

    /// Reads the text of the current element as a `T`. A child element is an error.
    pub(crate) fn parse<T: FromStr<Err: fmt::Display>>(&mut self) -> Result<T, XmlError> {
        let text = self.text_or_child()?.map_err(|child| {
            self.error(format!("found element {child} where only text is expected"))
        })?;
        text.trim()
            .parse()
            .map_err(|error: T::Err| self.error(error.to_string()))
    }

    /// Reads the text of the current element as a `T`. If the text is invalid, adds an issue with the given effect.
    pub(crate) fn read_value<T: FromStr<Err: fmt::Display>>(
        &mut self,
        field: &'static str,
        effect: IssueEffect,
    ) -> Result<Option<T>, XmlError> {
        let text = self.read_text(field, effect)?;
        Ok(text.and_then(|text| self.parse_noted(&text, field, effect)))
    }

    /// Like [`read_value`](Self::read_value), for an optional element. Blank text means that there is no value.
    pub(crate) fn read_optional<T: FromStr<Err: fmt::Display>>(
        &mut self,
        field: &'static str,
        effect: IssueEffect,
    ) -> Result<Option<T>, XmlError> {
        let text = self.read_text(field, effect)?;
        let value = text.filter(|text| !text.trim().is_empty());
        Ok(value.and_then(|text| self.parse_noted(&text, field, effect)))
    }

    fn parse_noted<T: FromStr<Err: fmt::Display>>(
        &mut self,
        text: &str,
        field: &'static str,
        effect: IssueEffect,
    ) -> Option<T> {
        let parsed = text.trim().parse();
        parsed
            .map_err(|error: T::Err| self.note(field, effect, text, &error))
            .ok()
    }

    /// Adds an issue to the current record: an invalid value, with a description of the accepted values.
    pub(crate) fn note(
        &mut self,
        field: &'static str,
        effect: IssueEffect,
        value: &str,
        expected: &dyn fmt::Display,
    ) {
        let offset = self.reader.buffer_position();
        self.issues
            .push(ValueIssue::new(field, effect, value, expected, offset));
    }

    /// Adds an issue that rejects the record if a required value is absent. If the value was invalid, the issue was already added
    /// when the value was read.
    pub(crate) fn require<T>(&mut self, value: Option<T>, field: &'static str) -> Option<T> {
        let is_rejected =
            |issue: &ValueIssue| issue.field == field && issue.effect == IssueEffect::Rejected;
        if value.is_none() && !self.issues.iter().any(is_rejected) {
            let expected = format!("element <{field}> is missing");
            self.note(field, IssueEffect::Rejected, "", &expected);
        }
        value
    }

    /// Whether the current record has an issue with this field.
    pub(crate) fn is_noted(&self, field: &'static str) -> bool {
        self.issues.iter().any(|issue| issue.field == field)
    }

    /// Takes the issues of the current record. Call this method at the end of the record.
    pub(crate) fn take_issues(&mut self) -> Vec<ValueIssue> {
        std::mem::take(&mut self.issues)
    }

    /// Skips the rest of the current element.
    pub(crate) fn skip(&mut self) -> Result<(), XmlError> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return Ok(()),
                Event::End(_) => depth -= 1,
                Event::Eof => return Err(self.truncated_error()),
                _ => {}
            }
            if self.depth + depth > MAX_DEPTH {
                return Err(self.error(format!("elements nest deeper than {MAX_DEPTH}")));
            }
        }
    }

    /// An attribute of the last element from [`for_each_child`](Self::for_each_child). References in its value are not resolved.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let attribute = self.current_element.try_get_attribute(name).ok()??;
        Some(attribute.value.into_owned())
    }

    /// The id of the current object. Errors contain this id.
    pub(crate) fn object_id(&self) -> Option<&str> {
        self.object.as_deref()
    }

    /// The path of the document.
    pub(crate) fn file(&self) -> &'a str {
        self.file
    }

    /// Sets the id of the current object. Later errors contain this id.
    pub(crate) fn set_object_id(&mut self, id: Option<String>) {
        self.object = id;
    }

    /// The value of a required element; an error if the value is absent.
    pub(crate) fn required<T>(&self, value: Option<T>, element: &str) -> Result<T, XmlError> {
        value.ok_or_else(|| self.error(format!("element <{element}> is missing")))
    }

    /// Creates an error that names the current place in the document.
    pub(crate) fn error(&self, reason: impl Into<String>) -> XmlError {
        let mut reason = reason.into();
        if let Some((end, _)) = reason.char_indices().nth(MAX_REASON_CHARS) {
            reason.truncate(end);
            reason.push('…');
        }
        XmlError {
            file: self.file.to_owned(),
            object: self.object.clone(),
            offset: self.reader.buffer_position(),
            reason,
        }
    }

    fn next(&mut self) -> Result<Event<'a>, XmlError> {
        let event = self
            .reader
            .read_event()
            .map_err(|error| self.error(error.to_string()))?;
        match event {
            Event::DocType(_) => {
                Err(self.error("found a document type declaration; a delivery has none"))
            }
            event => Ok(event),
        }
    }

    fn read_root(&mut self) -> Result<BytesStart<'a>, XmlError> {
        loop {
            match self.next()? {
                Event::Start(start) => return Ok(start),
                Event::Decl(declaration) => self.check_encoding(declaration.encoding())?,
                Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                Event::Eof => return Err(self.error("the document is empty: it has no element")),
                _ => {
                    return Err(self.error(
                        "found text before the first element; this is not an XML document",
                    ));
                }
            }
        }
    }

    fn expect_end(&mut self) -> Result<(), XmlError> {
        self.object = None;
        loop {
            match self.next()? {
                Event::Eof => return Ok(()),
                Event::Comment(_) | Event::PI(_) => {}
                Event::Text(text) if text.trim_ascii().is_empty() => {}
                _ => return Err(self.error("found content after the end of the document")),
            }
        }
    }

    fn check_encoding<E>(&self, encoding: Option<Result<Cow<'_, str>, E>>) -> Result<(), XmlError> {
        match encoding {
            None => Ok(()),
            Some(Ok(name))
                if ["utf-8", "us-ascii"]
                    .iter()
                    .any(|known| name.eq_ignore_ascii_case(known)) =>
            {
                Ok(())
            }
            Some(Ok(name)) => Err(self.error(format!(
                "the document declares the encoding {name:?}; a delivery is in UTF-8"
            ))),
            Some(Err(_)) => Err(self.error("the XML declaration is malformed")),
        }
    }

    fn resolve_reference(&self, reference: &BytesRef<'_>) -> Result<char, XmlError> {
        match reference.resolve_char_ref() {
            Ok(Some(c)) if c != '\0' => return Ok(c),
            Ok(_) => {}
            Err(error) => return Err(self.error(error.to_string())),
        }
        match &**reference {
            "amp" => Ok('&'),
            "lt" => Ok('<'),
            "gt" => Ok('>'),
            "apos" => Ok('\''),
            "quot" => Ok('"'),
            other => Err(self.error(format!("&{other}; is not a known entity"))),
        }
    }

    fn truncated_error(&self) -> XmlError {
        self.error("the document ends in the middle; it was truncated")
    }
}

fn append_text<'a>(text: &mut Cow<'a, str>, piece: Cow<'a, str>) {
    if text.is_empty() {
        *text = piece;
    } else {
        text.to_mut().push_str(&piece);
    }
}

#[cfg(test)]
mod tests;
