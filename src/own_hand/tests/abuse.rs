//! A page that was treated badly: each fault is told at its box, and the other boxes are used.

use super::camera::{Camera, printed};
use super::catalogue;
use super::round_trip::score;
use super::whole_hand::kalam;
use super::writer::{FilledPage, PIXELS};
use crate::noise::{Purpose, Stream};
use crate::own_hand::letters::{BoxReading, Doubt};
use crate::own_hand::picture::Plane;
use crate::own_hand::sheet::{BASELINE, BOX_HEIGHT, BOX_WIDTH, SheetBox, VOID_CIRCLE, box_origin};
use crate::own_hand::{HandRequest, read_hand};

/// Where the writing of a box begins, in mm below its top: under the circle and the printed character.
const TOP: f64 = 3.7;

/// The ink of a box, as it is taken off the page.
struct Ink {
    width: usize,
    coverage: Vec<u8>,
}

/// A page whose ink can be moved.
struct Abused(FilledPage);

impl Abused {
    /// The copy of this number, from 0, of a character.
    fn place(&self, character: char, copy: usize) -> SheetBox {
        self.0.boxes.iter().map(|(place, _)| *place).filter(|place| place.character == character).nth(copy).unwrap()
    }

    /// The first pixel of the writing of a box, and its width and height in pixels.
    fn region(place: &SheetBox) -> ([usize; 2], [usize; 2]) {
        let [x, y] = box_origin(place.row, place.column);
        let pixels = |mm: f64| (mm * PIXELS) as usize;
        ([pixels(x), pixels(y + TOP)], [pixels(BOX_WIDTH), pixels(BOX_HEIGHT - TOP)])
    }

    fn copy(&self, place: &SheetBox) -> Ink {
        let ([left, top], [width, height]) = Self::region(place);
        let stride = self.0.ink.width() as usize;
        let row = |y: usize| self.0.ink.data()[(top + y) * stride + left..][..width].to_vec();
        Ink { width, coverage: (0..height).flat_map(row).collect() }
    }

    fn take(&mut self, place: &SheetBox) -> Ink {
        let ink = self.copy(place);
        self.fade(place, 0.0);
        ink
    }

    /// Leaves a share of the ink of a box.
    fn fade(&mut self, place: &SheetBox, share: f64) {
        let ([left, top], [width, height]) = Self::region(place);
        let stride = self.0.ink.width() as usize;
        for y in top..top + height {
            for value in &mut self.0.ink.data_mut()[y * stride + left..][..width] {
                *value = (f64::from(*value) * share) as u8;
            }
        }
    }

    /// Puts ink into a box, moved by mm and scaled about the middle of the baseline.
    fn put(&mut self, place: &SheetBox, ink: &Ink, [right, down]: [f64; 2], size: f64) {
        let ([left, top], _) = Self::region(place);
        let (across, above) = (ink.width as f64 / 2.0, (BASELINE - TOP) * PIXELS);
        let stride = self.0.ink.width() as usize;
        let reach = ink.coverage.len() / ink.width * 2;
        for y in 0..2 * reach {
            for x in 0..2 * reach {
                let [dx, dy] = [x, y].map(|at| at as f64 - reach as f64);
                let [from_x, from_y] = [dx / size + across, dy / size + above];
                let is_there = from_x >= 0.0 && from_y >= 0.0 && from_x < ink.width as f64;
                let from = from_y as usize * ink.width + from_x as usize;
                let Some(value) = ink.coverage.get(from).filter(|_| is_there) else { continue };
                let to_x = (left as f64 + across + dx + right * PIXELS) as usize;
                let to_y = (top as f64 + above + dy + down * PIXELS) as usize;
                let at = &mut self.0.ink.data_mut()[to_y * stride + to_x];
                *at = (*at).max(*value);
            }
        }
    }

    /// Fills a disc, in mm.
    fn dot(&mut self, [x, y]: [f64; 2], radius: f64, darkness: f64) {
        let stride = self.0.ink.width() as usize;
        let [x, y, radius] = [x, y, radius].map(|mm| mm * PIXELS);
        for row in (y - radius) as usize..=(y + radius) as usize {
            for column in (x - radius) as usize..=(x + radius) as usize {
                let is_within = (row as f64 + 0.5 - y).hypot(column as f64 + 0.5 - x) <= radius;
                let at = &mut self.0.ink.data_mut()[row * stride + column];
                *at = (*at).max(if is_within { (255.0 * darkness) as u8 } else { 0 });
            }
        }
    }

    /// Crosses a letter out in zigzag.
    fn scribble(&mut self, place: &SheetBox) {
        let [x, y] = box_origin(place.row, place.column);
        for step in 0_u32..280 {
            let along = f64::from(step) / 280.0;
            let wave = (along * 14.0).fract();
            let rise = if ((along * 14.0) as u32).is_multiple_of(2) { wave } else { 1.0 - wave };
            self.dot([x + 4.0 + 7.2 * along, y + 9.0 + 4.5 * rise], 0.2, 1.0);
        }
    }
}

/// A ring of coffee, and a finger on the lower left mark.
fn spoil(paper: &mut [Plane; 3]) {
    const STAIN: [f32; 3] = [0.35, 0.6, 0.9];
    const FINGER: [f32; 3] = [0.5, 0.3, 0.22];
    for (channel, plane) in paper.iter_mut().enumerate() {
        let width = plane.width;
        for (at, value) in plane.values.iter_mut().enumerate() {
            let [x, y] = [at % width, at / width].map(|pixel| pixel as f64 / PIXELS);
            let away = (x - 130.0).hypot(y - 190.0);
            let stain = 0.35 * (-((away - 28.0) / 1.6).powi(2)).exp() + if away < 28.0 { 0.12 } else { 0.0 };
            *value *= 1.0 - STAIN[channel] * stain as f32;
            if (7.0..22.0).contains(&x) && (268.0..284.0).contains(&y) {
                *value = FINGER[channel];
            }
        }
    }
}

