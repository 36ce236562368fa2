//! Keeps the terms of a dictionary in memory as a trie, to find the terms that are similar to a typed text.
//!
//! Walking the trie takes a tenth of the time of walking the dictionary itself, because the nodes are in one `Vec`.

use std::ops::Range;

use tantivy::TantivyError;
use tantivy::error::DataCorruption;
use tantivy::postings::TermInfo;
use tantivy::termdict::TermDictionary;

use super::fuzzy::{EditState, FuzzyMatcher};

/// The cost of visiting a node, in steps of [`SearchBudget`](super::lookup::SearchBudget).
const NODE_COST: u32 = 1;

/// Maximum number of nodes, far above the number of prefixes of all street names. A dictionary with more is refused as damaged.
const MAX_NODES: usize = 1 << 26;

/// Terms as a trie. The nodes are in preorder: a node, then its descendants, then its next sibling.
#[derive(Default)]
pub(super) struct PrefixTrie {
    nodes: Vec<TrieNode>,
    /// The posting list of the term that ends at each node; empty if no term ends there, such as inside a character of several bytes.
    posting_lists: Vec<PostingListLocation>,
}

/// A prefix of a term.
struct TrieNode {
    /// The index after the last descendant.
    end: u32,
    /// The last byte of the prefix.
    byte: u8,
}

/// The position of a posting list in its file.
#[derive(Default)]
struct PostingListLocation {
    document_count: u32,
    start: u32,
    end: u32,
}

impl PrefixTrie {
    /// Reads the terms of a dictionary.
    ///
    /// # Errors
    /// If the dictionary cannot be read, or has more nodes or longer posting lists than an index of places can have.
    pub(super) fn read(dictionary: &TermDictionary) -> tantivy::Result<Self> {
        let mut trie = Self::default();
        // The nodes of the current term, from its first byte to its last.
        let mut path: Vec<usize> = Vec::new();
        let mut stream = dictionary.stream()?;
        while stream.advance() {
            let term = stream.key();
            let same = path.iter().zip(term);
            let shared = same.take_while(|&(&at, byte)| trie.nodes[at].byte == *byte);
            let shared = shared.count();
            trie.end_nodes(path.drain(shared..));
            if trie.nodes.len() + term.len() > MAX_NODES {
                return Err(too_large());
            }
            for &byte in &term[shared..] {
                path.push(trie.nodes.len());
                trie.nodes.push(TrieNode { end: 0, byte });
                trie.posting_lists.push(PostingListLocation::default());
            }
            if let Some(&last) = path.last() {
                trie.posting_lists[last] = PostingListLocation::new(stream.value())?;
            }
        }
        trie.end_nodes(path.into_iter());
        Ok(trie)
    }

    /// Sets the end of nodes that get no more descendants.
    fn end_nodes(&mut self, nodes: impl Iterator<Item = usize>) {
        let end = u32::try_from(self.nodes.len()).expect("at most `MAX_NODES`");
        for node in nodes {
            self.nodes[node].end = end;
        }
    }

    /// The first `limit` terms that the matcher accepts with at most its allowed edits, in the order of the terms. Visits nodes until
    /// `budget` is spent, and subtracts the cost of these nodes from it.
    pub(super) fn similar_terms(
        &self,
        matcher: &FuzzyMatcher,
        limit: usize,
        budget: &mut u32,
    ) -> Vec<TermInfo> {
        let (nodes, state) = self.descendants_of_exact_prefix(matcher);
        // For each ancestor of the current node: the index after its last descendant, and the state after its byte.
        let mut ancestors = vec![(nodes.end, state)];
        let mut found = Vec::new();
        let mut at = nodes.start;
        while at < nodes.end && *budget > 0 && found.len() < limit {
            *budget = budget.saturating_sub(NODE_COST);
            while ancestors.last().is_some_and(|(end, _)| *end <= at) {
                ancestors.pop();
            }
            let TrieNode { end, byte } = self.nodes[at];
            let before = ancestors.last().map_or(&state, |(_, state)| state);
            let after = matcher.next_state(before, byte);
            if !matcher.can_match(&after) {
                at = end as usize;
                continue;
            }
            if matcher.final_distance(&after).is_some() {
                found.extend(self.posting_lists[at].term_info());
            }
            ancestors.push((end as usize, after));
            at += 1;
        }
        found
    }

