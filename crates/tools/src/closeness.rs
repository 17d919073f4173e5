//! Which names are near to a mistyped one.

use throughline_conversation::edit_distance;

/// At most `most` of the names, those with the fewest differing characters first. Names that have little in
/// common with the text are left out.
pub(crate) fn close_names<'a>(
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted = text.to_lowercase();
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let lower = name.to_lowercase();
            let part = !wanted.is_empty() && (lower.contains(&wanted) || wanted.contains(&lower));
            let distance = edit_distance(&wanted, &lower);
            // A third of the characters may differ: enough for a typing mistake, too little for another word.
            (part || distance <= wanted.chars().count().div_ceil(3)).then_some((distance, name))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().take(most).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::close_names;

    #[test]
    fn the_nearest_name_comes_first() {
        let names = ["read_file", "write_file", "grep"];
        assert_eq!(close_names("red_file", names, 3), ["read_file"]);
        assert_eq!(close_names("rite_file", names, 3), ["write_file", "read_file"]);
        assert_eq!(close_names("Grep", names, 3), ["grep"]);
        assert_eq!(close_names("file", names, 1), ["read_file"]);
        assert!(close_names("browser", names, 3).is_empty());
        assert!(close_names("", names, 3).is_empty());
    }
}
