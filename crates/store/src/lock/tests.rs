//! One writer at a time, and a text that says who it is.

use std::fs;
use std::process::Command;

use expect_test::expect;

use throughline_conversation::Millis;

use super::*;

fn session() -> SessionId {
    SessionId::new("s1").unwrap()
}

#[test]
fn the_second_process_gets_the_first_one_named() {
    let dir = tempfile::tempdir().unwrap();
    let lock = lock_session(dir.path(), &session()).unwrap();
    let error = lock_session(dir.path(), &session()).unwrap_err();
    let LockError::Held { holder: Some(holder), path, .. } = &error else {
        panic!("the holder must be known, found {error:?}");
    };
    assert_eq!(holder.pid, std::process::id());
    assert_eq!(Some(path.as_path()), lock.path());
    let shown = Holder {
        pid: 4_321,
        since: Millis(1_772_355_907_000),
        program: "throughline".to_owned(),
        host: None,
    };
    let text =
        LockError::Held { session: session(), holder: Some(Box::new(shown)), path: path.clone() }.to_string();
    expect!["session s1 is open in another process (throughline, process 4321, since 2026-03-01 09:05:07 UTC); close it there first"]
        .assert_eq(&text);
}

#[test]
fn a_lock_that_is_given_back_can_be_taken_again() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        let lock = lock_session(dir.path(), &session()).unwrap();
        drop(lock);
    }
    let other = SessionId::new("s2").unwrap();
    let _one = lock_session(dir.path(), &session()).unwrap();
    assert!(lock_session(dir.path(), &other).is_ok(), "sessions do not lock each other");
}

/// What a crashed process left behind stops no other process, even if its process id is in use by now.
#[test]
fn a_file_without_a_lock_locks_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = lock_session(dir.path(), &session()).unwrap().path().unwrap().to_path_buf();
    let left =
        Holder { pid: std::process::id(), since: Millis(0), program: "crashed".to_owned(), host: None };
    fs::write(&path, format!("{}and more text behind it\n", left.to_text())).unwrap();
    let lock = lock_session(dir.path(), &session()).unwrap();
    let now = Holder::parse(&fs::read_to_string(lock.path().unwrap()).unwrap()).unwrap();
    assert_ne!(now.program, "crashed");
}

#[test]
fn a_holder_that_cannot_be_read_is_still_a_holder() {
    let dir = tempfile::tempdir().unwrap();
    let lock = lock_session(dir.path(), &session()).unwrap();
    fs::write(lock.path().unwrap(), "pid no").unwrap();
    let error = lock_session(dir.path(), &session()).unwrap_err();
    assert!(matches!(&error, LockError::Held { holder: None, .. }));
    assert!(error.to_string().contains("s1.lock"), "the file is named: {error}");
}

/// A program that a tool started lives on after us; it must not keep the session closed.
#[test]
fn a_child_does_not_inherit_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    let lock = lock_session(dir.path(), &session()).unwrap();
    let mut child = Command::new("sleep").arg("30").spawn().unwrap();
    drop(lock);
    let again = lock_session(dir.path(), &session());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(again.is_ok(), "{again:?}");
}

#[test]
fn a_lock_file_that_cannot_be_made_is_named_with_the_fix() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("locks"), "").unwrap();
    let error = lock_session(dir.path(), &session()).unwrap_err();
    let text = error.to_string().replace(&dir.path().display().to_string(), "/tmp/x");
    expect!["the lock file /tmp/x/locks/s1.lock cannot be used: File exists (os error 17); make its folder writable or name another data folder"]
        .assert_eq(&text);
}

#[test]
fn holders_are_read_as_written() {
    let holder =
        Holder { pid: 7, since: Millis(99), program: "a program with spaces".to_owned(), host: None };
    assert_eq!(Holder::parse(&holder.to_text()), Some(holder));
    for text in ["", "pid 7\n", "pid 7\nsince 1\n", "pid -7\nsince 1\nprogram x\n", "x\ny\nz\n"] {
        assert_eq!(Holder::parse(text), None, "{text:?}");
    }
}

/// Takes and removes the lock in several threads at once: never do two of them have it.
#[test]
fn a_removed_lock_is_never_held_twice() {
    let dir = tempfile::tempdir().unwrap();
    let held = std::sync::atomic::AtomicUsize::new(0);
    let taken = std::sync::atomic::AtomicUsize::new(0);
    let order = std::sync::atomic::Ordering::SeqCst;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..500 {
                    let Ok(lock) = lock_session(dir.path(), &session()) else { continue };
                    assert_eq!(held.fetch_add(1, order), 0, "two threads have the lock");
                    taken.fetch_add(1, order);
                    held.fetch_sub(1, order);
                    lock.remove().unwrap();
                }
            });
        }
    });
    assert!(taken.load(order) > 0);
    assert_eq!(fs::read_dir(dir.path().join("locks")).unwrap().count(), 0);
}

#[test]
fn a_lock_that_has_no_room_asks_for_room() {
    let text =
        |kind: io::ErrorKind| LockError::Unusable { path: "s1.lock".into(), source: kind.into() }.to_string();
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
        assert!(text(kind).ends_with("; make room and try again"), "{}", text(kind));
    }
    let denied = text(io::ErrorKind::PermissionDenied);
    assert!(denied.ends_with("; make its folder writable or name another data folder"), "{denied}");
}
