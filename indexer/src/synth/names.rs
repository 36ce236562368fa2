//! Names of towns and streets: made up from word parts, distinct within a town, or taken from a list of real street names with their frequencies.

use super::rng::Rng;
use super::words::{
    COMMON, ODD, STREET_ENDS, STREET_PREFIXES, STREET_ROUNDS, STREET_STEMS, TOWN_ENDS,
    TOWN_PREFIXES, TOWN_STEMS,
};
use std::collections::HashSet;
use std::io::BufRead;

/// The longest name the register takes. Source: IMBAGLV_Objecten-2.1.0.xsd, OpenbareRuimte naam.
const LONGEST: usize = 80;

/// Street names with how often each occurs, to be drawn in that proportion.
#[derive(Debug, Clone)]
pub struct StreetNames {
    names: Vec<String>,
    /// For each name the sum of the counts up to and including its own.
    upto: Vec<u64>,
}

/// Why a list of street names was refused.
#[derive(Debug, thiserror::Error)]
pub enum BadStreetNames {
    /// The list could not be read.
    #[error("cannot read the street names: {0}")]
    Read(#[from] std::io::Error),
    /// A line is not a count, a tab and a name.
    #[error(
        "line {line} of the street names is {text:?}; expected a count of at least 1, a tab and a name of 1 to 80 characters of MES-1"
    )]
    Line {
        /// Counted from 1.
        line: usize,
        /// The line as it stands.
        text: String,
    },
    /// There is no line in it.
    #[error("the list of street names is empty; expected lines of a count, a tab and a name")]
    Empty,
}

impl StreetNames {
    /// Reads lines of `count<TAB>name`.
    ///
    /// # Errors
    /// When the list cannot be read, is empty, or a line has another form. A name has 1 to 80 characters of the register's set and does not begin
    /// with a space.
    pub fn read(list: impl BufRead) -> Result<Self, BadStreetNames> {
        let mut read = Self {
            names: Vec::new(),
            upto: Vec::new(),
        };
        let mut sum: u64 = 0;
        for (index, line) in list.lines().enumerate() {
            let line = line?;
            let (count, name) = entry(&line).ok_or_else(|| BadStreetNames::Line {
                line: index + 1,
                text: line.clone(),
            })?;
            sum = sum.saturating_add(u64::from(count));
            read.names.push(name.to_owned());
            read.upto.push(sum);
        }
        if read.names.is_empty() {
            Err(BadStreetNames::Empty)
        } else {
            Ok(read)
        }
    }

    /// Draws a name that is not yet in `used`, and notes it there; a list that is used up gives numbered names.
    fn draw(&self, rng: &mut Rng, used: &mut HashSet<usize>) -> String {
        let total = self.upto.last().copied().unwrap_or(0);
        let drawn = rng.below(total);
        let first = self.upto.partition_point(|&upto| upto <= drawn);
        let count = self.names.len();
        let free = (0..count)
            .map(|step| (first + step) % count)
            .find(|index| !used.contains(index));
        match free {
            Some(index) => {
                used.insert(index);
                self.names[index].clone()
            }
            None => format!("Wijk {}", rng.below(1 << 40)),
        }
    }
}

fn entry(line: &str) -> Option<(u32, &str)> {
    let (count, name) = line.split_once('\t')?;
    let count = count.parse().ok().filter(|&count| count > 0)?;
    let fits =
        (1..=LONGEST).contains(&name.chars().count()) && !name.starts_with(char::is_whitespace);
    (fits && name.chars().all(in_mes_1)).then_some((count, name))
}

