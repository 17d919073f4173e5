//! Commands of vim's normal mode.

/// Where a motion leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Motion {
    Left,
    Right,
    Up,
    Down,
    /// The start of the next word. `big`: words are separated by white space only.
    NextWord {
        big: bool,
    },
    PreviousWord {
        big: bool,
    },
    WordEnd {
        big: bool,
    },
    LineStart,
    FirstLetter,
    LineEnd,
    /// The line of the count, else the first.
    FirstLine,
    /// The line of the count, else the last.
    LastLine,
    Find(Find),
    /// The whole line, and as many below it as the count says.
    Lines,
}

/// A search for a letter in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) letter: char,
    pub(crate) forward: bool,
    /// It stops next to the letter.
    pub(crate) until: bool,
    /// It is repeated, so that a letter next to the cursor is passed.
    pub(crate) again: bool,
}

/// What an operator works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Motion(Motion),
    /// The word at the cursor, with the white space behind it if `around`.
    Word {
        around: bool,
        big: bool,
    },
}

/// What is done with a part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Delete,
    Change,
    Yank,
}

/// Where letters are inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InsertAt {
    Cursor,
    Behind,
    FirstLetter,
    LineEnd,
    LineBelow,
    LineAbove,
}

/// A command of the normal mode. `count`: how often; `None`: none was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VimCommand {
    Move {
        motion: Motion,
        count: Option<usize>,
    },
    Operate {
        operator: Operator,
        target: Target,
        count: Option<usize>,
    },
    Insert {
        at: InsertAt,
        count: usize,
    },
    Replace {
        letter: char,
        count: usize,
    },
    ToggleCase {
        count: usize,
    },
    Join {
        count: usize,
    },
    Put {
        before: bool,
        count: usize,
    },
    Undo {
        count: usize,
    },
    Redo {
        count: usize,
    },
    /// The insert mode ends.
    EndInsert,
}
