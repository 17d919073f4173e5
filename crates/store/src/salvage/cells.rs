//! The rows on a page: cells of b-trees, with the parts that have overflowed to other pages.

use super::pages::{FILE_HEADER, Pages, number, short};
use super::value::{Value, values, varint};

/// Where a row is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tree {
    /// A table with row numbers.
    Table,
    /// An index, or a table without row numbers.
    Index,
}

/// Maximum bytes of a row: more than the gigabyte that SQLite stores at most.
const MOST_BYTES: usize = 1 << 30;

/// All rows of a page that can be taken apart. Damage of one does not matter to the others.
pub(super) fn rows(pages: &mut Pages, page: u32) -> Vec<(Tree, Vec<Value>)> {
    let bytes = pages.page(page);
    let header = if page == 1 { FILE_HEADER } else { 0 };
    let (tree, pointers, child) = match bytes.get(header) {
        Some(2) => (Tree::Index, header + 12, 4),
        Some(10) => (Tree::Index, header + 8, 0),
        Some(13) => (Tree::Table, header + 8, 0),
        _ => return Vec::new(),
    };
    let count = short(&bytes, header + 3).min(bytes.len() / 2);
    let mut rows = Vec::new();
    for index in 0..count {
        let cell = short(&bytes, pointers + index * 2) + child;
        if let Some(row) = payload(pages, &bytes, cell, tree).and_then(|payload| values(&payload)) {
            rows.push((tree, row));
        }
    }
    rows
}

fn payload(pages: &mut Pages, page: &[u8], cell: usize, tree: Tree) -> Option<Vec<u8>> {
    let (size, mut at) = varint(page, cell)?;
    if tree == Tree::Table {
        at = varint(page, at)?.1;
    }
    // A damaged size must not gather pages without end, where their chain is a circle.
    let can_be = |size: &usize| *size <= MOST_BYTES && size / pages.usable() <= pages.count() as usize;
    let size = usize::try_from(size).ok().filter(can_be)?;
    let local = local(size, pages.usable(), tree);
    let mut payload = page.get(at..at + local)?.to_vec();
    let mut next = number(page, at + local);
    while payload.len() < size {
        if next == 0 || next > pages.count() {
            return None;
        }
        let overflow = pages.page(next);
        next = number(&overflow, 0);
        let part = (size - payload.len()).min(pages.usable() - 4);
        payload.extend(overflow.get(4..4 + part)?);
    }
    Some(payload)
}

/// How many bytes of a row are on its own page.
fn local(size: usize, usable: usize, tree: Tree) -> usize {
    let most = match tree {
        Tree::Table => usable - 35,
        Tree::Index => (usable - 12) * 64 / 255 - 23,
    };
    if size <= most {
        return size;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let some = least + (size - least) % (usable - 4);
    if some <= most { some } else { least }
}

#[cfg(test)]
mod tests;
