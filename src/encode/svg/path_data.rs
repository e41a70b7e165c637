//! The data of a path (SVG 1.1, 8.3): short numbers in millimetres.

use crate::geometry::PathCommand;
use crate::units::MM_PER_INCH;

/// Points are whole multiples of this part of a millimetre: 1 µm.
pub(super) const STEPS_PER_MM: f64 = 1000.0;
/// Millimetres per page px.
pub(super) const MM_PER_PX: f64 = MM_PER_INCH / 300.0;
/// Steps per page px.
const STEPS_PER_PX: f64 = STEPS_PER_MM * MM_PER_PX;

/// The `d` of a path in page px. Contours start at absolute points and go on relatively. Differences are taken between
/// rounded points, so that errors do not add up.
pub(super) fn path_data(path: &[PathCommand]) -> String {
    data_in_steps(path, steps)
}

/// The `d` of a path in whole units, such as font units.
pub(super) fn whole_path_data(path: &[PathCommand]) -> String {
    data_in_steps(path, |at| at.map(|length| (length * STEPS_PER_MM).round() as i64))
}

fn data_in_steps(path: &[PathCommand], steps: impl Fn([f64; 2]) -> [i64; 2]) -> String {
    let mut data = PathData::default();
    for command in path {
        match *command {
            PathCommand::MoveTo(to) => data.move_to(steps(to)),
            PathCommand::LineTo(to) => data.line_to(steps(to)),
            PathCommand::CubicTo(first, second, to) => data.cubic_to([first, second, to].map(&steps)),
            PathCommand::Close => data.close(),
        }
    }
    data.text
}

/// A point in steps.
fn steps(at: [f64; 2]) -> [i64; 2] {
    at.map(|length| (length * STEPS_PER_PX).round() as i64)
}

/// Data that is being written.
#[derive(Default)]
struct PathData {
    text: String,
    /// The command that further numbers would continue.
    command: Option<char>,
    at: [i64; 2],
    start: [i64; 2],
}

impl PathData {
    fn move_to(&mut self, to: [i64; 2]) {
        self.append('M', &to);
        (self.at, self.start) = (to, to);
        // Numbers after those of `M` are lines to absolute points.
        self.command = None;
    }

    fn line_to(&mut self, to: [i64; 2]) {
        match self.offset(to) {
            [0, 0] => {}
            [right, 0] => self.append('h', &[right]),
            [0, down] => self.append('v', &[down]),
            along => self.append('l', &along),
        }
        self.at = to;
    }

    fn cubic_to(&mut self, points: [[i64; 2]; 3]) {
        let [first, second, to] = points.map(|point| self.offset(point));
        if [first, second, to] != [[0, 0]; 3] {
            self.append('c', &[first, second, to].concat());
        }
        self.at = points[2];
    }

    fn close(&mut self) {
        self.text.push('z');
        self.command = None;
        self.at = self.start;
    }

    fn offset(&self, to: [i64; 2]) -> [i64; 2] {
        [to[0] - self.at[0], to[1] - self.at[1]]
    }

    /// Appends a command, or only its numbers if it continues the one before.
    fn append(&mut self, command: char, numbers: &[i64]) {
        if self.command != Some(command) {
            self.text.push(command);
            self.command = Some(command);
        }
        for number in numbers {
            let follows_a_number = self.text.ends_with(|last: char| last.is_ascii_digit());
            if follows_a_number && *number >= 0 {
                self.text.push(' ');
            }
            append_millimetres(*number, &mut self.text);
        }
    }
}

/// Appends a number of steps in millimetres, in as few characters as say it.
pub(super) fn append_millimetres(steps: i64, text: &mut String) {
    if steps < 0 {
        text.push('-');
    }
    let (whole, thousandths) = (steps.unsigned_abs() / 1000, steps.unsigned_abs() % 1000);
    if whole > 0 || thousandths == 0 {
        text.push_str(&whole.to_string());
    }
    if thousandths > 0 {
        text.push('.');
        text.push_str(format!("{thousandths:03}").trim_end_matches('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        for (steps, expected) in
            [(0, "0"), (5, ".005"), (-50, "-.05"), (1000, "1"), (-210_500, "-210.5"), (1001, "1.001")]
        {
            let mut text = String::new();
            append_millimetres(steps, &mut text);
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_path_goes_on_from_rounded_points() {
        // 30 px are 2.54 mm.
        let path = [
            PathCommand::MoveTo([300.0, 300.0]),
            PathCommand::LineTo([330.0, 300.0]),
            PathCommand::LineTo([330.0, 270.0]),
            PathCommand::LineTo([360.0, 240.0]),
            PathCommand::LineTo([390.0, 300.0]),
            PathCommand::CubicTo([390.0, 330.0], [360.0, 330.0], [300.0, 330.0]),
            PathCommand::Close,
            PathCommand::MoveTo([0.004, 0.008]),
            PathCommand::LineTo([0.004, 0.008]),
            PathCommand::Close,
        ];
        assert_eq!(path_data(&path), "M25.4 25.4h2.54v-2.54l2.54-2.54 2.54 5.08c0 2.54-2.54 2.54-7.62 2.54zM0 .001z");
    }
}
