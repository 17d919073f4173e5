//! The record format: the columns of a row.

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Number(i64),
    Text(String),
    /// A blob, a text that is not UTF-8, or a floating point number, which no table of ours has.
    Bytes(Vec<u8>),
}

impl Value {
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text.as_bytes()),
            Self::Bytes(bytes) => Some(bytes),
            Self::Null | Self::Number(_) => None,
        }
    }
}

/// The columns of a payload. `None`: its header and its length do not fit.
pub(super) fn values(payload: &[u8]) -> Option<Vec<Value>> {
    let (header, mut at) = varint(payload, 0)?;
    let header = usize::try_from(header).ok().filter(|header| *header <= payload.len())?;
    let (mut values, mut place) = (Vec::new(), header);
    while at < header {
        let (kind, next) = varint(payload, at)?;
        at = next;
        let size = size(kind)?;
        let bytes = payload.get(place..place.checked_add(size)?)?;
        place += size;
        values.push(value(kind, bytes));
    }
    (place == payload.len()).then_some(values)
}

fn size(kind: u64) -> Option<usize> {
    Some(match kind {
        0 | 8 | 9 => 0,
        1..=4 => usize::try_from(kind).ok()?,
        5 => 6,
        6 | 7 => 8,
        12.. => usize::try_from((kind - 12) / 2).ok()?,
        10 | 11 => return None,
    })
}

fn value(kind: u64, bytes: &[u8]) -> Value {
    match kind {
        0 => Value::Null,
        8 => Value::Number(0),
        9 => Value::Number(1),
        1..=6 => {
            let sign = if bytes.first().is_some_and(|first| first & 0x80 != 0) { -1 } else { 0 };
            Value::Number(bytes.iter().fold(sign, |sum: i64, byte| (sum << 8) | i64::from(*byte)))
        }
        kind if kind % 2 == 1 && kind >= 13 => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Bytes(bytes.to_vec()),
        },
        _ => Value::Bytes(bytes.to_vec()),
    }
}

/// A number of one to nine bytes, and the place after it.
pub(super) fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut sum = 0_u64;
    for (index, byte) in bytes.get(at..)?.iter().take(9).enumerate() {
        if index == 8 {
            return Some(((sum << 8) | u64::from(*byte), at + 9));
        }
        sum = (sum << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((sum, at + index + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests;