    /// The node of the [exact prefix](FuzzyMatcher::exact_prefix) with its descendants, and the state before this node. The range is empty
    /// if no term has the prefix, and has all nodes if the prefix is empty.
    fn descendants_of_exact_prefix(&self, matcher: &FuzzyMatcher) -> (Range<usize>, EditState) {
        let mut nodes = 0..self.nodes.len();
        let mut state = EditState::INITIAL;
        for (depth, &byte) in matcher.exact_prefix().iter().enumerate() {
            if depth > 0 {
                state = matcher.next_state(&state, self.nodes[nodes.start].byte);
                nodes.start += 1;
            }
            let Some(child) = self.find_child(nodes, byte) else {
                return (0..0, state);
            };
            nodes = child;
        }
        (nodes, state)
    }

    /// The one of the sibling nodes in a range that has this byte, as a range with its descendants.
    fn find_child(&self, nodes: Range<usize>, byte: u8) -> Option<Range<usize>> {
        let mut at = nodes.start;
        while at < nodes.end {
            let node = &self.nodes[at];
            if node.byte == byte {
                return Some(at..node.end as usize);
            }
            at = node.end as usize;
        }
        None
    }
}

impl PostingListLocation {
    fn new(term: &TermInfo) -> tantivy::Result<Self> {
        let offset = |at: usize| u32::try_from(at).map_err(|_| too_large());
        Ok(Self {
            document_count: term.doc_freq,
            start: offset(term.postings_range.start)?,
            end: offset(term.postings_range.end)?,
        })
    }

    /// The term of this list; `None` if the list is empty. The index of places has no positions.
    fn term_info(&self) -> Option<TermInfo> {
        (self.document_count > 0).then_some(TermInfo {
            doc_freq: self.document_count,
            postings_range: self.start as usize..self.end as usize,
            positions_range: 0..0,
        })
    }
}

fn too_large() -> TantivyError {
    let comment = "the dictionary of prefixes is larger than that of any country".to_owned();
    TantivyError::DataCorruption(DataCorruption::comment_only(comment))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use tantivy::directory::FileSlice;
    use tantivy::termdict::TermDictionaryBuilder;

    use super::super::fuzzy::MaxEdits;
    use super::*;

    /// A trie of terms. The number of documents of each term is its position, from 1.
    fn trie(terms: &[&str]) -> PrefixTrie {
        let mut builder = TermDictionaryBuilder::create(Vec::new()).expect("a dictionary");
        for (number, term) in (1..).zip(terms) {
            let info = TermInfo {
                doc_freq: number,
                ..TermInfo::default()
            };
            builder.insert(term, &info).expect("a term in order");
        }
        let file = FileSlice::from(builder.finish().expect("a dictionary"));
        let dictionary = TermDictionary::open(file).expect("a dictionary");
        PrefixTrie::read(&dictionary).expect("a trie")
    }

    fn similar(terms: &[&str], typed: &str, edits: MaxEdits, mut budget: u32) -> Vec<u32> {
        let matcher = FuzzyMatcher::new(typed, edits);
        let found = trie(terms).similar_terms(&matcher, usize::MAX, &mut budget);
        found.iter().map(|term| term.doc_freq).collect()
    }

    #[test]
    fn a_spent_budget_ends_the_walk() {
        let terms = ["a", "ab", "ac", "b"];
        assert_eq!(similar(&terms, "ab", MaxEdits::One, 1000), [1, 2, 3, 4]);
        assert_eq!(similar(&terms, "ab", MaxEdits::One, 2), [1, 2]);
        assert!(similar(&terms, "ab", MaxEdits::One, 0).is_empty());
        assert!(similar(&[], "ab", MaxEdits::One, 1000).is_empty());
        assert_eq!(
            similar(&["\u{127}", "\u{127}a"], "\u{127}a", MaxEdits::Two, 1000),
            [1, 2]
        );
    }

    proptest! {
        #[test]
        fn the_walk_finds_what_a_comparison_with_every_term_finds(
            typed in "[abc]{0,6}",
            terms in proptest::collection::btree_set("[abcħ]{1,7}", 0..40),
            two in any::<bool>(),
        ) {
            let edits = if two { MaxEdits::Two } else { MaxEdits::One };
            let matcher = FuzzyMatcher::new(&typed, edits);
            let terms: BTreeSet<String> = terms;
            let list: Vec<&str> = terms.iter().map(String::as_str).collect();
            let expected = (1..).zip(&list).filter(|(_, term)| {
                term.as_bytes().starts_with(matcher.exact_prefix()) && matcher.distance(term).is_some()
            });
            let expected: Vec<u32> = expected.map(|(number, _)| number).collect();
            prop_assert_eq!(similar(&list, &typed, edits, u32::MAX), expected);
        }
    }
}
