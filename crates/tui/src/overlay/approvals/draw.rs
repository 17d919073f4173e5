//! Draws the first question.

use std::time::Instant;

use throughline_permission::ApprovalRequest;

use super::Approvals;
use super::answers::{keys, one_row, path_line, title};
use crate::calls::{bounded, changes_in, path};
use crate::layout::{break_at_width, wrap};
use crate::line::{DIM, Line};
use crate::live::Live;

impl Approvals {
    /// The first question in up to this many rows.
    pub(in crate::overlay) fn draw(&self, columns: usize, rows: usize, now: Instant) -> Live {
        let Some(question) = self.waiting.front() else { return Live::default() };
        let ApprovalRequest { call, why, rule, access: _ } = &question.request;
        let path = path(&call.input);
        let (title, is_whole) = title(&call.name, path.as_deref(), self.waiting.len() - 1, columns);
        let mut foot = Vec::new();
        if !why.trim().is_empty() {
            foot.extend(wrap(&Line::styled(one_row(why), DIM), columns));
            foot.truncate(2);
        }
        let mut cursor = None;
        if let Some(typed) = &self.typed {
            let typed = typed.lines(columns);
            cursor = Some(typed.cursor);
            foot.extend(typed.lines);
        } else {
            let chosen = self.chosen.and_then(|at| self.answers().get(at).copied());
            foot.extend(keys(&self.answers(), rule.as_deref(), chosen, self.is_shielded(now), columns));
        }
        let path = path.filter(|_| !is_whole).map(path_line);
        let whole: Vec<Line> = path
            .into_iter()
            .chain(changes_in(question.excerpt.as_deref(), &call.name, &call.input))
            .flat_map(|line| break_at_width(&line, columns.saturating_sub(2)))
            .collect();
        let room = rows.saturating_sub(1 + foot.len() + 1).max(1);
        let cut = whole.len() > room;
        let mut lines = vec![title];
        for line in bounded(whole, if cut { room.saturating_sub(1) } else { room }) {
            let mut indented = Line::plain("  ");
            indented.append(line);
            lines.push(indented);
        }
        if cut && let Some(last) = lines.last_mut() {
            last.add(" (v shows all)", DIM);
        }
        lines.extend(foot);
        let bottom = lines.len();
        let cursor = cursor.map(|(up, column)| (bottom.saturating_sub(1 + up), column));
        Live { lines, cursor }
    }
}