/// The characters of names and document numbers. Source: IMBAGLV_DatatypenAlgemeen-2.1.0.xsd, MES1.
fn in_mes_1(letter: char) -> bool {
    const RANGES: [(u32, u32); 16] = [
        (0x20, 0x7E),
        (0xA0, 0x113),
        (0x116, 0x12B),
        (0x12E, 0x14D),
        (0x150, 0x17E),
        (0x2C7, 0x2C7),
        (0x2D8, 0x2DB),
        (0x2DD, 0x2DD),
        (0x2015, 0x2015),
        (0x2018, 0x2019),
        (0x201C, 0x201D),
        (0x20AC, 0x20AC),
        (0x2122, 0x2122),
        (0x2126, 0x2126),
        (0x215B, 0x215E),
        (0x2190, 0x2193),
    ];
    let code = u32::from(letter);
    RANGES
        .iter()
        .any(|&(first, last)| (first..=last).contains(&code))
}

/// The name of the `index`-th town of a country: no two of its first 2 560 towns share one.
pub(super) fn town(seed: u64, index: usize) -> String {
    let stems = TOWN_STEMS.len();
    let plain = stems * TOWN_ENDS.len();
    let start = usize::try_from(Rng::of(&[seed, 11]).below(plain as u64)).expect("a list is short");
    // 1 021 has no factor in common with 2 560: all plain names come by before one returns.
    let turn = (index * 1_021 + start) % plain;
    // The first towns show what names can hold; later ones are mostly plain.
    let prefix = match index {
        0 => 0,
        1 => 7,
        2 => 5,
        _ => {
            usize::try_from(Rng::of(&[seed, 12, index as u64]).below(40)).expect("a draw is small")
        }
    };
    let name = format!("{}{}", TOWN_STEMS[turn % stems], TOWN_ENDS[turn / stems]);
    match TOWN_PREFIXES.get(prefix) {
        Some(prefix) => format!("{prefix}{name}"),
        None => name,
    }
}

/// The names of one town's streets, in their order: each is asked for once and no two are the same.
pub(super) struct StreetNaming<'a> {
    rng: Rng,
    step: usize,
    start: usize,
    listed: Option<(&'a StreetNames, HashSet<usize>)>,
}

impl<'a> StreetNaming<'a> {
    pub(super) fn of(seed: u64, town: usize, listed: Option<&'a StreetNames>) -> Self {
        let mut rng = Rng::of(&[seed, 13, town as u64]);
        // Primes that divide none of the numbers of stems and ends.
        let step = rng.pick(&[4_177, 3_571, 2_579, 5_003]);
        let start = usize::try_from(rng.below(1 << 20)).expect("a draw is small");
        Self {
            rng,
            step,
            start,
            listed: listed.map(|names| (names, HashSet::new())),
        }
    }

    /// The name of street `index` of the town: two of three are odd ones first, the third is common, and then all others.
    pub(super) fn name(&mut self, index: usize) -> String {
        let round = index / 3;
        let odd = if index % 3 == 2 {
            COMMON.get(round)
        } else {
            ODD.get(round * 2 + index % 3)
        };
        match (odd, &mut self.listed) {
            (Some(name), _) => (*name).to_owned(),
            (None, Some((names, used))) => {
                let name = names.draw(&mut self.rng, used);
                if COMMON.contains(&name.as_str()) || ODD.contains(&name.as_str()) {
                    format!("{name} West")
                } else {
                    name
                }
            }
            (None, None) => self.made_up(index),
        }
    }

    fn made_up(&mut self, index: usize) -> String {
        let stems = STREET_STEMS.len();
        let plain = stems * STREET_ENDS.len();
        let turn = (index * self.step + self.start) % plain;
        let name = format!(
            "{}{}",
            STREET_STEMS[turn % stems],
            STREET_ENDS[turn / stems]
        );
        match STREET_ROUNDS.get(index / plain) {
            Some(&"") if COMMON.contains(&name.as_str()) => format!("{name} West"),
            Some(&"") if self.rng.chance(125) => {
                format!("{}{name}", self.rng.pick(&STREET_PREFIXES))
            }
            Some(prefix) => format!("{prefix}{name}"),
            None => format!("{name} {}", index / plain),
        }
    }
}

