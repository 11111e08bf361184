//! The proleptic Gregorian calendar and the weeks of ISO 8601.

/// A day that exists, in a year from 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    pub(super) year: u16,
    pub(super) month: u8,
    pub(super) day: u8,
}

impl Date {
    pub(super) fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let exists = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        exists.then_some(Self { year, month, day })
    }

    /// Days since the first day of the year 1, which was a Monday.
    pub(super) fn days(self) -> u32 {
        days_before(self.year) + self.day_of_year() - 1
    }

    /// The day that is this many days after the first day of the year 1.
    pub(super) fn of_days(days: u32) -> Self {
        let mut year = (days / 366 + 1).min(9999) as u16;
        while year < 9999 && days_before(year + 1) <= days {
            year += 1;
        }
        let (mut month, mut rest) = (1, days - days_before(year));
        while month < 12 && rest >= u32::from(days_in(year, month)) {
            rest -= u32::from(days_in(year, month));
            month += 1;
        }
        Self { year, month, day: rest.min(30) as u8 + 1 }
    }

    /// From 1.
    fn day_of_year(self) -> u32 {
        let months = (1..self.month).map(|month| u32::from(days_in(self.year, month)));
        months.sum::<u32>() + u32::from(self.day)
    }

    /// The ISO year and week: a week belongs to the year that its Thursday lies in.
    pub(super) fn iso_week(self) -> (u16, u8) {
        let weekday = self.days() % 7; // 0 is Monday
        let thursday = i64::from(self.day_of_year()) + 3 - i64::from(weekday);
        let length = |year: u16| if is_leap(year) { 366 } else { 365 };
        let (year, day) = if thursday < 1 {
            (self.year - 1, thursday + length(self.year - 1))
        } else if thursday > length(self.year) {
            (self.year + 1, thursday - length(self.year))
        } else {
            (self.year, thursday)
        };
        (year, ((day - 1) / 7 + 1) as u8)
    }
}

/// The days of all years before this one.
fn days_before(year: u16) -> u32 {
    let before = u32::from(year) - 1;
    365 * before + before / 4 - before / 100 + before / 400
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn week(year: u16, month: u8, day: u8) -> (u16, u8) {
        Date::new(year, month, day).unwrap().iso_week()
    }

    #[test]
    fn weeks_are_those_of_the_standard() {
        assert_eq!(week(2005, 1, 1), (2004, 53));
        assert_eq!(week(2005, 1, 2), (2004, 53));
        assert_eq!(week(2005, 12, 31), (2005, 52));
        assert_eq!(week(2007, 1, 1), (2007, 1));
        assert_eq!(week(2008, 12, 29), (2009, 1));
        assert_eq!(week(2010, 1, 3), (2009, 53));
        assert_eq!(week(2024, 2, 29), (2024, 9));
        assert_eq!(week(1, 1, 1), (1, 1));
        assert_eq!(week(9999, 12, 31), (9999, 52));
    }

    #[test]
    fn every_seventh_day_begins_a_week_and_no_other() {
        let months = (2000..2030).flat_map(|year| (1..=12).map(move |month| (year, month)));
        let days: Vec<Date> = months
            .flat_map(|(year, month)| (1..=31).filter_map(move |d| Date::new(year, month, d)))
            .collect();
        assert_eq!(days.len(), 30 * 365 + 8);
        for pair in days.windows(2) {
            assert_eq!(pair[1].days(), pair[0].days() + 1);
            assert_eq!(Date::of_days(pair[1].days()), pair[1]);
            let monday = pair[1].days().is_multiple_of(7);
            assert_eq!(pair[0].iso_week() != pair[1].iso_week(), monday, "{pair:?}");
        }
    }

    #[test]
    fn days_are_counted_from_the_year_1_to_9999() {
        for (year, month, day) in [(1, 1, 1), (1, 12, 31), (2000, 2, 29), (9999, 12, 31)] {
            let date = Date::new(year, month, day).unwrap();
            assert_eq!(Date::of_days(date.days()), date);
        }
    }

    #[test]
    fn days_that_do_not_exist_are_refused() {
        let none =
            [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (0, 1, 1)];
        assert!(none.iter().all(|&(year, month, day)| Date::new(year, month, day).is_none()));
        assert!(Date::new(2000, 2, 29).is_some());
    }
}
