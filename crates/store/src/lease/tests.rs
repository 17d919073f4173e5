//! How leases that are dropped are given back.

use std::time::Instant;

use super::*;

/// A server that does not answer stops no thread that drops a lease, but the end of the process for a while.
#[test]
fn the_drop_of_a_lease_waits_for_nothing_and_the_end_of_the_process_does() {
    let (commands, mut received) = commands::unbounded_channel();
    let keeper = Arc::new(Keeper { commands, has_dropped: AtomicBool::new(false) });
    let session = SessionId::new("s1".to_owned()).unwrap();
    let lease = Lease { session, token: Some(1), tokens: Tokens::default(), keeper: Arc::clone(&keeper) };
    let begin = Instant::now();
    drop(lease);
    assert!(begin.elapsed() < FAREWELL / 2, "the drop has waited");
    let given_back = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&given_back);
    let server = std::thread::spawn(move || {
        let Some(Command::GiveBack { token: 1, reply: None, .. }) = received.blocking_recv() else {
            panic!()
        };
        let Some(Command::Finish { reply }) = received.blocking_recv() else { panic!() };
        seen.store(true, Ordering::SeqCst);
        reply.send(()).unwrap();
    });
    drop(keeper);
    assert!(given_back.load(Ordering::SeqCst), "the end has not waited");
    server.join().unwrap();
}
