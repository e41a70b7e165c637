//! What the process that reads pictures is given, and what it gives back: a line of JSON with lengths, and the bytes.

use std::io::{BufRead, Read as _, Write};

use serde::{Deserialize, Serialize};

/// What a client says of a hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOrder {
    /// Family name of the font.
    pub name: String,
    /// Its `font_id`.
    pub id: u16,
    /// Boxes that are used whatever is doubted: page, row and box, from 1; those of the record if the client names none.
    pub keep: Option<Vec<[usize; 3]>>,
    /// The words of the trial.
    pub text: String,
}

/// What is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandInput {
    /// What the client says of the hand.
    pub order: HandOrder,
    /// The name and the bytes of each file with pictures.
    pub files: Vec<(String, Vec<u8>)>,
    /// The record of the hand that the pictures mend.
    pub record: Option<Vec<u8>>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HandOutput {
    /// The report, as JSON.
    pub(super) report: Vec<u8>,
    /// The files of the hand: its font, its description and its record; empty if there is no hand.
    pub(super) font: Vec<u8>,
    pub(super) description: Vec<u8>,
    pub(super) record: Vec<u8>,
}

#[derive(Serialize, Deserialize)]
struct InputHead {
    order: HandOrder,
    files: Vec<(String, usize)>,
    record: Option<usize>,
}

impl HandInput {
    /// The bytes for the process.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let files = self.files.iter().map(|(name, bytes)| (name.clone(), bytes.len())).collect();
        let head = InputHead { order: self.order.clone(), files, record: self.record.as_ref().map(Vec::len) };
        // Plain values always serialise.
        let mut all = serde_json::to_vec(&head).unwrap_or_default();
        all.push(b'\n');
        self.files.iter().map(|(_, bytes)| bytes).chain(&self.record).for_each(|bytes| all.extend(bytes));
        all
    }

    /// Reads an input.
    pub(super) fn from_reader(source: &mut impl BufRead) -> std::io::Result<Self> {
        let mut line = Vec::new();
        source.read_until(b'\n', &mut line)?;
        let head: InputHead = serde_json::from_slice(&line)?;
        let mut part = |length: usize| {
            let mut bytes = Vec::new();
            source.by_ref().take(length as u64).read_to_end(&mut bytes).map(|_| bytes)
        };
        let files = head.files.into_iter().map(|(name, length)| Ok((name, part(length)?)));
        let files = files.collect::<std::io::Result<_>>()?;
        Ok(Self { order: head.order, files, record: head.record.map(part).transpose()? })
    }
}

impl HandOutput {
    fn parts(&self) -> [&[u8]; 4] {
        [&self.report, &self.font, &self.description, &self.record]
    }

    /// Writes the output.
    pub(super) fn write_to(&self, target: &mut impl Write) -> std::io::Result<()> {
        serde_json::to_writer(&mut *target, &self.parts().map(<[u8]>::len))?;
        target.write_all(b"\n")?;
        self.parts().into_iter().try_for_each(|part| target.write_all(part))?;
        target.flush()
    }

    /// The output in these bytes; `None` if they are not whole.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let lengths: [usize; 4] = serde_json::from_slice(bytes.get(..end)?).ok()?;
        let mut rest = bytes.get(end + 1..)?;
        let mut part = |length: usize| {
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part.to_vec())
        };
        let [report, font, description, record] = lengths;
        let output =
            Self { report: part(report)?, font: part(font)?, description: part(description)?, record: part(record)? };
        rest.is_empty().then_some(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_and_output_come_back_whole() {
        let order = HandOrder {
            name: "Ann\n".to_owned(),
            id: 1999,
            keep: Some(vec![[1, 2, 3]]),
            text: "Dear \"Tom\"".to_owned(),
        };
        for record in [None, Some(b"{\n}".to_vec())] {
            let files = vec![("a\nb.jpg".to_owned(), b"\n\0x".to_vec()), (String::new(), Vec::new())];
            let input = HandInput { order: order.clone(), files, record };
            assert_eq!(HandInput::from_reader(&mut input.to_bytes().as_slice()).unwrap(), input);
        }
        let output = HandOutput { report: b"{}\n".to_vec(), font: vec![0, 10, 1], ..HandOutput::default() };
        let mut bytes = Vec::new();
        output.write_to(&mut bytes).unwrap();
        assert_eq!(HandOutput::from_bytes(&bytes), Some(output));
        for length in 0..bytes.len() {
            assert_eq!(HandOutput::from_bytes(&bytes[..length]), None, "{length}");
        }
        assert!(HandInput::from_reader(&mut b"{}".as_slice()).is_err());
    }
}
