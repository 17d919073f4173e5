//! What becomes of summaries.

use throughline_conversation::{Edit, ExchangeId, GroupStatus, Mark, SummaryNote, project};
use throughline_testkit::{WordCounter, records};

use super::*;

const LOG: &str = "
user: one
assistant: first
user: two
assistant: second
user: three
assistant: third
";

struct Life(Vec<Record>);

impl Life {
    fn of(text: &str) -> Self {
        Self(records(text))
    }

    fn add(&mut self, body: RecordBody) {
        let seq = self.0.last().map_or(Seq(1), |record| record.seq.next());
        self.0.push(Record { seq, at: Millis(0), exchange: ExchangeId(3), body });
    }

    fn cover(&mut self, first: u64, last: u64, summary: &str, note: Option<SummaryNote>) {
        let span = Span { first: Seq(first), last: Seq(last) };
        let actions = vec![Action::Cover { span, summary: Some(summary.to_owned()), note }];
        self.add(RecordBody::Edit(Edit { reason: EditReason::Manual, actions, strategies: Vec::new() }));
    }

    fn mark(&mut self, exchange: u64, status: GroupStatus) {
        self.add(RecordBody::Mark(Mark::Group { exchange: ExchangeId(exchange), status }));
    }

    fn rows(&self) -> Vec<SummaryRow> {
        summaries(&self.0, &project(&self.0, &WordCounter).unwrap(), &WordCounter)
    }

    fn lines(&self) -> Vec<String> {
        let tell = |row: &SummaryRow| {
            format!("{} {}-{} {}", row.record, row.span.first, row.span.last, row.status.name())
        };
        self.rows().iter().map(tell).collect()
    }
}

#[test]
fn a_summary_is_in_force_until_a_later_one_continues_it() {
    let mut life = Life::of(LOG);
    assert_eq!(life.rows(), []);
    life.cover(1, 2, "one happened\nat length", None);
    assert_eq!(life.lines(), ["7 1-2 active"]);
    let parent = Some(Span { first: Seq(1), last: Seq(2) });
    let note = SummaryNote {
        template: "plain".to_owned(),
        model: Some("m".to_owned()),
        tokens: 99,
        provider: None,
        parent,
    };
    life.cover(1, 4, "one and two happened", Some(note));
    assert_eq!(life.lines(), ["7 1-2 replaced", "8 1-4 active"]);
    let rows = life.rows();
    assert_eq!((rows[0].tokens, rows[0].first_line.as_str(), rows[0].parent), (4, "one happened", None));
    assert_eq!((rows[1].tokens, rows[1].parent, rows[1].template.as_deref()), (99, parent, Some("plain")));
    assert_eq!(rows[1].model.as_deref(), Some("m"));
    // After an undo, the one before it counts again.
    life.add(RecordBody::Mark(Mark::Compaction { edit: Seq(8), undone: true }));
    assert_eq!(life.lines(), ["7 1-2 active", "8 1-4 undone"]);
}

#[test]
fn a_summary_of_a_hidden_group_is_stale_until_the_group_is_back() {
    let mut life = Life::of(LOG);
    life.cover(1, 4, "one and two happened", None);
    life.mark(2, GroupStatus::Dropped);
    assert_eq!(life.lines(), ["7 1-4 stale"]);
    life.cover(1, 2, "one happened", None);
    assert_eq!(life.lines(), ["7 1-4 stale", "9 1-2 active"]);
    life.mark(2, GroupStatus::Live);
    assert_eq!(life.lines()[0], "7 1-4 active");
}
