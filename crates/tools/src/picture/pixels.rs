//! Pixels of a decoded picture: turning and shrinking them.

/// A decoded picture, with one byte per channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Bytes of a pixel.
    pub(super) channels: usize,
    /// Row by row from the top.
    pub(super) bytes: Vec<u8>,
}

impl Pixels {
    /// The same with at most this many pixels per side. Each pixel is the mean of the area that it covers.
    pub(super) fn shrunk(&self, side: usize) -> Self {
        let longest = self.width.max(self.height);
        if longest <= side || side == 0 {
            return self.clone();
        }
        let width = (self.width * side / longest).max(1);
        let height = (self.height * side / longest).max(1);
        let row = self.width * self.channels;
        let narrow: Vec<u8> = self
            .bytes
            .chunks_exact(row)
            .flat_map(|row| means(row, Axis { from: self.width, to: width, bytes: self.channels }))
            .collect();
        let bytes = means(&narrow, Axis { from: self.height, to: height, bytes: width * self.channels });
        Self { width, height, channels: self.channels, bytes }
    }

    /// The same upright, by the value of the tag `Orientation` (TIFF 6.0, page 36).
    pub(super) fn upright(self, orientation: u16) -> Self {
        let is_turned = (5..=8).contains(&orientation);
        let (width, height) = if is_turned { (self.height, self.width) } else { (self.width, self.height) };
        let source = |x: usize, y: usize| match orientation {
            2 => (width - 1 - x, y),
            3 => (width - 1 - x, height - 1 - y),
            4 => (x, height - 1 - y),
            5 => (y, x),
            6 => (y, width - 1 - x),
            7 => (height - 1 - y, width - 1 - x),
            8 => (height - 1 - y, x),
            _ => (x, y),
        };
        if !(2..=8).contains(&orientation) {
            return self;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let (x, y) = source(x, y);
            let at = (y * self.width + x) * self.channels;
            bytes.extend_from_slice(self.bytes.get(at..at + self.channels).unwrap_or_default());
        }
        Self { width, height, channels: self.channels, bytes }
    }
}

/// How many items of how many bytes each become fewer.
#[derive(Debug, Clone, Copy)]
struct Axis {
    from: usize,
    to: usize,
    bytes: usize,
}

/// Fewer items, each the mean of those that it covers, weighted by how much of each it covers.
fn means(items: &[u8], axis: Axis) -> Vec<u8> {
    let Axis { from, to, bytes } = axis;
    let mut out = Vec::with_capacity(to * bytes);
    let mut sums = vec![0usize; bytes];
    for target in 0..to {
        // In these units an old item is `to` long, and a new one `from`.
        let (begin, end) = (target * from, (target + 1) * from);
        sums.fill(0);
        for (at, item) in items.chunks_exact(bytes).enumerate().take(end.div_ceil(to)).skip(begin / to) {
            let weight = end.min((at + 1) * to) - begin.max(at * to);
            for (sum, byte) in sums.iter_mut().zip(item) {
                *sum += weight * usize::from(*byte);
            }
        }
        out.extend(sums.iter().map(|sum| u8::try_from((sum + from / 2) / from).unwrap_or(u8::MAX)));
    }
    out
}

#[cfg(test)]
mod tests;
