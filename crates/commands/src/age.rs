//! How long ago something was.

use throughline_conversation::Millis;

/// The age of something in its largest unit: `5m`, `3d`.
pub fn age(now: Millis, then: Millis) -> String {
    let seconds = now.0.saturating_sub(then.0).max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}
