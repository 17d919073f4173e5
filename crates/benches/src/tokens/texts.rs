//! The texts that are counted: about 1.2 MB each, no two stretches alike, the same in every run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use anyhow::{Context as _, ensure};

/// Bytes of a text.
const BYTES: usize = 1_200_000;

/// One text.
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) text: String,
    /// Whether people or programs write such texts every day.
    pub(crate) real: bool,
}

/// All texts.
pub(crate) fn all() -> anyhow::Result<Vec<Text>> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).context("the workspace has a folder")?;
    let code = files(root, "rs")?;
    ensure!(code.len() >= 1_000_000, "only {} bytes of source code were found", code.len());
    let prose = prose(&code, &files(root, "md")?);
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let chinese: Vec<&str> = include_str!("chinese.txt").split_whitespace().collect();
    let russian: Vec<&str> = include_str!("russian.txt").split_whitespace().collect();
    let real = |name, text| Text { name, text, real: true };
    let hostile = |name, text| Text { name, text, real: false };
    let repeated = |c| iter::repeat_n(c, BYTES).collect::<String>();
    Ok(vec![
        real("English", english(&prose, &mut chance)),
        real("code", code.chars().take(BYTES).collect()),
        real("JSON", json(&prose, &mut chance)),
        real("Chinese", sentences(&chinese, "", "，。", &mut chance)),
        real("Russian", sentences(&russian, " ", ",.", &mut chance)),
        real("base64", letters(BASE64, &mut chance)),
        hostile("letters without a space", letters(b"abcdefghijklmnopqrstuvwxyz", &mut chance)),
        hostile("any characters", any(&mut chance)),
        hostile("'=' repeated", repeated('=')),
        hostile("'-' repeated", repeated('-')),
        hostile("'a' repeated", repeated('a')),
        hostile("blanks", repeated(' ') + "x"),
        hostile("runs of punctuation", runs(&mut chance)),
    ])
}

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Numbers that look like chance (xorshift).
pub(crate) struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or_default()
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

/// The workspace's files of one kind, one after the other.
fn files(root: &Path, kind: &str) -> anyhow::Result<String> {
    let mut folders: Vec<PathBuf> = ["crates", "xtask", "docs"].map(|name| root.join(name)).to_vec();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == kind) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| Ok(fs::read_to_string(path)?)).collect()
}

/// The sentences of the source's comments and of the pages.
fn prose(code: &str, pages: &str) -> String {
    let comments = code.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("//! ").or_else(|| line.strip_prefix("/// ")).or_else(|| line.strip_prefix("// "))
    });
    comments.chain(pages.lines()).collect::<Vec<_>>().join("\n")
}

/// The prose, then more of its kind: each word is one that follows the two before it somewhere in the prose.
fn english(prose: &str, chance: &mut Chance) -> String {
    let words: Vec<&str> = prose.split(' ').collect();
    let mut followers: HashMap<(&str, &str), Vec<&str>> = HashMap::new();
    for (one, (two, three)) in words.iter().zip(words.iter().skip(1).zip(words.iter().skip(2))) {
        followers.entry((one, two)).or_default().push(three);
    }
    let mut text = prose.to_owned();
    let mut last = ("", "");
    while text.len() < BYTES {
        let next = followers.get(&last).and_then(|next| chance.of(next)).or_else(|| chance.of(&words));
        let next = next.copied().unwrap_or_default();
        text.push(' ');
        text.push_str(next);
        last = (last.1, next);
    }
    text
}

fn json(prose: &str, chance: &mut Chance) -> String {
    let words: Vec<&str> =
        prose.split_whitespace().filter(|word| word.bytes().all(|b| b.is_ascii_alphanumeric())).collect();
    let word = |chance: &mut Chance| chance.of(&words).copied().unwrap_or("word");
    let mut text = String::from("[\n");
    while text.len() < BYTES {
        let (id, size, ratio) = (chance.below(1_000_000), chance.below(90_000), chance.below(1_000));
        let (one, two, three) = (word(chance), word(chance), word(chance));
        text.push_str(&format!(
            "  {{\"id\": {id}, \"name\": \"{one}-{two}\", \"path\": \"src/{two}/{three}.rs\", \"bytes\": {size}, \
             \"ratio\": 0.{ratio:03}, \"tags\": [\"{three}\", \"{one}\"], \"done\": {}}},\n",
            ratio % 2 == 0
        ));
    }
    text + "  null\n]\n"
}

fn sentences(words: &[&str], between: &str, marks: &str, chance: &mut Chance) -> String {
    let marks: Vec<char> = marks.chars().collect();
    let mut text = String::new();
    while text.len() < BYTES {
        for _ in 0..3 + chance.below(9) {
            text.push_str(chance.of(words).copied().unwrap_or_default());
            text.push_str(between);
        }
        text.truncate(text.len() - between.len());
        text.extend(chance.of(&marks));
        text.push_str(if chance.below(6) == 0 { "\n" } else { between });
    }
    text
}

fn letters(alphabet: &[u8], chance: &mut Chance) -> String {
    (0..BYTES).filter_map(|_| chance.of(alphabet)).map(|byte| char::from(*byte)).collect()
}

/// Characters from everywhere in Unicode.
fn any(chance: &mut Chance) -> String {
    let mut text = String::new();
    while text.len() < BYTES {
        text.extend(char::from_u32(u32::try_from(chance.below(0x11_0000)).unwrap_or_default()));
    }
    text
}

/// No letter and no blank: lines and boxes of all lengths, drawn with characters.
fn runs(chance: &mut Chance) -> String {
    let mut text = String::new();
    while text.len() < BYTES {
        let c = chance.of(b"-=*#/_.~+|").map_or('-', |byte| char::from(*byte));
        text.extend(iter::repeat_n(c, 1 + chance.below(300)));
    }
    text
}
