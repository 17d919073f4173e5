//! What results say of jobs.

use super::*;

#[test]
fn what_is_written_is_read() {
    assert_eq!(started_job(&started(12)), Some(12));
    assert_eq!(started_job(&format!("one\ntwo\n{}", moved(3))), Some(3));
    assert_eq!(started_job("Started as job 1. shell_output\n[exit status: 0]"), None);
    assert!(says_that_it_runs(&format!("one\n{}", running(5))) && !says_that_it_runs("[exit status: 0]"));
}
