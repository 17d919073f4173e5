//! Files that are named as the session in them.

use std::path::Path;

/// The groups of hexadecimal digits in a UUID.
const UUID: [usize; 5] = [8, 4, 4, 4, 12];

/// The session that a file of Claude Code is named after. `None`: the file has another name.
pub(super) fn named_session(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?.split('.').next()?;
    let groups = name.split('-').map(|group| (group.len(), group.bytes().all(|b| b.is_ascii_hexdigit())));
    groups.eq(UUID.map(|length| (length, true))).then_some(name)
}