/// The short form of a street name that is longer than 24 characters, in at most 24, in the manner of NEN 5825: known words are abbreviated,
/// then words from the left give way to their first letter.
pub(super) fn short_name(name: &str) -> Option<String> {
    const SHORT: usize = 24;
    if name.chars().count() <= SHORT {
        return None;
    }
    let mut words: Vec<String> = name.split(' ').map(abbreviate).collect();
    let last = words.len() - 1;
    for index in 0..last {
        if words.join(" ").chars().count() <= SHORT {
            break;
        }
        words[index] = words[index].chars().take(1).collect();
    }
    Some(
        words
            .join(" ")
            .chars()
            .take(SHORT)
            .collect::<String>()
            .trim_end()
            .to_owned(),
    )
}

fn abbreviate(word: &str) -> String {
    const WORDS: [(&str, &str); 8] = [
        ("van", "v"),
        ("de", "d"),
        ("der", "d"),
        ("den", "d"),
        ("het", "h"),
        ("Burgemeester", "Burg"),
        ("Verlengde", "Verl"),
        ("Eerste", "1e"),
    ];
    const ENDS: [(&str, &str); 8] = [
        ("straat", "str"),
        ("laan", "ln"),
        ("weg", "wg"),
        ("plein", "pln"),
        ("kade", "kd"),
        ("gracht", "gr"),
        ("singel", "sngl"),
        ("plantsoen", "plnts"),
    ];
    if let Some((_, short)) = WORDS.iter().find(|(long, _)| *long == word) {
        return (*short).to_owned();
    }
    let ended = ENDS
        .iter()
        .find_map(|(long, short)| word.strip_suffix(long).map(|stem| format!("{stem}{short}")));
    ended.unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_streets_of_a_town_and_no_two_towns_share_a_name() {
        let mut naming = StreetNaming::of(1, 0, None);
        let names: HashSet<String> = (0..20_000).map(|index| naming.name(index)).collect();
        assert_eq!(names.len(), 20_000);
        assert!(
            names
                .iter()
                .all(|name| (1..=LONGEST).contains(&name.chars().count()))
        );
        let towns: HashSet<String> = (0..2_500).map(|index| town(1, index)).collect();
        assert_eq!(towns.len(), 2_500);
    }

    #[test]
    fn long_names_have_a_short_form() {
        #[track_caller]
        fn case(name: &str, short: Option<&str>) {
            assert_eq!(short_name(name).as_deref(), short);
        }
        case("Kerkstraat", None);
        case("Voormalige Steenfabrieksweg", Some("V Steenfabriekswg"));
        case("Buitenplaats d’Oude Kwekerij", Some("B d’Oude Kwekerij"));
        assert!(
            ODD.iter()
                .filter_map(|name| short_name(name))
                .all(|short| (1..=24).contains(&short.chars().count()))
        );
    }

    #[test]
    fn listed_names_are_drawn_by_count_and_once_a_town() {
        let list =
            StreetNames::read("9\tLangeweg\n1\tKortesteeg\n".as_bytes()).expect("two good lines");
        let (mut rng, mut used) = (Rng::of(&[3]), HashSet::new());
        let mut drawn = [
            list.draw(&mut rng, &mut used),
            list.draw(&mut rng, &mut used),
        ];
        drawn.sort();
        assert_eq!(drawn, ["Kortesteeg", "Langeweg"]);
        assert!(list.draw(&mut rng, &mut used).starts_with("Wijk "));
    }

    #[test]
    fn a_bad_line_is_named() {
        #[track_caller]
        fn case(list: &str, message: &str) {
            let error = StreetNames::read(list.as_bytes())
                .expect_err("the list is bad")
                .to_string();
            assert!(error.contains(message), "{error}");
        }
        case("", "is empty");
        case("1\tKade\n0\tWeg\n", "line 2");
        case("Kade\n", "line 1");
        case("2\t Kade\n", "a name of 1 to 80 characters");
        case("2\tКады\n", "of MES-1");
    }
}
