//! Points between axes, made of characters.

use super::axis::Axis;

const WIDTH: usize = 64;
const HEIGHT: usize = 16;

/// A field of characters between two axes.
pub(super) struct Grid<'a> {
    x: &'a Axis,
    y: &'a Axis,
    rows: Vec<Vec<char>>,
}

impl<'a> Grid<'a> {
    pub(super) fn new(x: &'a Axis, y: &'a Axis) -> Self {
        Self { x, y, rows: vec![vec![' '; WIDTH + 1]; HEIGHT + 1] }
    }

    fn column(&self, value: f64) -> usize {
        (self.x.place(value) * WIDTH as f64).round() as usize
    }

    fn row(&self, value: f64) -> usize {
        HEIGHT - (self.y.place(value) * HEIGHT as f64).round() as usize
    }

    pub(super) fn mark(&mut self, x: f64, y: f64, sign: char) {
        let (row, column) = (self.row(y), self.column(x));
        self.rows[row][column] = sign;
    }

    /// A line from the bottom to the top.
    pub(super) fn upright(&mut self, x: f64, sign: char) {
        let column = self.column(x);
        self.rows.iter_mut().for_each(|row| row[column] = sign);
    }

    /// The field with its numbers and the names of its axes.
    pub(super) fn text(&self, x: &str, y: &str) -> String {
        let label = |row: usize| {
            let tick = self.y.ticks.iter().find(|&&tick| self.row(tick) == row);
            tick.map(|&tick| self.y.label(tick))
        };
        let labels: Vec<Option<String>> = (0..=HEIGHT).map(label).collect();
        let widest = labels.iter().flatten().map(|label| label.chars().count()).max().unwrap_or(0);
        let line = |(row, label): (&Vec<char>, &Option<String>)| {
            let signs: String = row.iter().collect();
            let (label, edge) = label.as_ref().map_or(("", '|'), |label| (label.as_str(), '+'));
            format!("{}\n", format!("{label:>widest$} {edge}{signs}").trim_end())
        };
        let field: String = self.rows.iter().zip(&labels).map(line).collect();
        let margin = " ".repeat(widest + 2);
        let (strokes, numbers) = self.below();
        let (x, y) = (format!("{x}{}", self.x.manner()), format!("{y}{}", self.y.manner()));
        format!(
            "{y}\n{field}{}+{strokes}\n{}\n{margin}{x}\n",
            " ".repeat(widest + 1),
            format!("{margin}{numbers}").trim_end()
        )
    }

    /// The horizontal axis and the numbers below it, as many as have room.
    fn below(&self) -> (String, String) {
        let mut strokes = vec!['-'; WIDTH + 1];
        let mut numbers = String::new();
        for &tick in &self.x.ticks {
            let (at, label) = (self.column(tick), self.x.label(tick));
            let begin = at.saturating_sub(label.chars().count() / 2);
            let used = numbers.chars().count();
            if used == 0 || begin > used {
                numbers += &" ".repeat(begin - used.min(begin));
                numbers += &label;
                strokes[at] = '+';
            }
        }
        (strokes.into_iter().collect(), numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_between_numbered_axes() {
        let (x, y) = (Axis::covering([2.0, 10.0], 4), Axis::covering([0.0, 1.0], 2));
        let mut grid = Grid::new(&x, &y);
        grid.mark(2.0, 0.0, '*');
        grid.mark(10.0, 1.0, 'K');
        let text = grid.text("k", "loss");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "loss");
        assert!(lines[1].starts_with("1.0 +") && lines[1].ends_with('K'), "{text}");
        assert!(lines[17].starts_with("0.0 +*"), "{text}");
        assert_eq!(lines[19].split_whitespace().collect::<Vec<_>>(), ["2", "4", "6", "8", "10"]);
        assert!(lines.iter().all(|line| line.len() < 80), "{text}");
    }
}
