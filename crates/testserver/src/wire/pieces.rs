//! Text in the small pieces that models stream.

/// Characters of one piece.
const LETTERS: usize = 5;

/// The pieces of a text, cut between characters. An empty text has none.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    let starts = (0..letters.len()).step_by(LETTERS);
    starts.map(move |start| letters.iter().skip(start).take(LETTERS).collect())
}
