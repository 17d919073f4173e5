//! Generated conversations with questions for exact values, without any template of words: keys and values are made of random
//! syllables, digits and letters, so that nothing but the pair itself says which value a key has.
//!
//! Each conversation gives 910 values: in long messages of the user (`k=v` lists, arrows, lists with colons, JSON, a
//! table), as results of one line, as leaves of JSON results, and as rows of table results. A seventh of the values is given
//! twice, and the newer one holds. Between them is talk with values under keys that no question asks for. The questions name a
//! key; 75 are drawn from all keys.

use serde_json::{Value, json};

/// A conversation in the items of OpenAI's Responses API, and its questions with their answers.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) history: Vec<Value>,
    pub(crate) questions: Vec<(String, String)>,
}

/// Keys in each list of the user, and of results.
const LISTED: usize = 140;
const RESULTS: usize = 70;
const QUESTIONS: usize = 75;
/// Messages of talk between two lists.
const TALK: usize = 24;

/// A conversation for a seed.
pub(crate) fn conversation(seed: u64) -> Generated {
    Generator { chance: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, history: Vec::new(), keys: Vec::new() }
        .write()
}

struct Generator {
    chance: u64,
    history: Vec<Value>,
    /// Each key with the value that holds.
    keys: Vec<(String, String)>,
}

impl Generator {
    fn write(mut self) -> Generated {
        let opening = self.sentence(14);
        self.say("user", &opening);
        for list in 0..5 {
            self.list(list);
            self.talk();
        }
        self.corrections();
        self.talk();
        for form in 0..3 {
            self.results(form);
            self.talk();
        }
        let end = self.sentence(9);
        self.say("user", &end);
        let ready = self.sentence(6);
        self.say("assistant", &ready);
        let mut questions = Vec::new();
        while questions.len() < QUESTIONS && !self.keys.is_empty() {
            let drawn = self.below(self.keys.len());
            let (key, value) = self.keys.swap_remove(drawn);
            questions.push((format!("What is the exact value of {key}?"), value));
        }
        Generated { history: self.history, questions }
    }

    /// A long message of the user in one of five forms.
    fn list(&mut self, form: usize) {
        let pairs: Vec<(String, String)> = (0..LISTED).map(|_| (self.key(), self.value())).collect();
        let intro = self.sentence(7);
        let outro = self.sentence(8);
        let text = written(form, &pairs);
        self.say("user", &format!("{intro}\n{text}\n{outro}"));
        let answer = self.sentence(6);
        self.say("assistant", &answer);
        self.keys.extend(pairs);
    }

    /// New values for every fifth key of the lists so far.
    fn corrections(&mut self) {
        let mut changed = Vec::new();
        for at in (0..self.keys.len()).step_by(5) {
            let value = self.value();
            if let Some(pair) = self.keys.get_mut(at) {
                pair.1 = value;
                changed.push(pair.clone());
            }
        }
        let intro = self.sentence(5);
        self.say("user", &format!("{intro}\n{}", written(0, &changed)));
        let answer = self.sentence(4);
        self.say("assistant", &answer);
    }

    /// Calls with results of one line, of JSON, or of a table.
    fn results(&mut self, form: usize) {
        let mut left = RESULTS;
        while left > 0 {
            let many = if form == 0 { 1 } else { 10.min(left) };
            left -= many;
            let pairs: Vec<(String, String)> = (0..many).map(|_| (self.key(), self.value())).collect();
            let (argument, text) = match (form, pairs.first()) {
                (0, Some((key, value))) => (key.clone(), format!("{key}: {value}")),
                (1, _) => (self.word(), written(3, &pairs)),
                _ => (self.word(), written(4, &pairs)),
            };
            let id = format!("call_{}", self.next());
            let arguments = json!({"item": argument}).to_string();
            self.history.push(
                json!({"type": "function_call", "call_id": id, "name": "lookup", "arguments": arguments}),
            );
            self.history.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
            self.keys.extend(pairs);
        }
    }

    /// Talk with values that no question asks for.
    fn talk(&mut self) {
        for _ in 0..TALK {
            let (before, after) = (self.sentence(11), self.sentence(12));
            let (key, value) = (self.key(), self.value());
            self.say("user", &format!("{before} {key} once had {value} there. {after}"));
            let answer = self.sentence(5);
            self.say("assistant", &answer);
        }
    }

    fn say(&mut self, role: &str, text: &str) {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        self.history
            .push(json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]}));
    }

    fn key(&mut self) -> String {
        format!("{}-{}-{}", self.word(), self.word(), 10 + self.below(9_990))
    }

    fn value(&mut self) -> String {
        match self.below(8) {
            0..3 => self.letters(b"0123456789abcdef", 16),
            3 => self.letters(b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 9),
            4 => format!("{}", 1_000 + self.below(9_000_000)),
            5 => format!("/{}/{}/{}", self.word(), self.word(), self.letters(b"0123456789", 4)),
            6 => format!("{}.{}.internal:{}", self.word(), self.word(), 1_024 + self.below(60_000)),
            _ => format!(
                "{}.{}.{}-{}",
                self.below(30),
                self.below(90),
                self.below(900),
                self.letters(b"abcdef0123456789", 4)
            ),
        }
    }

    fn sentence(&mut self, words: usize) -> String {
        let mut text = (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ");
        if let Some(first) = text.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        text.push('.');
        text
    }

    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 24] = [
            "ba", "cor", "del", "fen", "gri", "hul", "jo", "ka", "lim", "mor", "na", "osk", "pel", "quo",
            "ri", "sta", "tu", "ul", "ven", "wex", "yor", "zi", "tha", "bren",
        ];
        (0..2 + self.below(2))
            .map(|_| SYLLABLES.get(self.below(SYLLABLES.len())).copied().unwrap_or_default())
            .collect()
    }

    fn letters(&mut self, of: &[u8], count: usize) -> String {
        (0..count).map(|_| of.get(self.below(of.len())).copied().map_or('0', char::from)).collect()
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    /// Numbers that look like chance (xorshift).
    fn next(&mut self) -> u64 {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        self.chance
    }
}

/// Pairs in one of five forms: a line of `k=v`, lines with arrows, a list with colons, JSON, a table.
fn written(form: usize, pairs: &[(String, String)]) -> String {
    let lines = |show: fn(&(String, String)) -> String, between: &str| {
        pairs.iter().map(show).collect::<Vec<_>>().join(between)
    };
    match form {
        0 => lines(|(key, value)| format!("{key}={value}"), "; "),
        1 => lines(|(key, value)| format!("{key} -> {value}"), "\n"),
        2 => lines(|(key, value)| format!("- {key}: {value}"), "\n"),
        3 => {
            let map: serde_json::Map<String, Value> =
                pairs.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            serde_json::to_string_pretty(&map).unwrap_or_default()
        }
        _ => {
            let rows = lines(|(key, value)| format!("| {key} | {value} |"), "\n");
            format!("| item | setting |\n|---|---|\n{rows}")
        }
    }
}
