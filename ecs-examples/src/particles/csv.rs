//! The file format of a state: a header, then one disc per line, every float as the shortest
//! number that reads back to the same bits.

use super::{Disc, MAX_RADIUS};
use std::collections::HashSet;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::str::FromStr;

/// The columns of a state file, in order. Lengths are in pixels, times in seconds; `ax` and `ay`
/// are the acceleration, `a` is alpha.
pub const COLUMNS: [&str; 13] =
    ["id", "px", "py", "vx", "vy", "ax", "ay", "r", "g", "b", "a", "radius", "life"];

/// Maximum length of a line, in bytes. Lines of this format are much shorter. A file that
/// is not text is rejected before it fills the memory.
const LONGEST_LINE: u64 = 4096;

/// Reads a state: the discs with their ids, in the order of the file, in which systems
/// visit them. Lines may end with `\n` or `\r\n`; empty lines are skipped.
///
/// # Errors
///
/// If the input cannot be read; if the header is not exactly [`COLUMNS`]; if a line has too few or
/// too many fields; if an id occurs twice; if a float is not a finite number, a
/// colour is not a whole number from 0 to 255, or a radius is not from 0 to [`MAX_RADIUS`].
pub fn read(input: impl BufRead) -> Result<Vec<(u32, Disc)>, ReadError> {
    let mut lines = Lines { input, number: 0, text: String::new() };
    if !lines.next()? || lines.text.trim_start_matches('\u{FEFF}') != COLUMNS.join(",") {
        return Err(lines.error(format_args!("the header must be {}", COLUMNS.join(","))));
    }
    let mut discs: Vec<(u32, Disc)> = Vec::new();
    let mut ids = HashSet::new();
    while lines.next()? {
        if lines.text.is_empty() {
            continue;
        }
        let row = Row::new(&lines.text)
            .and_then(|row| {
                let id = row.id()?;
                if !ids.insert(id) {
                    return Err(format!("column id: \"{id}\" comes twice"));
                }
                Ok((id, row.disc()?))
            })
            .map_err(|message| lines.error(message))?;
        discs.push(row);
    }
    Ok(discs)
}

/// Writes the header of a state file.
///
/// # Errors
///
/// If `output` cannot be written.
pub fn write_header(output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "{}", COLUMNS.join(","))
}

/// Writes one disc as a line of a state file.
///
/// # Errors
///
/// If `output` cannot be written.
pub fn write_disc(output: &mut dyn Write, id: u32, disc: &Disc) -> io::Result<()> {
    let Disc {
        position: [px, py],
        velocity: [vx, vy],
        acceleration: [ax, ay],
        color: [r, g, b, a],
        radius,
        life,
    } = disc;
    writeln!(output, "{id},{px},{py},{vx},{vy},{ax},{ay},{r},{g},{b},{a},{radius},{life}")
}

/// Why a state could not be read, and in which line (counted from 1).
#[derive(Debug)]
pub struct ReadError {
    line: u64,
    message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

/// The lines of a file, one at a time, without line ends.
struct Lines<R> {
    input: R,
    number: u64,
    text: String,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line, if there is one.
    fn next(&mut self) -> Result<bool, ReadError> {
        self.number += 1;
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| self.error(error))?;
        if read as u64 == LONGEST_LINE {
            return Err(self.error(format_args!("is longer than {LONGEST_LINE} bytes")));
        }
        // Bytes that are not text become a character that no number contains.
        self.text.clear();
        self.text.push_str(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']));
        Ok(read > 0)
    }

    fn error(&self, message: impl fmt::Display) -> ReadError {
        ReadError { line: self.number, message: message.to_string() }
    }
}

/// The fields of a line. Its errors do not include the line number.
struct Row<'a>([&'a str; COLUMNS.len()]);

impl<'a> Row<'a> {
    fn new(line: &'a str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split(',').collect();
        fields.try_into().map(Row).map_err(|fields: Vec<&str>| {
            let (found, wanted) = (fields.len(), COLUMNS.len());
            format!("{found} fields where {wanted} belong: {}", COLUMNS.join(","))
        })
    }

    fn id(&self) -> Result<u32, String> {
        self.parsed(0).ok_or_else(|| self.not(0, "a whole number from 0 to 4294967295"))
    }

    fn disc(&self) -> Result<Disc, String> {
        Ok(Disc {
            position: [self.float(1)?, self.float(2)?],
            velocity: [self.float(3)?, self.float(4)?],
            acceleration: [self.float(5)?, self.float(6)?],
            color: [self.byte(7)?, self.byte(8)?, self.byte(9)?, self.byte(10)?],
            radius: self.radius(11)?,
            life: self.float(12)?,
        })
    }

    fn byte(&self, column: usize) -> Result<u8, String> {
        self.parsed(column).ok_or_else(|| self.not(column, "a whole number from 0 to 255"))
    }

    fn float(&self, column: usize) -> Result<f32, String> {
        let value: Option<f32> = self.parsed(column);
        value.filter(|value| value.is_finite()).ok_or_else(|| self.not(column, "a finite number"))
    }

    fn radius(&self, column: usize) -> Result<f32, String> {
        let value = self.float(column)?;
        if (0.0..=MAX_RADIUS).contains(&value) {
            return Ok(value);
        }
        Err(self.not(column, format_args!("a number from 0 to {MAX_RADIUS}")))
    }

