//! What a file holds, whatever language it is written in, with the place of everything in it.

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// The byte of the text.
    pub(crate) at: usize,
    pub(crate) content: Content,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    Text(String),
    Whole(i128),
    Real(f64),
    Switch(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// Something that no setting is: a date, `null`.
    Other(&'static str),
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// The byte at which the key begins.
    pub(crate) at: usize,
    pub(crate) value: Node,
}

/// A text that is no file of its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Malformed {
    pub(crate) at: usize,
    /// The key that it is about; `None`: that of the line, if it has one.
    pub(crate) key: Option<String>,
    pub(crate) why: String,
}

impl Malformed {
    /// A text that is wrong at this byte.
    pub(crate) fn new(at: usize, why: impl Into<String>) -> Self {
        Self { at, key: None, why: why.into() }
    }
}

impl Content {
    /// What it is, for the user.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Text(_) => "a text",
            Self::Whole(_) | Self::Real(_) => "a number",
            Self::Switch(_) => "true or false",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Other(name) => name,
        }
    }
}
