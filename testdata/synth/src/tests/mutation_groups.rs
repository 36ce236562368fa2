//! Reads the mutation groups of a delivery as plain text.

use super::contents::{Contents, field};

/// Identifies a voorkomen by the identificatie of its object and its voorkomenidentificatie.
pub(super) type VoorkomenKey = (String, u64);

/// The text of a voorkomen before and after a mutation.
pub(super) type MutationPair<'a> = (Option<&'a str>, Option<&'a str>);

pub(super) fn key(record: &str) -> VoorkomenKey {
    let get = |element| field(record, element).expect("every voorkomen has this element");
    let nth = get("voorkomenidentificatie").parse();
    (
        get("identificatie").to_owned(),
        nth.expect("it is a number"),
    )
}

/// The texts between each pair of these tags.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let rest = text.split(open).skip(1);
    rest.map(|rest| rest.split_once(close).expect("every tag is closed").0)
        .collect()
}

fn object(text: &str) -> &str {
    let found = between(text, "<mlm:bagObject>", "</mlm:bagObject>");
    found.first().expect("a toestand has an object")
}

/// The text of all mutation files of a delivery.
pub(super) fn mutation_text(delivery: &Contents) -> String {
    delivery.text("9999MUT")
}

/// The mutations of each group.
pub(super) fn groups(text: &str) -> Vec<Vec<MutationPair<'_>>> {
    let groups = between(text, "<ml:mutatieGroep>", "</ml:mutatieGroep>");
    groups.into_iter().map(mutations).collect()
}

fn mutations(group: &str) -> Vec<MutationPair<'_>> {
    // Every mutation begins with one of these three tags, and mutations are not nested.
    let mut starts: Vec<usize> = ["<ml:toevoeging>", "<ml:wijziging>", "<ml:verwijdering>"]
        .iter()
        .flat_map(|tag| group.match_indices(tag).map(|(at, _)| at))
        .collect();
    starts.sort_unstable();
    starts.push(group.len());
    starts
        .windows(2)
        .map(|ends| &group[ends[0]..ends[1]])
        .map(|mutation| {
            let state = |tag: &str| {
                let states = between(mutation, &format!("<ml:{tag}>"), &format!("</ml:{tag}>"));
                states.first().copied().map(object)
            };
            (state("was"), state("wordt"))
        })
        .collect()
}