/// Whether a doubt tells a fault.
type Tells = fn(Doubt) -> bool;

fn is_other_shape(doubt: Doubt) -> bool {
    matches!(doubt, Doubt::Crosses | Doubt::Broken | Doubt::Shape | Doubt::LooksLike(_))
}

#[test]
fn each_fault_of_an_abused_page_is_told_at_its_box() {
    let mut page = Abused(kalam().pages[0].clone());
    let clean = Abused(page.0.clone());
    let mut faults: Vec<(SheetBox, &str, Tells)> = Vec::new();
    for (letter, copy) in [('b', 0), ('n', 1), ('u', 1)] {
        let place = page.place(letter, copy);
        let [x, y] = box_origin(place.row, place.column);
        page.dot([x + VOID_CIRCLE.0[0], y + VOID_CIRCLE.0[1]], 0.8, 1.0);
        faults.push((place, "its circle is filled", |doubt| doubt == Doubt::Dropped));
    }
    for (letter, copy) in [('v', 0), ('j', 1)] {
        let place = page.place(letter, copy);
        page.fade(&place, 0.33);
        faults.push((place, "faint", |doubt| doubt == Doubt::Faint));
    }
    let (pushed, beside) = (page.place('E', 0), page.place('F', 0));
    let ink = page.take(&pushed);
    page.put(&pushed, &ink, [7.6, 0.0], 1.0);
    faults.push((beside, "another letter was pushed into it", is_other_shape));
    for (letter, size) in [('P', 1.9), ('f', 1.6)] {
        let place = page.place(letter, 0);
        let ink = page.take(&place);
        page.put(&place, &ink, [0.0, 0.0], size);
        faults.push((place, "too large", |doubt| doubt == Doubt::Size));
    }
    let low = page.place('g', 1);
    let ink = page.take(&low);
    page.put(&low, &ink, [0.0, 3.0], 1.0);
    faults.push((low, "too low", |doubt| doubt == Doubt::Height));
    for letter in ['q', 'p'] {
        let place = page.place(letter, 0);
        page.scribble(&place);
        faults.push((place, "crossed out", is_other_shape));
    }
    for (letter, written) in [('n', 'u'), ('e', 'c')] {
        let place = page.place(letter, 0);
        page.take(&place);
        page.put(&place, &clean.copy(&clean.place(written, 0)), [0.0, 0.0], 1.0);
        faults.push((place, "another letter", |doubt| matches!(doubt, Doubt::LooksLike('u' | 'c'))));
    }
    // A letter that reaches far over the border of its box, and touches no other, is used.
    let far = page.place('A', 0);
    let ink = page.take(&far);
    page.put(&far, &ink, [-4.0, 0.0], 1.0);
    let draws = Stream::new(3, Purpose::WriterLetters);
    for speck in 0..250 {
        let draw = |index: u64, [least, most]: [f64; 2]| least + (most - least) * draws.unit(speck * 4 + index);
        page.dot([draw(0, [8.0, 202.0]), draw(1, [26.0, 270.0])], draw(2, [0.07, 0.22]), draw(3, [0.5, 1.0]));
    }

    let mut paper = printed(&page.0, catalogue());
    spoil(&mut paper);
    let picture = Camera { long: 3200, ..Camera::PHONE }.photograph(&paper, 11);
    let mut earlier = kalam().hand.record.clone();
    earlier.boxes.retain(|reading| reading.place.page.number == 2);
    let pictures = [("page1.jpg".to_owned(), picture)];
    let request = HandRequest {
        pictures: &pictures,
        name: "Founder".to_owned(),
        id: 1001,
        keep: Vec::new(),
        earlier: Some(earlier),
    };
    let reading = read_hand(request, catalogue());
    let boxes: Vec<BoxReading> =
        reading.record.boxes.into_iter().filter(|reading| reading.place.page == page.0.sheet).collect();
    let read = |place: &SheetBox| boxes.iter().find(|reading| reading.place == *place).unwrap();
    let untold: Vec<String> = faults
        .iter()
        .filter(|(place, _, tells)| !read(place).doubts.iter().any(|doubt| tells(*doubt)))
        .map(|(place, fault, _)| format!("{fault}: {}: {:?}", read(place).name(), read(place).doubts))
        .collect();
    assert!(untold.is_empty(), "{untold:#?}");
    assert!(read(&far).is_good(), "{:?}", read(&far).doubts);
    let others: Vec<&BoxReading> = boxes
        .iter()
        .filter(|reading| reading.place != pushed && faults.iter().all(|(place, ..)| reading.place != *place))
        .collect();
    let asked: Vec<String> = others
        .iter()
        .filter(|reading| !reading.is_good())
        .map(|reading| format!("{}: {:?}", reading.name(), reading.doubts))
        .collect();
    assert!(asked.len() as f64 <= 0.08 * others.len() as f64, "{asked:?}");
    // The moved letter is not where it was written.
    let of_others: Vec<BoxReading> = others.into_iter().filter(|reading| reading.place != far).cloned().collect();
    let wrong = score(&clean.0, &of_others).wrong;
    assert!(wrong.len() <= 1, "{wrong:?}");
}
