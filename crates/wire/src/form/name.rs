//! Ids and tool names in a form that every provider accepts.

/// Longest id that OpenAI takes for a tool call.
const ID_CHARS: usize = 40;

/// Longest tool name.
const NAME_CHARS: usize = 64;

/// How the ids of calls are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CallIdForm {
    /// Letters, digits, `_` and `-`, at most 40 of them: every large provider takes these.
    #[default]
    Plain,
    /// As the server wrote them: the template of Kimi reads the names of tools out of its ids.
    AsGiven,
    /// Nine letters or digits, which Mistral asks for.
    NineLetters,
}

impl CallIdForm {
    /// The id in this form. One that fits is not changed; different ids stay different.
    pub(crate) fn of(self, id: &str) -> String {
        let is_given = (1..=NAME_CHARS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        let is_nine = id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match self {
            Self::AsGiven if is_given => id.to_owned(),
            Self::NineLetters if is_nine => id.to_owned(),
            Self::NineLetters => nine_letters(fnv1a(id.as_bytes())),
            Self::Plain | Self::AsGiven => wire_id(id),
        }
    }
}

/// Nine digits of base 62.
fn nine_letters(mut hash: u64) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut digit = || {
        let at = usize::try_from(hash % 62).unwrap_or_default();
        hash /= 62;
        DIGITS.get(at).copied().map_or('0', char::from)
    };
    (0..9).map(|_| digit()).collect()
}

/// A call's id: letters, digits, `_` and `-`, at most 40 of them.
///
/// Ids are made by the provider that answered, and another one may refuse them (Anthropic: the alphabet, OpenAI:
/// the length). One that fits is not changed; another is made fit in a way that keeps two different ids apart.
pub(crate) fn wire_id(id: &str) -> String {
    if fits(id, ID_CHARS) {
        return id.to_owned();
    }
    let readable: String = plain(id).take(ID_CHARS - 17).collect();
    format!("{readable}-{:016x}", fnv1a(id.as_bytes()))
}

/// A tool's name as a model wrote it, possibly one that no tool has.
pub(crate) fn wire_name(name: &str) -> String {
    if fits(name, NAME_CHARS) {
        name.to_owned()
    } else {
        plain(name).take(NAME_CHARS).chain(blank(name)).collect()
    }
}

fn blank(name: &str) -> Option<char> {
    name.is_empty().then_some('_')
}

fn fits(text: &str, most: usize) -> bool {
    !text.is_empty() && text.len() <= most && text.bytes().all(|byte| is_plain(char::from(byte)))
}

fn plain(text: &str) -> impl Iterator<Item = char> {
    text.chars().map(|letter| if is_plain(letter) { letter } else { '_' })
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// The 64-bit FNV-1a hash: stable over versions and machines, unlike the standard library's hasher.
fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests;
