//! Pictures of data of many sizes: every mark is there, and no two texts touch.

use haggle_model::{Scheme, Space};

use super::scene::{Anchor, PageItem, Scene, Text};
use super::*;

fn caption(title: &str) -> Caption {
    let asked = "k-anonymity with k = 10, at most 321 of 30,162 records suppressed".to_owned();
    let attributes = (0..12).map(|i| format!("a-long-attribute-name-{i}"));
    Caption { title: title.into(), asked: vec![asked, attributes.collect::<Vec<_>>().join(", ")] }
}

fn front(points: usize, suppression: bool) -> Picture {
    let point = |i: usize| Point {
        threshold: (points - i + 1).pow(2) as f64,
        loss: 1.0 / (i + 1) as f64,
        suppressed: (i * 100) as u64,
        scheme: Scheme::new([1, 2, 0]),
        knee: i == points / 2,
    };
    Picture::Front(Front {
        caption: caption("k-anonymity against LM"),
        parameter: "k".into(),
        privacy: "k: the minimum group size (larger is safer)".into(),
        loss: "loss, 0 (as recorded) to 1 (fully generalized)".into(),
        second: "loss".into(),
        best: "the best for its threshold".into(),
        records: 30_162,
        suppression,
        points: (0..points).map(point).collect(),
        missed: (0..points / 5).map(point).collect(),
        chosen: None,
    })
}

fn bars(heights: u32) -> Picture {
    let height = |height: u32| {
        let most = u64::from(30_162 / (height + 1));
        HeightBar { height, schemes: 3, least: most / 9, mean: most as f64 / 2.0, most }
    };
    let heights = (0..heights).map(height).collect();
    Picture::Bars(Bars { caption: caption("Records suppressed"), records: 30_162, heights })
}

fn steps(values: u32) -> Picture {
    Picture::Steps(Steps {
        caption: caption("Records suppressed by each threshold"),
        parameter: "k".into(),
        privacy: "k: the minimum group size (larger is safer)".into(),
        records: 30_162,
        steps: (1..=values).map(|i| (f64::from(i * i), u64::from(i) * 20)).collect(),
        asked: Some((5.0, 60)),
    })
}

fn lattice(top: &[u8], caps: &[u8]) -> Picture {
    let (top, caps) = (Scheme::new(top.iter().copied()), Scheme::new(caps.iter().copied()));
    let space = Space::new(top.clone());
    let cost = |height: u32| 30_162 >> height.min(20);
    let all = (0..space.size().unwrap()).map(|i| space.scheme(i));
    let schemes = all.map(|scheme| (scheme.clone(), cost(scheme.height()))).collect();
    let offer = |kind, scheme: &Scheme| Offer {
        kind,
        scheme: scheme.clone(),
        words: format!("answer: {scheme}, 170 records (0.56 %) suppressed"),
    };
    let kinds = [MarkKind::Suppression, MarkKind::Privacy];
    let mut offers: Vec<Offer> = kinds.map(|kind| offer(kind, &caps)).into();
    offers.push(offer(MarkKind::Height, &top));
    let caption = caption("The schemes and the records they suppress");
    Picture::Lattice(Lattice { caption, records: 30_162, limit: 321, caps, schemes, offers })
}

fn pictures() -> Vec<(Picture, &'static str, usize)> {
    let mut all = Vec::new();
    for points in [1, 2, 35, 400] {
        all.push((front(points, false), "point", points));
        all.push((front(points, true), "point", points));
    }
    for heights in [1, 7, 19, 30, 100] {
        all.push((bars(heights), "bar", 3 * heights as usize));
    }
    for values in [1, 12, 300] {
        all.push((steps(values), "step", values as usize));
    }
    all.push((lattice(&[1], &[0]), "scheme", 2));
    all.push((lattice(&[40], &[20]), "scheme", 41));
    all.push((lattice(&[4, 2, 3], &[2, 1, 1]), "scheme", 60));
    all.push((lattice(&[4, 2, 3], &[4, 2, 3]), "scheme", 60));
    all.push((lattice(&[4, 3, 2, 2, 2, 3], &[2, 2, 2, 1, 1, 2]), "scheme", 2160));
    all.push((
        lattice(&[1, 4, 1, 2, 3, 2, 2, 2, 1], &[1, 2, 1, 2, 2, 2, 2, 2, 1]),
        "scheme",
        12_960,
    ));
    all
}

