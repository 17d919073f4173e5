//! A recording of 250 requests: an agent reads the parts of a ledger one after the other, and comes back to some.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use serde_json::{Value, json};

/// Requests of the recording.
pub(crate) const REQUESTS: usize = 250;

/// Requests of a turn.
const TURN: usize = 10;

/// The request before which the user was away for 40 minutes.
pub(crate) const IDLE: usize = 121;

/// Writes the recording, in the form of Claude Code's session files.
pub(crate) fn write_recording(file: &Path) {
    let mut writer =
        RecordingWriter { out: BufWriter::new(File::create(file).unwrap()), last: None, line: 0, second: 0 };
    for request in 1..=REQUESTS {
        if request == IDLE {
            writer.second += 40 * 60;
        }
        if request % TURN == 1 {
            let said = format!("Sum the ledger of part {request}, and compare it with the earlier parts.");
            writer.line("user", &json!({ "role": "user", "content": said }));
        }
        let text = match request {
            // An answer that uses a name from long before.
            number if number > 70 && number % 7 == 0 => {
                format!("As ledger_total_{}_cents says, the sum is right.", number - 60)
            }
            number => format!("Reading part {number}."),
        };
        let mut content = vec![json!({ "type": "text", "text": text })];
        let call = format!("toolu_{request}");
        let is_last = request % TURN == 0;
        // The part that is read: sometimes one from long before.
        let part = if request > 70 && request % 20 == 3 { request - 60 } else { request };
        if !is_last {
            let path = format!("ledger/part_{part}.rs");
            content.push(
                json!({ "type": "tool_use", "id": call, "name": "Read", "input": { "file_path": path } }),
            );
        }
        let prompt = 4_000 + 400 * (request as u64 % 120);
        let usage = json!({ "input_tokens": 3, "cache_creation_input_tokens": 600, "cache_read_input_tokens": prompt, "output_tokens": 60 });
        let id = format!("msg_{request}");
        let answer = json!({ "model": "claude-sonnet-4-5", "id": id, "role": "assistant", "content": content, "usage": usage });
        writer.line("assistant", &answer);
        if !is_last {
            let result =
                json!([{ "type": "tool_result", "tool_use_id": call, "content": text_of_part(part) }]);
            writer.line("user", &json!({ "role": "user", "content": result }));
        }
    }
}

/// The text of a part. Each fifteenth is so long that it is offloaded.
fn text_of_part(number: usize) -> String {
    let lines = if number.is_multiple_of(15) { 900 } else { 28 };
    let entry = |line: usize| {
        format!("    let entry_{line} = ledger_entry({number}, {line}) * rate_of_part_{number}(); // cents\n")
    };
    let body: String = (1..=lines).map(entry).collect();
    format!("/// The sum of part {number}.\nfn ledger_total_{number}_cents() -> u64 {{\n{body}    sum\n}}\n")
}

struct RecordingWriter {
    out: BufWriter<File>,
    last: Option<String>,
    line: usize,
    second: usize,
}

impl RecordingWriter {
    fn line(&mut self, kind: &str, message: &Value) {
        self.line += 1;
        self.second += 4;
        let (hour, minute, second) = (self.second / 3_600, self.second / 60 % 60, self.second % 60);
        let own = format!("l{}", self.line);
        let line = json!({
            "parentUuid": self.last, "isSidechain": false, "sessionId": "ledger", "type": kind, "message": message, "uuid": own,
            "timestamp": format!("2026-03-02T{hour:02}:{minute:02}:{second:02}.000Z"),
        });
        writeln!(self.out, "{line}").unwrap();
        self.last = Some(own);
    }
}
