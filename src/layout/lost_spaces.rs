//! Finds the lines of a text whose spaces mean something and are not written.

/// The numbers, from 1, of lines that have a tab or a row of spaces that is meant: inside the line, or before it where
/// other lines have less. Two spaces within a line are a habit after full stops, and mean nothing.
pub(super) fn lines_that_lose_spaces(lines: &[Vec<(char, usize)>]) -> Vec<usize> {
    const INDENT: usize = 2;
    const ROW: usize = 3;
    let is_blank = |(character, _): &(char, usize)| matches!(character, ' ' | '\t');
    let indent_of = |line: &&[(char, usize)]| line.iter().take_while(|entry| is_blank(entry)).count();
    // Blanks at the end of a line cannot be seen.
    let written = lines.iter().map(|line| {
        let end = line.iter().rposition(|entry| !is_blank(entry)).map_or(0, |last| last + 1);
        &line[..end]
    });
    let common = written.clone().filter(|line| !line.is_empty()).map(|line| indent_of(&line)).min().unwrap_or(0);
    let loses = |line: &[(char, usize)]| {
        let parts = line.get(common..).unwrap_or_default().chunk_by(|one, other| is_blank(one) == is_blank(other));
        let blanks = parts.enumerate().filter(|(_, part)| part.first().is_some_and(is_blank));
        let mut least = blanks.map(|(at, row)| (if at == 0 { INDENT } else { ROW }, row));
        least.any(|(least, row)| row.len() >= least || row.iter().any(|(character, _)| *character == '\t'))
    };
    (1..).zip(written).filter(|(_, line)| loses(line)).map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lose_an_indent_a_tab_or_a_row_of_spaces_are_told() {
        let lost = |text: &str| {
            let lines: Vec<Vec<(char, usize)>> = text.lines().map(|line| line.chars().zip(0..).collect()).collect();
            lines_that_lose_spaces(&lines)
        };
        for (text, expected) in [
            ("Roses are red.  Violets", vec![]),
            (" one\ntwo  \t ", vec![]),
            ("    Dear Ann,\n\n    thank you", vec![]),
            ("one\n  two\nthree", vec![2]),
            ("one\n\ttwo", vec![2]),
            ("milk\t2.50\nbread   1.20", vec![1, 2]),
            ("  one\n      two", vec![2]),
        ] {
            assert_eq!(lost(text), expected, "{text:?}");
        }
    }
}