/// Left, top, right and bottom of a text, as large as its capitals.
fn bounds(text: &Text) -> [f64; 4] {
    let wide = font::width(&text.words, text.size);
    let back = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => wide / 2.0,
        Anchor::End => wide,
    };
    let ((x, y), tall) = (text.at, text.size * 0.7);
    if text.upwards {
        return [x - tall, y + back - wide, x, y + back];
    }
    [x - back, y - tall, x - back + wide, y]
}

fn texts(scene: &Scene) -> Vec<(&Text, [f64; 4])> {
    let texts = scene.shapes.iter().filter_map(|shape| match &shape.form {
        PageItem::Text(text) => Some((text, bounds(text))),
        _ => None,
    });
    texts.collect()
}

#[test]
fn texts_are_on_the_page_and_apart_from_each_other() {
    for (picture, class, many) in pictures() {
        let scene = picture.scene();
        let texts = texts(&scene);
        for (i, (text, [left, top, right, bottom])) in texts.iter().enumerate() {
            let on_page =
                *left >= 0.0 && *top >= 0.0 && *right <= scene.width && *bottom <= scene.height;
            assert!(on_page, "{many} {class}: {text:?}");
            let touches = |other: &[f64; 4]| {
                *left < other[2] && other[0] < *right && *top < other[3] && other[1] < *bottom
            };
            let other = texts[..i].iter().find(|(_, other)| touches(other));
            assert!(other.is_none(), "{many} {class}: {text:?} and {other:?}");
        }
    }
}

#[test]
fn there_is_a_mark_for_each_datum_and_all_are_on_the_page() {
    for (picture, class, many) in pictures() {
        let scene = picture.scene();
        let marks: Vec<_> = scene.shapes.iter().filter(|shape| shape.class == class).collect();
        assert_eq!(marks.len(), many, "{class}");
        let points = |form: &PageItem| match form {
            PageItem::Path { points, .. } => points.clone(),
            PageItem::Disc { center, .. } => vec![*center],
            PageItem::Text(_) => vec![],
        };
        for (x, y) in marks.iter().flat_map(|mark| points(&mark.form)) {
            assert!(x > 0.0 && x < scene.width && y > 0.0 && y < scene.height, "{many} {class}");
        }
    }
}

#[test]
fn marks_of_schemes_do_not_cover_each_other() {
    for (picture, class, many) in pictures().into_iter().filter(|(_, class, _)| *class == "scheme")
    {
        let scene = picture.scene();
        let bounds = |form: &PageItem| match form {
            PageItem::Path { points, .. } => [points[0].0, points[0].1, points[2].0, points[2].1],
            PageItem::Disc { center: (x, y), radius: r, .. } => [x - r, y - r, x + r, y + r],
            PageItem::Text(_) => unreachable!("a scheme is not text"),
        };
        let marks = scene.shapes.iter().filter(|shape| shape.class == class);
        let mut marks: Vec<[f64; 4]> = marks.map(|shape| bounds(&shape.form)).collect();
        marks.sort_by(|a, b| a[0].total_cmp(&b[0]));
        for (i, a) in marks.iter().enumerate() {
            let near = marks[i + 1..].iter().take_while(|b| b[0] < a[2]);
            let covered = near.clone().find(|b| a[1] < b[3] && b[1] < a[3]);
            assert!(covered.is_none(), "{many}: {a:?} {covered:?}");
        }
    }
}

#[test]
fn terminals_are_not_too_narrow_for_any_picture() {
    for (picture, class, many) in pictures() {
        let text = picture.text();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= 100, "{many} {class}: {widest} columns\n{text}");
        assert!(text.is_ascii() || class == "point", "{text}");
    }
}
