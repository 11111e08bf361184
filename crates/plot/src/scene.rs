//! A drawing before it has a format: outlines, discs and lines of text on a white page.

/// A point on the page: right from its left edge and down from its top.
pub(super) type Position = (f64, f64);

/// A colour; pictures distinguish things by lightness, because reports are printed in grey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tone(pub(super) u8, pub(super) u8, pub(super) u8);

impl Tone {
    pub(super) const INK: Self = Self(0x1a, 0x1a, 0x1a);
    pub(super) const GREY: Self = Self(0x60, 0x60, 0x60);
    pub(super) const LIGHT: Self = Self(0xb8, 0xb8, 0xb8);
    pub(super) const PALE: Self = Self(0xe4, 0xe4, 0xe4);
    pub(super) const WHITE: Self = Self(0xff, 0xff, 0xff);
    /// From light to dark, each clearly darker than the one before.
    pub(super) const RAMP: [Self; 6] = [
        Self::WHITE,
        Self(0xd9, 0xe6, 0xf2),
        Self(0xa3, 0xc4, 0xe0),
        Self(0x5f, 0x9a, 0xc9),
        Self(0x25, 0x62, 0x9c),
        Self(0x0b, 0x29, 0x4a),
    ];
}

/// How an outline is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) tone: Tone,
    pub(super) width: f64,
    pub(super) dashed: bool,
}

impl Stroke {
    pub(super) fn new(tone: Tone, width: f64) -> Self {
        Self { tone, width, dashed: false }
    }

    pub(super) fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }
}

/// How a shape looks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ShapeStyle {
    pub(super) fill: Option<Tone>,
    pub(super) pen: Option<Stroke>,
}

impl ShapeStyle {
    pub(super) fn filled(tone: Tone) -> Self {
        Self { fill: Some(tone), pen: None }
    }

    pub(super) fn drawn(tone: Tone, width: f64) -> Self {
        Self { fill: None, pen: Some(Stroke::new(tone, width)) }
    }

    pub(super) fn edged(self, tone: Tone, width: f64) -> Self {
        Self { pen: Some(Stroke::new(tone, width)), ..self }
    }
}

/// Which part of a text is at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    pub(super) words: String,
    /// Where its baseline begins, has its middle or ends.
    pub(super) at: Position,
    pub(super) size: f64,
    pub(super) anchor: Anchor,
    pub(super) tone: Tone,
    pub(super) bold: bool,
    /// Whether it runs upwards.
    pub(super) upwards: bool,
}

impl Text {
    pub(super) fn new(words: impl Into<String>, at: Position, size: f64) -> Self {
        let (anchor, tone) = (Anchor::Start, Tone::INK);
        Self { words: words.into(), at, size, anchor, tone, bold: false, upwards: false }
    }

    pub(super) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(super) fn toned(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }
}

/// What can be on a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum PageItem {
    /// Straight lines from point to point.
    Path { points: Vec<Position>, closed: bool, look: ShapeStyle },
    /// A circle.
    Disc { center: Position, radius: f64, look: ShapeStyle },
    /// A line of text.
    Text(Text),
}

/// A shape on a page, its meaning, and the hint that a reader sees when pointing at it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PageShape {
    pub(super) form: PageItem,
    pub(super) class: &'static str,
    pub(super) hint: Option<String>,
}

impl PageShape {
    pub(super) fn line(points: Vec<Position>, pen: Stroke) -> Self {
        let look = ShapeStyle { fill: None, pen: Some(pen) };
        PageItem::Path { points, closed: false, look }.into()
    }

    pub(super) fn polygon(points: Vec<Position>, look: ShapeStyle) -> Self {
        PageItem::Path { points, closed: true, look }.into()
    }

    /// A rectangle by its upper left corner and its size.
    pub(super) fn rectangle((x, y): Position, (width, height): Position, look: ShapeStyle) -> Self {
        let (right, bottom) = (x + width, y + height);
        Self::polygon(vec![(x, y), (right, y), (right, bottom), (x, bottom)], look)
    }

    pub(super) fn disc(center: Position, radius: f64, look: ShapeStyle) -> Self {
        PageItem::Disc { center, radius, look }.into()
    }

    /// Its meaning: distinguishes the marks of data from everything else.
    pub(super) fn class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl From<PageItem> for PageShape {
    fn from(form: PageItem) -> Self {
        Self { form, class: "", hint: None }
    }
}

impl From<Text> for PageShape {
    fn from(text: Text) -> Self {
        PageItem::Text(text).into()
    }
}

/// A page; later shapes cover earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub(super) title: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) shapes: Vec<PageShape>,
}

impl Scene {
    pub(super) fn new(title: &str, width: f64, height: f64) -> Self {
        Self { title: title.into(), width, height, shapes: Vec::new() }
    }

    pub(super) fn add(&mut self, shape: impl Into<PageShape>) {
        self.shapes.push(shape.into());
    }
}
