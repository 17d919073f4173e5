//! Rows of the live part that a resize pushed above the edge of the screen, where nothing can erase them. A terminal that becomes
//! larger shows them again.

/// Those rows, from the top: the columns of the text of each. They are directly above the live part.
#[derive(Debug, Default)]
pub(super) struct PushedRows {
    widths: Vec<u16>,
}

impl PushedRows {
    /// Rows that they take on a terminal of this width.
    pub(super) fn rows(&self, columns: u16) -> usize {
        self.widths.iter().map(|width| broken(*width, columns)).sum()
    }

    /// The live part was cleared, as far as a screen of this size could show it. `live`: its rows above the cursor, by the columns of
    /// their text. A terminal may show more rows below the cursor, and so fewer above it: this is the least that is left.
    pub(super) fn keep_unseen(&mut self, live: impl Iterator<Item = u16>, columns: u16, rows: u16) {
        self.widths.extend(live);
        let mut left = self.rows(columns).saturating_sub(usize::from(rows.saturating_sub(1)));
        self.widths.retain_mut(|width| {
            let (seen, unseen) = (left, broken(*width, columns));
            left = left.saturating_sub(unseen);
            if seen > 0 && seen < unseen {
                *width = super::cells_of(seen).saturating_mul(columns);
            }
            seen > 0
        });
    }

    /// Something was printed below them.
    pub(super) fn forget(&mut self) {
        self.widths.clear();
    }
}

/// Rows of a text on a terminal of this width.
pub(super) fn broken(width: u16, columns: u16) -> usize {
    usize::from(width.div_ceil(columns.max(1)).max(1))
}
