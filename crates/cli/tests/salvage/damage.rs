//! What may happen to a database file.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::Context as _;
use rusqlite::Connection;

use crate::chance::Chance;

const PAGE: u64 = 4_096;

/// Damages a database in a way that the numbers choose. Returns what was done.
pub(crate) fn damage(database: &Path, records: u64, chance: &mut Chance) -> anyhow::Result<String> {
    let file = OpenOptions::new().read(true).write(true).open(database)?;
    let size = file.metadata()?.len();
    match chance.below(8) {
        0 | 1 => {
            let (at, bit) = (chance.below(size), chance.below(8));
            let mut byte = [0];
            file.read_exact_at(&mut byte, at)?;
            file.write_all_at(&[byte[0] ^ (1 << bit)], at)?;
            Ok(format!("bit {bit} of byte {at} flipped"))
        }
        2 => {
            let (at, length) = (chance.below(size), 1 + chance.below(300));
            let length = length.min(size - at);
            file.write_all_at(&vec![0xa5; usize::try_from(length)?], at)?;
            Ok(format!("{length} bytes at {at} overwritten"))
        }
        3 => {
            let page = chance.below(size / PAGE);
            file.write_all_at(&[0; 4_096], page * PAGE)?;
            Ok(format!("page {} zeroed", page + 1))
        }
        4 => {
            let left = size / 2 + chance.below(size / 2);
            file.set_len(left)?;
            Ok(format!("cut off after {left} of {size} bytes"))
        }
        5 => {
            let first = 1 + chance.below(records);
            change(database, &format!("DELETE FROM log WHERE seq >= {first}"))
        }
        6 => {
            let (one, other) = (1 + chance.below(records), 1 + chance.below(records));
            change(database, &format!("DELETE FROM log WHERE seq IN ({one}, {other}, 1)"))
        }
        _ => {
            let seq = 1 + chance.below(records);
            let column = [
                "payload = replace(payload, '\"', '''')",
                "at = at + 1",
                "exchange = exchange + 1",
                "digest = 0",
            ];
            let column = column[usize::try_from(chance.below(4))?];
            change(database, &format!("UPDATE log SET {column} WHERE seq = {seq}"))
        }
    }
}

fn change(database: &Path, sql: &str) -> anyhow::Result<String> {
    let raw = Connection::open(database)?;
    raw.execute(sql, []).with_context(|| sql.to_owned())?;
    Ok(sql.to_owned())
}
