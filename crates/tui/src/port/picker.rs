//! Rows to choose from.

/// Rows to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Picker {
    /// Its name in the answers, for example `resume`.
    pub id: String,
    /// What is chosen.
    pub title: String,
    /// Headers of the cells; may be empty.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<PickerRow>,
    /// The letters that choose the rows, in their order, for a question with a few answers. A row also has its number. Without
    /// letters, only the arrows choose.
    pub letters: Vec<char>,
    /// Rows that Ctrl+A adds after the others.
    pub more: Vec<PickerRow>,
    /// Indices of the columns with figures, which stand at the right.
    pub figures: Vec<usize>,
    /// Whether the first cell of a row can be changed (Ctrl+R).
    pub renames: bool,
    /// Whether rows have a preview (Tab).
    pub previews: bool,
    /// The initial text of the search box.
    pub search: String,
    /// It opens without a request of the user: keys that were pressed before it can be read go to the input, and input that is
    /// queued answers it, so that it does not open.
    pub unasked: bool,
}

/// A row of a picker.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PickerRow {
    /// Its name in the answers.
    pub id: String,
    /// Its cells: the first is the title and gets the room that the others leave.
    pub cells: Vec<String>,
    /// Lines about it, shown below the rows while it is chosen.
    pub notes: Vec<String>,
    /// Its preview; if `None`, it is requested by [`Act::Preview`](super::Act::Preview) when needed.
    pub preview: Option<String>,
}
