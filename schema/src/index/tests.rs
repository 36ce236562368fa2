//! Tests deletions, and structures that are built from an index.

use super::*;
use crate::LookupDirectory;

fn postcode(text: &str) -> Postcode {
    text.parse().expect("a postcode")
}

fn house(text: &str, number: u32, [street, city]: [&str; 2]) -> Address {
    let number = HouseNumber::new(number).expect("a house number");
    let place = [city, city, "Utrecht"].map(Into::into);
    Address {
        street: street.into(),
        ..Address::new_po_box(postcode(text), number, place)
    }
}

/// An index after its first and after its second commit. The second commit adds a segment, and deletes the only address at 1234AC
/// and number 3 at 1234AB.
fn mutated() -> [AddressIndex; 2] {
    let (schema, fields) = address_layout();
    let index = Index::create_in_ram(schema);
    let mut writer = index
        .writer_with_num_threads(1, 15_000_000)
        .expect("a writer");
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut commit = |added: &[Address], deleted: &[Address]| {
        for address in deleted {
            writer.delete_term(Term::from_field_u64(fields.id, address.id.get()));
        }
        for address in added {
            let added = writer.add_document(to_document(address, &fields));
            added.expect("a document");
        }
        writer.commit().expect("a commit");
        AddressIndex::from_index(&index).expect("opens")
    };
    let first = [
        house("1234AB", 1, ["Dijk", "Ginds"]),
        house("1234AB", 3, ["Kade", "Ginds"]),
        house("1234AB", 5, ["Dijk", "Ginds"]),
        house("1234AC", 1, ["Kade", "Ginds"]),
    ];
    let second = [
        house("1234AB", 2, ["Laan", "Elders"]),
        house("1234AD", 2, ["Laan", "Elders"]),
    ];
    [
        commit(&first, &[]),
        commit(&second, &[first[1].clone(), first[3].clone()]),
    ]
}

#[test]
fn deleted_addresses_are_in_no_list() {
    let [_, index] = mutated();
    let numbers = index
        .house_numbers_in_postcode(postcode("1234AB"))
        .expect("reads");
    let numbers: Vec<u32> = numbers.into_iter().map(HouseNumber::get).collect();
    assert_eq!(numbers, [1, 5, 2]);
    assert_eq!(
        index
            .house_numbers_in_postcode(postcode("1234AC"))
            .expect("reads"),
        []
    );
    assert_eq!(
        index
            .find_by_postcode(postcode("1234AB"))
            .expect("reads")
            .len(),
        3
    );
}

#[test]
fn look_ups_with_a_directory_give_the_same_results() {
    /// The ids that each look-up returns, in the returned order.
    fn look_up_all(index: &AddressIndex) -> Vec<Vec<u64>> {
        let ids = |all: Vec<Address<&str>>| all.iter().map(|found| found.id.get()).collect();
        let mut answers = Vec::new();
        for postcode in ["1234AA", "1234AB", "1234AC", "1234AD"].map(postcode) {
            answers.push(ids(index.borrow_by_postcode(postcode).expect("reads")));
            for number in 1..=6 {
                let number = HouseNumber::new(number).expect("a house number");
                answers.push(ids(index
                    .borrow_by_number(postcode, number)
                    .expect("reads")));
            }
        }
        for document in index.iter() {
            let street = StreetKey::from_address(&document.expect("reads"));
            let street = street.expect("every address has a street");
            for [first, last] in [[1, 1], [2, 4], [1, 99_999]] {
                let number = |number| HouseNumber::new(number).expect("a house number");
                let numbers = number(first)..=number(last);
                for limit in [1, 2, 99] {
                    let numbers = numbers.clone();
                    let query = NumberRangeQuery { numbers, limit };
                    let streets = index.query_street(street, &query).expect("reads");
                    answers.push(
                        streets
                            .iter()
                            .map(|found| found.listing_key.id.get())
                            .collect(),
                    );
                }
                let reaches = index.street_has_number_at_or_above(street, number(last));
                answers.push(vec![u64::from(reaches.expect("reads"))]);
            }
        }
        answers
    }
    let scattered = [
        ("1234AB", 1),
        ("1234AC", 2),
        ("1234AB", 2),
        ("1234AD", 4),
        ("1234AD", 3),
    ]
    .map(|(postcode, number)| house(postcode, number, ["Dijk", "Ginds"]));
    let plain = AddressIndex::in_memory(&scattered).expect("an index");
    let directory = LookupDirectory::read(&plain, None).expect("reads");
    let expected = look_up_all(&plain);
    assert!(expected.iter().flatten().count() > 2 * scattered.len());
    assert_eq!(look_up_all(&directory.attach_to(plain)), expected);

    let [[first, second], [first_again, second_again]] = [mutated(), mutated()];
    let of_first = LookupDirectory::read(&first_again, None).expect("reads");
    let first_again = of_first.attach_to(first_again);
    assert_eq!(look_up_all(&first_again), look_up_all(&first));
    for before in [None, Some(&first_again)] {
        let directory = LookupDirectory::read(&second_again, before).expect("reads");
        assert_eq!(directory.0.len(), 2);
    }
    let directory = LookupDirectory::read(&second_again, Some(&first_again)).expect("reads");
    assert_eq!(
        look_up_all(&directory.attach_to(second_again)),
        look_up_all(&second)
    );
}