    fn parsed<T: FromStr>(&self, column: usize) -> Option<T> {
        self.0[column].parse().ok()
    }

    fn not(&self, column: usize, wanted: impl fmt::Display) -> String {
        format!("column {}: {:?} is not {wanted}", COLUMNS[column], self.0[column])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::random_discs;

    const HEADER: &str = "id,px,py,vx,vy,ax,ay,r,g,b,a,radius,life\n";
    const GOOD: &str = "3,1.5,2,-0.25,0,0,1,1,2,3,255,0.5,5\n";

    fn message(text: &str) -> String {
        read(text.as_bytes()).expect_err("the text is malformed").to_string()
    }

    fn written(discs: &[(u32, Disc)]) -> Vec<u8> {
        let mut text = Vec::new();
        write_header(&mut text).expect("memory can be written");
        for (id, disc) in discs {
            write_disc(&mut text, *id, disc).expect("memory can be written");
        }
        text
    }

    #[test]
    fn reads_what_it_wrote_bit_for_bit() {
        let mut discs: Vec<(u32, Disc)> = (0..).zip(random_discs(500, 1)).collect();
        let extremes = [-0.0, f32::MIN_POSITIVE, 1.0e-45, f32::MAX, -1.0e30, 0.1, 16_777_217.0];
        for (&extreme, (_, disc)) in extremes.iter().zip(&mut discs) {
            disc.velocity[0] = extreme;
        }
        discs.remove(17);
        let text = written(&discs);
        let again = read(&text[..]).expect("the text is well formed");
        assert_eq!(again, discs);
        assert_eq!(written(&again), text, "minus zero included");
    }

    #[test]
    fn a_header_alone_is_a_state_without_discs() {
        assert_eq!(read(HEADER.as_bytes()).expect("the text is well formed"), []);
        assert_eq!(read(HEADER.trim_end().as_bytes()).expect("the text is well formed"), []);
    }

    #[test]
    fn the_line_ends_of_other_systems_are_fine() {
        let text = format!("{HEADER}{GOOD}").replace('\n', "\r\n");
        assert_eq!(read(text.as_bytes()).expect("the text is well formed").len(), 1);
    }

    #[test]
    fn names_line_and_column_of_a_bad_field() {
        let cases = [
            ("4,x,", "column px: \"x\" is not a finite number"),
            ("4,,", "column px: \"\" is not a finite number"),
            ("4,NaN,", "column px: \"NaN\" is not a finite number"),
            ("4,-inf,", "column px: \"-inf\" is not a finite number"),
            ("4,1e39,", "column px: \"1e39\" is not a finite number"),
            ("-1,0,", "column id: \"-1\" is not a whole number from 0 to 4294967295"),
            ("3,0,", "column id: \"3\" comes twice"),
        ];
        for (start, expected) in cases {
            let text = format!("{HEADER}{GOOD}{start}0,0,0,0,1,1,2,3,255,0.5,5\n");
            assert_eq!(message(&text), format!("line 3: {expected}"));
        }
        for (end, expected) in [
            ("256,0.5,5", "column a: \"256\" is not a whole number from 0 to 255"),
            ("-1,0.5,5", "column a: \"-1\" is not a whole number from 0 to 255"),
            ("1.0,0.5,5", "column a: \"1.0\" is not a whole number from 0 to 255"),
            ("255,-0.5,5", "column radius: \"-0.5\" is not a number from 0 to 450"),
            ("255,450.5,5", "column radius: \"450.5\" is not a number from 0 to 450"),
            ("255,0.5,nan", "column life: \"nan\" is not a finite number"),
        ] {
            let text = format!("{HEADER}{GOOD}4,0,0,0,0,0,1,1,2,3,{end}\n");
            assert_eq!(message(&text), format!("line 3: {expected}"));
        }
    }

    #[test]
    fn counts_fields_and_checks_the_header() {
        let short = format!("{HEADER}{GOOD}4,0,0\n");
        assert!(message(&short).starts_with("line 3: 3 fields where 13 belong"));
        let long = format!("{HEADER}{}", GOOD.replace('\n', ",1\n"));
        assert!(message(&long).starts_with("line 2: 14 fields where 13 belong"));
        assert!(message("").starts_with("line 1: the header must be id,px,"));
        assert!(message(GOOD).starts_with("line 1: the header must be id,px,"));
        assert!(message(&HEADER.replace("vx,vy", "vy,vx")).starts_with("line 1: the header must"));
    }

    #[test]
    fn bytes_that_are_no_text_are_a_bad_field() {
        let mut text = format!("{HEADER}3,").into_bytes();
        text.extend([0xFF, 0xFE]);
        text.extend(b",2,0,0,0,1,1,2,3,255,0.5,5\n");
        let error = read(&text[..]).expect_err("the text is malformed");
        assert!(error.to_string().starts_with("line 2: column px"), "{error}");
    }

    #[test]
    fn what_is_no_text_at_all_is_given_up_early() {
        let error = read(io::BufReader::new(io::repeat(b'7'))).expect_err("it never ends");
        assert_eq!(error.to_string(), "line 1: is longer than 4096 bytes");
    }

    #[test]
    fn empty_lines_are_skipped_and_counted() {
        let text = format!("{HEADER}\n{GOOD}\n\n4,x,0,0,0,0,1,1,2,3,255,0.5,5\n");
        assert!(message(&text).starts_with("line 6: column px"), "{}", message(&text));
    }
}
