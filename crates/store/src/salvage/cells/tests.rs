//! Rows that SQLite has written are found without it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params};
use tempfile::TempDir;

use super::{Tree, local, payload, rows};
use crate::salvage::pages::Pages;
use crate::salvage::value::{Value, varint};

/// The rows that begin with a number, by whether they are in an index and by this number.
fn found(database: &Path) -> BTreeMap<(bool, i64), Vec<Value>> {
    let mut pages = Pages::open(database).unwrap();
    let all = (1..=pages.count()).flat_map(|page| rows(&mut pages, page)).collect::<Vec<_>>();
    all.into_iter()
        .filter_map(|(tree, row)| Some(((tree == Tree::Index, row.first()?.number()?), row)))
        .collect()
}

/// A database with pages of this size.
fn database(page: usize) -> (TempDir, PathBuf, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let sqlite = Connection::open(&path).unwrap();
    let tables = format!(
        "PRAGMA page_size = {page}; CREATE TABLE rows (number, content); \
         CREATE TABLE tree (number PRIMARY KEY, content) WITHOUT ROWID"
    );
    sqlite.execute_batch(&tables).unwrap();
    (folder, path, sqlite)
}

fn content(size: usize) -> Vec<u8> {
    let mut state = size as u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..size).map(|_| next()).collect()
}

#[test]
fn a_row_of_any_size_is_found_in_pages_of_any_size() {
    for (page, step) in [(512, 1), (1_024, 13), (4_096, 67), (65_536, 4_099)] {
        let (_folder, path, sqlite) = database(page);
        let sizes: Vec<usize> = (0..3 * page).step_by(step).collect();
        sqlite.execute_batch("BEGIN").unwrap();
        for table in ["rows", "tree"] {
            let mut insert = sqlite.prepare(&format!("INSERT INTO {table} VALUES (?, ?)")).unwrap();
            for size in &sizes {
                insert.execute(params![*size as i64, content(*size)]).unwrap();
            }
        }
        sqlite.execute_batch("COMMIT").unwrap();
        drop(sqlite);
        let found = found(&path);
        assert_eq!(found.len(), 2 * sizes.len(), "pages of {page} bytes");
        for ((is_index, size), row) in found {
            let expected = [Value::Number(size), Value::Bytes(content(size as usize))];
            assert!(row == expected, "{size} bytes in a page of {page}, in an index: {is_index}");
        }
    }
}

#[test]
fn a_value_of_any_kind_comes_back() {
    let (_folder, path, sqlite) = database(4_096);
    let mut numbers = vec![0, 1, -1, i64::MAX, i64::MIN];
    for bits in [7, 15, 23, 31, 47] {
        let limit = 1_i64 << bits;
        numbers.extend([limit - 1, limit, -limit, -limit - 1]);
    }
    let mut values: Vec<(Sql, Value)> =
        numbers.into_iter().map(|number| (Sql::Integer(number), Value::Number(number))).collect();
    for text in
        ["", "a", "Grüße", "a longer text of more than sixty bytes, whose length takes two bytes to say"]
    {
        values.push((Sql::Text(text.to_owned()), Value::Text(text.to_owned())));
        values.push((Sql::Blob(text.into()), Value::Bytes(text.into())));
    }
    values.push((Sql::Null, Value::Null));
    values.push((Sql::Real(-1.5), Value::Bytes((-1.5_f64).to_be_bytes().to_vec())));
    for (number, (given, _)) in values.iter().enumerate() {
        sqlite.execute("INSERT INTO rows VALUES (?, ?)", params![number as i64, given]).unwrap();
    }
    let not_utf8 = values.len() as i64;
    sqlite.execute("INSERT INTO rows VALUES (?, CAST(x'61ff' AS TEXT))", [not_utf8]).unwrap();
    values.push((Sql::Null, Value::Bytes(vec![b'a', 0xff])));
    drop(sqlite);
    let found = found(&path);
    assert_eq!(found.len(), values.len());
    for (number, (given, expected)) in values.iter().enumerate() {
        let row = &found[&(false, number as i64)];
        assert_eq!(row, &[Value::Number(number as i64), expected.clone()], "{given:?}");
    }
}

#[test]
fn a_row_whose_overflow_is_lost_is_left_out_and_the_others_are_found() {
    let (_folder, path, sqlite) = database(512);
    for number in 0..4 {
        // Each has one page of overflow, and the last of them is the last page of the file.
        sqlite.execute("INSERT INTO rows VALUES (?, ?)", params![number, content(600)]).unwrap();
    }
    drop(sqlite);
    let sound = fs::read(&path).unwrap();
    let count = (sound.len() / 512) as u32;
    assert_eq!(found(&path).len(), 4);
    // The page of the overflow stands behind the bytes of the row that are on its own page.
    let own = content(600);
    let begins: Vec<usize> =
        (0..sound.len() - 16).filter(|at| sound[*at..].starts_with(&own[..16])).collect();
    assert_eq!(begins.len(), 4);
    for begin in begins {
        let length = own.iter().zip(&sound[begin..]).take_while(|(one, other)| one == other).count();
        let pointer = begin + length;
        for wrong in [0, count + 1, count + 2, u32::MAX] {
            let mut damaged = sound.clone();
            damaged[pointer..pointer + 4].copy_from_slice(&wrong.to_be_bytes());
            fs::write(&path, damaged).unwrap();
            let found = found(&path);
            assert_eq!(found.len(), 3, "{wrong} of {count}");
            assert!(found.values().all(|row| row[1] == Value::Bytes(own.clone())), "{wrong} of {count}");
        }
    }
}

#[test]
fn a_page_of_another_kind_has_no_rows() {
    let (_folder, path, sqlite) = database(512);
    sqlite.execute("INSERT INTO rows VALUES (1, 'a')", []).unwrap();
    drop(sqlite);
    let sound = fs::read(&path).unwrap();
    let at = sound.chunks(512).position(|page| page.ends_with(b"a")).unwrap() * 512;
    assert_eq!((sound[at], found(&path).len()), (13, 1));
    for kind in [0, 1, 5, 12, 14, 255] {
        let mut damaged = sound.clone();
        damaged[at] = kind;
        fs::write(&path, damaged).unwrap();
        assert_eq!(found(&path).len(), 0, "{kind}");
    }
}

#[test]
fn a_row_that_cannot_be_in_the_file_is_not_gathered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    // The second page is a part of a row whose next part it is itself.
    let mut bytes = vec![0; 1_024];
    bytes[16..18].copy_from_slice(&512_u16.to_be_bytes());
    bytes[512..516].copy_from_slice(&2_u32.to_be_bytes());
    fs::write(&path, bytes).unwrap();
    let mut pages = Pages::open(&path).unwrap();
    let mut length = |size: &[u8]| {
        let mut page = [size, &[1]].concat();
        page.resize(512, 0);
        let own = local(varint(size, 0).unwrap().0 as usize, 512, Tree::Table);
        let next = page.get_mut(size.len() + 1 + own..).unwrap();
        next[..4].copy_from_slice(&2_u32.to_be_bytes());
        payload(&mut pages, &page, 0, Tree::Table).map(|payload| payload.len())
    };
    assert_eq!(length(&[0x84, 0x58]), Some(600));
    // Three times a page is one page more than the file has.
    assert_eq!((length(&[0x8b, 0x7f]), length(&[0x8c, 0x00])), (Some(1_535), None));
    assert_eq!(length(&[0xa0, 0x80, 0x80, 0x80, 0x80, 0x00]), None);
}
