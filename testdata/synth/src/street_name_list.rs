//! Reads a list of street names with their frequencies, and draws names from it.

use crate::rng::Rng;
use std::collections::HashSet;
use std::io::BufRead;

/// Maximum length of a name that the register accepts, in characters. Source: IMBAGLV_Objecten-2.1.0.xsd, OpenbareRuimte naam.
pub(crate) const MAX_NAME_CHARS: usize = 80;

/// Street names, each with a count. A name is drawn in proportion to its count.
#[derive(Debug, Clone)]
pub struct StreetNameList {
    names: Vec<String>,
    /// For each name, the sum of all counts up to and including its own.
    cumulative: Vec<u64>,
}

/// Why a list of street names was refused.
#[derive(Debug, thiserror::Error)]
pub enum StreetNameListError {
    /// The list could not be read.
    #[error("cannot read the street names: {0}")]
    Read(#[from] std::io::Error),
    /// A line is not a count, a tab and a name.
    #[error(
        "line {line} of the street names is {text:?}; expected a count of at least 1, a tab and a name of 1 to 80 characters of MES-1"
    )]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// The list has no lines.
    #[error("the list of street names is empty; expected lines of a count, a tab and a name")]
    Empty,
}

impl StreetNameList {
    /// Reads lines of `count<TAB>name`.
    ///
    /// # Errors
    /// When the list cannot be read, is empty, or has a line in another form. A name has 1 to 80 characters of the register's
    /// character set and does not begin with a space.
    pub fn read(list: impl BufRead) -> Result<Self, StreetNameListError> {
        let mut read = Self {
            names: Vec::new(),
            cumulative: Vec::new(),
        };
        let mut sum: u64 = 0;
        for (index, line) in list.lines().enumerate() {
            let line = line?;
            let (count, name) = parse_line(&line).ok_or_else(|| StreetNameListError::Line {
                line: index + 1,
                text: line.clone(),
            })?;
            sum = sum.saturating_add(u64::from(count));
            read.names.push(name.to_owned());
            read.cumulative.push(sum);
        }
        if read.names.is_empty() {
            Err(StreetNameListError::Empty)
        } else {
            Ok(read)
        }
    }

    /// Draws a name whose index is not in `used`, and adds its index to `used`. If all names are used, makes a numbered name.
    pub(crate) fn draw(&self, rng: &mut Rng, used: &mut HashSet<usize>) -> String {
        let total = self.cumulative.last().copied().unwrap_or(0);
        let drawn = rng.below(total);
        let first = self
            .cumulative
            .partition_point(|&cumulative| cumulative <= drawn);
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

fn parse_line(line: &str) -> Option<(u32, &str)> {
    let (count, name) = line.split_once('\t')?;
    let count = count.parse().ok().filter(|&count| count > 0)?;
    let fits = (1..=MAX_NAME_CHARS).contains(&name.chars().count())
        && !name.starts_with(char::is_whitespace);
    (fits && name.chars().all(in_mes_1)).then_some((count, name))
}

/// True for characters that are allowed in names and document numbers. Source: IMBAGLV_DatatypenAlgemeen-2.1.0.xsd, MES1.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_names_are_drawn_by_count_and_once_per_town() {
        let list = StreetNameList::read("9\tLangeweg\n1\tKortesteeg\n".as_bytes())
            .expect("two good lines");
        let (mut rng, mut used) = (Rng::from_path(&[3]), HashSet::new());
        let mut drawn = [
            list.draw(&mut rng, &mut used),
            list.draw(&mut rng, &mut used),
        ];
        drawn.sort();
        assert_eq!(drawn, ["Kortesteeg", "Langeweg"]);
        assert!(list.draw(&mut rng, &mut used).starts_with("Wijk "));
    }

    #[test]
    fn the_error_for_a_bad_line_quotes_the_line() {
        #[track_caller]
        fn case(list: &str, message: &str) {
            let error = StreetNameList::read(list.as_bytes())
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
