//! The known name that a wrong one was probably meant to be.

use throughline_conversation::{edit_distance, first_chars};

/// Most characters of a wrong name that are looked at.
const LONGEST: usize = 100;

/// The nearest of these names, when one is near enough to be meant.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // No name is as long as what somebody may have written in its place.
    let start = first_chars(wrong, LONGEST).to_lowercase();
    let far = |name: &str| edit_distance(&start, &name.to_lowercase());
    let most = (wrong.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .map(|name| (far(name), name))
        .filter(|(far, _)| *far <= most)
        .min()
        .map(|(_, name)| name)
}
