//! How a model reads where a resource is.

use std::path::Path;

use url::Url;

/// A resource as the model names it: a file by its path, from the workspace on if it is inside, and its lines; anything else by its
/// URI.
pub(super) fn place(uri: &str, workspace: &Path) -> String {
    let Some(url) = Url::parse(uri).ok().filter(|url| url.scheme() == "file") else { return uri.to_owned() };
    let Ok(path) = url.to_file_path() else { return uri.to_owned() };
    let path = path.strip_prefix(workspace).unwrap_or(&path).display().to_string();
    match url.fragment().filter(|fragment| !fragment.is_empty()) {
        None => path,
        Some(fragment) => match lines(fragment) {
            Some(lines) => format!("{path}:{lines}"),
            None => format!("{path}#{fragment}"),
        },
    }
}

/// The lines that a fragment names, as `3` or `3-9`: editors write `L3`, `L3:9`, `L3-9` and `L3-L9`. `None`: it names something else.
fn lines(fragment: &str) -> Option<String> {
    let lines = fragment.strip_prefix('L')?;
    let Some((first, last)) = lines.split_once([':', '-']) else {
        return line(lines).map(|one| one.to_string());
    };
    let (first, last) = (line(first)?, line(last.strip_prefix('L').unwrap_or(last))?);
    Some(if first == last { first.to_string() } else { format!("{first}-{last}") })
}

fn line(number: &str) -> Option<u64> {
    number.parse().ok()
}
