//! When a file that grows is read.

use throughline_conversation::Millis;

use super::*;

#[test]
fn a_large_file_that_grows_is_read_now_and_then() {
    let (path, now, took) = (Path::new("a.jsonl"), Instant::now(), Duration::from_secs(2));
    let (old, new) = ((Millis(1), 100), (Millis(2), 120));
    let mut rests = Rests::default();
    assert_eq!(rests.current(path, new, now), new);
    rests.read(path, old, now, took);
    assert_eq!(rests.current(path, new, now + Duration::from_secs(17)), old);
    assert_eq!(rests.current(path, new, now + Duration::from_secs(18)), new);
    // A shorter one is another file.
    assert_eq!(rests.current(path, (Millis(2), 90), now), (Millis(2), 90));
    // A small one is read at each change.
    rests.read(path, old, now, Duration::from_millis(100));
    assert_eq!(rests.current(path, new, now), new);
    // However long it takes, it is read each minute.
    rests.read(path, old, now, Duration::from_secs(600));
    assert_eq!(rests.current(path, new, now + MAX_REST), new);
}
