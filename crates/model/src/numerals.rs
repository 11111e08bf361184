//! How numbers are written for people.

/// No number is written with more decimals than this.
const MOST_DECIMALS: usize = 9;

/// Formats a count with separators between thousands.
///
/// ```
/// assert_eq!(haggle_model::numerals::thousands(30_162), "30,162");
/// ```
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns a count with its noun, in the plural unless it is one.
///
/// ```
/// use haggle_model::numerals::counted;
///
/// assert_eq!(counted(1, "level"), "1 level");
/// assert_eq!(counted(1200, "record"), "1,200 records");
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// Formats a number; very small and very large ones in scientific notation.
///
/// ```
/// assert_eq!(haggle_model::numerals::number(0.25), "0.25");
/// assert_eq!(haggle_model::numerals::number(5e-324), "5e-324");
/// ```
pub fn number(value: f64) -> String {
    let plain = value == 0.0 || (1e-6..1e15).contains(&value.abs()) || !value.is_finite();
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// Formats a number with separators between thousands. Very large numbers, and those that need very
/// many decimals, are written by their power of ten.
///
/// ```
/// use haggle_model::numerals::grouped;
///
/// assert_eq!(grouped(-1_234_567.0, 0), "-1,234,567");
/// assert_eq!(grouped(2e12, 0), "2·10^12");
/// ```
pub fn grouped(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return unbounded(number).to_owned();
    }
    if number.abs() >= 1e9 || (number != 0.0 && decimals > MOST_DECIMALS) {
        return by_power_of_ten(number);
    }
    let decimals = decimals.min(MOST_DECIMALS);
    let text = format!("{:.decimals$}", number.abs());
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), ""), |parts| parts);
    let digits = thousands(whole.parse().unwrap_or_default());
    let sign = if number < 0.0 && text.contains(|c: char| c.is_ascii_digit() && c != '0') {
        "-"
    } else {
        ""
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{sign}{digits}{point}{fraction}")
}

/// Formats a number by its power of ten.
pub fn by_power_of_ten(number: f64) -> String {
    let text = format!("{number:.0e}").replace('e', "·10^");
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let digits = digits.strip_prefix("1·").unwrap_or(digits);
    format!("{sign}{digits}")
}

fn unbounded(number: f64) -> &'static str {
    match number {
        _ if number.is_nan() => "–",
        _ if number > 0.0 => "∞",
        _ => "-∞",
    }
}

/// Formats a number of records with its share of all records.
///
/// ```
/// use haggle_model::numerals::records;
///
/// assert_eq!(records(170, 30_162), "170 records (0.56 %)");
/// assert_eq!(records(1, 30_162), "1 record (0.003 %)");
/// ```
pub fn records(part: u64, all: u64) -> String {
    let share = 100.0 * part as f64 / all.max(1) as f64;
    let decimals = if share > 0.0 && share < 0.1 { 3 } else { 2 };
    let noun = if part == 1 { "record" } else { "records" };
    format!("{} {noun} ({share:.decimals$} %)", grouped(part as f64, 0))
}
