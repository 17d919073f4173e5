//! Pages are those that SQLite would read, from the file or from its write-ahead log.

use std::fs;

use rusqlite::Connection;

use super::{FILE_HEADER, Pages, USUAL_SIZE, page_size};

fn contains(pages: &mut Pages, text: &str) -> bool {
    (1..=pages.count())
        .any(|number| pages.page(number).windows(text.len()).any(|window| window == text.as_bytes()))
}

#[test]
fn the_header_says_the_size_of_pages_unless_it_is_damaged() {
    let usual = (USUAL_SIZE, 0);
    for ((size, reserved), expected) in [
        ((4_096, 0), (4_096, 0)),
        ((4_096, 255), (4_096, 255)),
        ((512, 0), (512, 0)),
        ((1, 0), (65_536, 0)),
        ((32_768, 7), (32_768, 7)),
        // 480 bytes are the fewest that hold content.
        ((512, 32), (512, 32)),
        ((512, 33), usual),
        ((256, 0), usual),
        ((4_095, 0), usual),
        ((0, 0), usual),
        ((0, 9), usual),
    ] {
        let mut header = [0; FILE_HEADER];
        header[16..18].copy_from_slice(&u16::to_be_bytes(size));
        header[20] = reserved;
        assert_eq!(page_size(&header), expected, "{size}, {reserved}");
    }
}

#[test]
fn a_file_has_its_pages_and_a_last_one_that_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let mut bytes: Vec<u8> = (0..512 * 3).map(|at| (at / 512) as u8 + 1).collect();
    bytes[16..18].copy_from_slice(&512_u16.to_be_bytes());
    bytes[20] = 10;
    fs::write(&path, &bytes[..1_124]).unwrap();
    let mut pages = Pages::open(&path).unwrap();
    assert_eq!((pages.count(), pages.usable()), (3, 502));
    assert_eq!(pages.page(1), bytes[..512]);
    assert_eq!(pages.page(2), [2; 512]);
    assert_eq!(pages.page(3), [&[3; 100][..], &[0; 412]].concat());
    assert_eq!(pages.page(4), [0; 512]);
    // What is shorter than a header has one page of the usual size.
    fs::write(&path, &bytes[..FILE_HEADER - 1]).unwrap();
    let mut pages = Pages::open(&path).unwrap();
    assert_eq!((pages.count(), pages.usable(), pages.page(1).len()), (1, USUAL_SIZE, USUAL_SIZE));
    fs::write(&path, &bytes[..FILE_HEADER]).unwrap();
    assert_eq!(Pages::open(&path).unwrap().usable(), 502);
    assert!(Pages::open(&folder.path().join("y.db")).is_err());
}

#[test]
fn the_newest_version_of_a_page_is_that_of_the_log() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let sqlite = Connection::open(&path).unwrap();
    let run = |sql: &str| sqlite.execute_batch(sql).unwrap();
    // Each table has a page of its own.
    run(
        "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE one (text); CREATE TABLE two (text); \
         INSERT INTO one VALUES ('first-one'); INSERT INTO two VALUES ('first-two'); PRAGMA wal_checkpoint(RESTART)",
    );
    run("UPDATE one SET text = 'second-one'; UPDATE two SET text = 'second-two'");
    let mut pages = Pages::open(&path).unwrap();
    let texts = ["first-one", "first-two", "second-one", "second-two"];
    assert_eq!(texts.map(|text| contains(&mut pages, text)), [false, false, true, true]);
    // A new round begins at the start of the log; what is behind it is of the round before.
    run("PRAGMA wal_checkpoint(RESTART); UPDATE two SET text = 'third-two'");
    let mut pages = Pages::open(&path).unwrap();
    let texts = ["second-one", "second-two", "third-two"];
    assert_eq!(texts.map(|text| contains(&mut pages, text)), [true, false, true]);
}

#[test]
fn a_page_that_is_in_the_log_only_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.db");
    let sqlite = Connection::open(&path).unwrap();
    let run = |sql: &str| sqlite.execute_batch(sql).unwrap();
    run(
        "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE one (text); PRAGMA wal_checkpoint(TRUNCATE)",
    );
    let before = Pages::open(&path).unwrap().count();
    run("CREATE TABLE two (text); INSERT INTO two VALUES ('far behind')");
    let mut pages = Pages::open(&path).unwrap();
    assert_eq!((before, pages.count()), (2, 3));
    assert!(contains(&mut pages, "far behind"));
    // A log that ends within its header, or within a frame, has what is before.
    let log = folder.path().join("x.db-wal");
    let bytes = fs::read(&log).unwrap();
    let copy = folder.path().join("y.db");
    fs::copy(&path, &copy).unwrap();
    let frame = 24 + 4_096;
    for (length, count) in [(31, 2), (32, 2), (32 + 23, 2), (bytes.len() - frame, 3), (bytes.len(), 3)] {
        fs::write(folder.path().join("y.db-wal"), &bytes[..length]).unwrap();
        assert_eq!(Pages::open(&copy).unwrap().count(), count, "{length} bytes of the log");
    }
}
