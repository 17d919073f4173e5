//! The numbers of the estimator, found by fitting and not by thought.
//!
//! Each weight is the price of a byte after another, by kind, in thousandths of a token: a least-squares fit of
//! the token counts that OpenAI's encodings `cl100k_base` and `o200k_base` give (their mean) for about 8,000
//! pieces of 800 bytes of source code, documents, JSON, logs, hexadecimal digits, emoji, and texts in some 25
//! languages. Letters in a row are kept from falling below 120, so that long words do not become free.

/// The kind that counts as standing before a text.
pub(crate) const FIRST: u8 = 4;

/// Kind of a byte of UTF-8 text. The first byte of a character tells its script; the others are of kind 6.
const fn kind(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        b' ' | b'\t' => 3,
        b'\n' | b'\r' => 4,
        0x00..=0x7f => 5,
        0x80..=0xbf => 6,
        // Latin with accents.
        0xc0..=0xcd => 7,
        // Cyrillic.
        0xd0..=0xd4 => 8,
        // Greek, Armenian, Hebrew, Arabic and others of two bytes.
        0xce..=0xdf => 9,
        // Scripts of India and South-East Asia, Georgian.
        0xe0 | 0xe1 => 10,
        // Typographic marks, symbols, full-width forms.
        0xe2 | 0xee | 0xef => 11,
        // Kana and the rarer Chinese characters.
        0xe3 => 12,
        // Chinese characters.
        0xe4..=0xe9 => 13,
        // Hangul.
        0xea..=0xed => 14,
        // Emoji and everything else of four bytes.
        0xf0..=0xff => 15,
    }
}

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte: u8 = 0;
    let mut rest: &mut [u8] = &mut kinds;
    while let Some((first, more)) = rest.split_first_mut() {
        *first = kind(byte);
        byte = byte.wrapping_add(1);
        rest = more;
    }
    kinds
};

#[rustfmt::skip]
const WEIGHTS: [u16; 128] = [
    // now: a,    A,    0, blank, line, mark, rest, Latin, Cyr., Greek, Indic, symbol, kana, Han, Hangul, emoji
    // after a lower-case letter
     120,  580,  988,  583,  893,  804,    0, 2121,  525,  453,  250,  250, 1712,  752,  597, 2000,
    // after a capital
     106,  120, 2200,   20, 1067,  925,    0, 1392,  450,  440, 1039,  879,  843,  683,  909, 2000,
    // after a digit
    1002, 2200,  271,  320, 1191, 1126,    0,  477,  475,  500,  827, 1019,  992,  964,  914, 2000,
    // after a blank
      20,  387, 1671,   12,  113,  882,    0,  250,  937,  557, 1371, 1515, 1278, 2012, 1145, 2112,
    // after a newline, or nothing
     204, 1072,   20, 1016,  242,  956,    0,  841, 1348,  250, 1549, 1125, 1339,  767, 1591, 2019,
    // after punctuation
     370,  527,  628,  343,   20,  162,    0,  701, 1333,  997, 1616, 1490, 1510,  592, 1331, 2002,
    // after a character beyond ASCII
     297, 1700,  833,   38, 1158, 1023,    0,  394,  281,  726,  712,   58,  720,  962,  748, 1922,
    // padding: no kind leads here
       0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
];

/// Kind of a byte.
pub(crate) fn class(byte: u8) -> u8 {
    KINDS.get(usize::from(byte)).copied().unwrap_or_default()
}

/// Price of a byte of kind `now` after one of kind `before`, in thousandths of a token.
pub(crate) fn weight(before: u8, now: u8) -> u64 {
    // After the first byte of a character beyond ASCII comes another of the same character, which is free, so
    // such kinds may share the row of kind 6.
    let at = usize::from(before.min(6)) * 16 + usize::from(now);
    // The mask changes nothing; it shows the compiler that the place is within the table.
    u64::from(WEIGHTS.get(at & 127).copied().unwrap_or_default())
}
