//! Writes the terms of street names with their documents, in ascending order. The terms are the whole names, and the prefixes of each
//! name that start at any of its words.
//!
//! When the suffixes of names are sorted, suffixes that start with the same letters are adjacent. So the streets of a prefix are the
//! streets of adjacent suffixes, and are found without a table of all prefixes.

use std::collections::HashMap;
use std::io;

use tantivy::DocId;

use super::fuzzy::shared_prefix_len;
use super::layout::split_forms;
use super::lookup::truncate_prefix;
use super::segment_writer::TermSink;
use crate::{squash, word_suffixes};

/// The different names of streets, and the documents of each.
pub(super) struct StreetNames<'a> {
    /// The joined forms of each name, with its documents in ascending order.
    names: Vec<(&'a str, Vec<DocId>)>,
}

/// A text that comes from a name, and the index of that name. The same text may come from several names.
type NameText = (String, usize);

impl<'a> StreetNames<'a> {
    /// Groups streets by their joined forms. `forms` must be in the order of the streets' documents, which begin at
    /// `first_document`.
    pub(super) fn from_forms(forms: impl Iterator<Item = &'a str>, first_document: DocId) -> Self {
        let mut by_forms: HashMap<&str, usize> = HashMap::new();
        let mut names: Vec<(&str, Vec<DocId>)> = Vec::new();
        for (forms, document) in forms.zip(first_document..) {
            let next = names.len();
            let name = *by_forms.entry(forms).or_insert(next);
            if name == next {
                names.push((forms, Vec::new()));
            }
            names[name].1.push(document);
        }
        Self { names }
    }

    /// Writes the prefixes of each form, and of each of its endings that begin at a word.
    pub(super) fn write_prefixes(&self, sink: &mut TermSink<'_>) -> io::Result<()> {
        let suffixes = self.texts(|form, texts| {
            texts.extend(
                word_suffixes(form).map(|suffix| truncate_prefix(&squash([suffix])).to_owned()),
            );
        });
        let mut documents = Vec::new();
        let (mut before, mut ends) = ("", Vec::new());
        for (first, (text, _)) in suffixes.iter().enumerate() {
            let shared = shared_prefix_len(before, text);
            before = text;
            // The prefixes of up to `shared` bytes were already written for the previous suffix.
            let new = char_ends(text).filter(|&end| end > shared);
            ends.clear();
            ends.extend(new.map(|end| (end, 0)));
            let mut behind = first + 1;
            for (end, run_end) in ends.iter_mut().rev() {
                let rest = suffixes[behind..].iter();
                behind += rest
                    .take_while(|(next, _)| next.starts_with(&text[..*end]))
                    .count();
                *run_end = behind;
            }
            let mut known = 0;
            for &(end, run_end) in &ends {
                // Consecutive prefixes often have the same streets, so the documents are reused.
                if run_end != known {
                    self.collect_documents(&suffixes[first..run_end], &mut documents);
                    known = run_end;
                }
                sink(&text.as_bytes()[..end], &documents)?;
            }
        }
        Ok(())
    }

    /// Writes every form as one term.
    pub(super) fn write_whole_names(&self, sink: &mut TermSink<'_>) -> io::Result<()> {
        let texts = self.texts(|form, texts| texts.push(squash([form])));
        let mut documents = Vec::new();
        for same in texts.chunk_by(|(a, _), (b, _)| a == b) {
            self.collect_documents(same, &mut documents);
            sink(same[0].0.as_bytes(), &documents)?;
        }
        Ok(())
    }

    /// The texts that `add` derives from each form, sorted.
    fn texts(&self, add: impl Fn(&str, &mut Vec<String>)) -> Vec<NameText> {
        let (mut all, mut of_name) = (Vec::new(), Vec::new());
        for (name, (forms, _)) in self.names.iter().enumerate() {
            split_forms(forms).for_each(|form| add(form, &mut of_name));
            all.extend(of_name.drain(..).map(|text| (text, name)));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn collect_documents(&self, texts: &[NameText], into: &mut Vec<DocId>) {
        into.clear();
        for &(_, name) in texts {
            into.extend_from_slice(&self.names[name].1);
        }
        if texts.len() > 1 {
            into.sort_unstable();
            into.dedup();
        }
    }
}

/// The ends of all characters, in bytes.
fn char_ends(text: &str) -> impl Iterator<Item = usize> {
    text.char_indices().map(|(at, c)| at + c.len_utf8())
}
