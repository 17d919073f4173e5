//! A table as aligned columns; one that does not fit is shown row by row.

use pulldown_cmark::Alignment;

use crate::columns::{GAP, side_by_side};
use crate::layout::{narrowed, wrap, wrap_hanging};
use crate::line::{BOLD, DIM, Line};

/// A table while it is read.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) rows: Vec<Vec<Line>>,
}

impl Table {
    pub(super) fn render(&self, columns: usize) -> Vec<Line> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let wanted: Vec<usize> = (0..count).map(|column| self.widest(column)).collect();
        let gaps = count.saturating_sub(1) * GAP;
        match fitted(&wanted, columns.saturating_sub(gaps)) {
            Some(widths) => self.grid(&widths),
            None => self.list(columns),
        }
    }

    fn widest(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        cells.map(Line::width).max().unwrap_or(0)
    }

    fn grid(&self, widths: &[usize]) -> Vec<Line> {
        let mut lines = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let wrapped = |(cell, width): (&Line, &usize)| wrap(cell, *width);
            let cells: Vec<Vec<Line>> = row.iter().zip(widths).map(wrapped).collect();
            lines.extend(side_by_side(&cells, widths, |column, free| self.before(column, free)));
            if index == 0 {
                let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                lines.push(Line::styled(rules.join(&" ".repeat(GAP)), DIM));
            }
        }
        lines
    }

    /// Spaces in front of a cell that leaves this room.
    fn before(&self, column: usize, free: usize) -> usize {
        match self.alignments.get(column) {
            Some(Alignment::Right) => free,
            Some(Alignment::Center) => free / 2,
            _ => 0,
        }
    }

    /// Each row as `header: cell` lines.
    fn list(&self, columns: usize) -> Vec<Line> {
        let mut rows = self.rows.iter();
        let headers = rows.next().cloned().unwrap_or_default();
        let mut lines = Vec::new();
        for row in rows {
            if !lines.is_empty() {
                lines.push(Line::blank());
            }
            for (index, cell) in row.iter().enumerate() {
                let mut line = Line::styled(headers.get(index).map(Line::text).unwrap_or_default(), BOLD);
                line.add(": ", BOLD);
                line.append(cell.clone());
                lines.extend(wrap_hanging(&Line::blank(), &Line::blank(), &line, columns));
            }
        }
        lines
    }
}

/// The widths of columns in this room; `None`: too narrow to be read.
fn fitted(wanted: &[usize], room: usize) -> Option<Vec<usize>> {
    let widths = narrowed(wanted, room)?;
    // A table whose cells would be wrapped much is read better row by row.
    let lost = wanted.iter().sum::<usize>().saturating_sub(widths.iter().sum());
    (lost * 4 <= wanted.iter().sum::<usize>()).then_some(widths)
}
