//! The pages of a log, and of one that does not keep its contract.

use throughline_testkit::records;

use super::*;
use crate::contract::session;
use crate::log::{MockMessageLog, read_all};
use crate::memory::InMemoryMessageLog;

#[tokio::test]
async fn the_pages_begin_behind_a_record() {
    let (log, session) = (InMemoryMessageLog::new(), session("s1"));
    log.append(&session, &records("user: one\nassistant: two\nuser: three\n")).await.unwrap();
    let mut pages = Pages::new(&log, &session, Part::All).behind(Seq(2));
    let page = pages.next().await.unwrap().unwrap();
    assert_eq!(page.records.iter().map(|record| record.seq).collect::<Vec<_>>(), [Seq(3)]);
    assert_eq!(pages.next().await.unwrap(), None);
    assert_eq!(read_all(&log, &session, Seq(1), Part::All).await.unwrap().records.len(), 2);
}

/// A log whose pages have one record each, and say that the next one begins here.
fn log_with(nexts: &'static [(u64, u64)]) -> MockMessageLog {
    let mut log = MockMessageLog::new();
    for (after, next) in nexts {
        let page = LogPage {
            records: records("user: one\n")
                .into_iter()
                .map(|one| Record { seq: Seq(after + 1), ..one })
                .collect(),
            next: Some(Seq(*next)),
            ..LogPage::default()
        };
        log.expect_read_page()
            .withf(move |_, from, _| *from == Seq(*after))
            .times(1)
            .returning(move |_, _, _| Ok(page.clone()));
    }
    log
}

#[tokio::test]
async fn a_log_whose_next_page_is_no_later_one_ends() {
    for (nexts, read) in [(&[(0, 1), (1, 1)][..], 2), (&[(0, 2), (2, 1)], 2), (&[(0, 0)], 1)] {
        let log = log_with(nexts);
        let all = read_all(&log, &session("s1"), Seq(0), Part::All).await.unwrap();
        assert_eq!(all.records.len(), read, "{nexts:?}");
        assert_eq!(all.next, None);
    }
}
