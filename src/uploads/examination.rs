//! Examines artwork in the process that has limits.
//!
//! The process prints a line of JSON, then, for a drawing, the files that it made: the pixels, and the page.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use crate::artwork::{Artwork, ArtworkFacts, FilePart};

/// What became of an artwork file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Examined {
    /// It can be shown.
    Facts(ArtworkFacts),
    /// It cannot, for this reason.
    Refused(String),
}

/// The files that were made of a drawing; both are empty for a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MadeFiles {
    /// A PNG.
    pub(super) pixels: Vec<u8>,
    /// A PDF of one page.
    pub(super) page: Vec<u8>,
}

/// Reads an artwork file from `source`, and writes to `target` what became of it. For the process with limits.
///
/// # Errors
/// The file cannot be read, or the result cannot be written.
pub fn examine_from(source: &mut impl Read, target: &mut impl Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    let read = Artwork::read(bytes);
    let examined = match &read {
        Ok(artwork) => Examined::Facts(*artwork.facts()),
        Err(error) => Examined::Refused(error.to_string()),
    };
    serde_json::to_writer(&mut *target, &examined)?;
    if let Some(drawing) = read.ok().filter(|artwork| artwork.facts().drawing.is_some()) {
        target.write_all(b"\n")?;
        target.write_all(&drawing.bytes().map_err(io::Error::other)?)?;
        target.write_all(&drawing.page().map_err(io::Error::other)?)?;
    }
    target.flush()
}

/// What a process printed.
///
/// # Errors
/// It is not what [`examine_from`] writes.
pub(super) fn printed(output: &[u8]) -> io::Result<(Examined, MadeFiles)> {
    let end = output.iter().position(|byte| *byte == b'\n').unwrap_or(output.len());
    let (line, rest) = output.split_at(end);
    let examined: Examined = serde_json::from_slice(line)?;
    let Examined::Facts(ArtworkFacts { drawing: Some(drawing), .. }) = &examined else {
        return Ok((examined, MadeFiles::default()));
    };
    let cut = || io::Error::other("the files of a drawing are not those that the facts tell");
    let length = usize::try_from(drawing.pixels.bytes).map_err(io::Error::other)?;
    let files = rest.strip_prefix(b"\n").and_then(|files| files.split_at_checked(length));
    let (pixels, page) = files.ok_or_else(cut)?;
    if [FilePart::of(pixels), FilePart::of(page)] != [drawing.pixels, drawing.page] {
        return Err(cut());
    }
    let made = MadeFiles { pixels: pixels.to_vec(), page: page.to_vec() };
    Ok((examined, made))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examined(file: &[u8]) -> Vec<u8> {
        let mut output = Vec::new();
        examine_from(&mut &*file, &mut output).unwrap();
        output
    }

    #[test]
    fn a_drawing_comes_with_its_files_and_nothing_is_taken_from_a_cut_result() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='20'><rect width='9' height='9'/></svg>";
        let output = examined(svg);
        let (examined, made) = printed(&output).unwrap();
        assert!(matches!(&examined, Examined::Facts(facts) if facts.bytes == svg.len() as u64), "{examined:?}");
        assert!(made.pixels.starts_with(b"\x89PNG") && made.page.starts_with(b"%PDF-1.7"));
        assert!(printed(&output[..output.len() - 1]).is_err() && printed(&output[..400]).is_err());
    }

    #[test]
    fn what_is_no_artwork_is_refused_in_words() {
        let (examined, made) = printed(&examined(b"GIF89a")).unwrap();
        assert!(matches!(&examined, Examined::Refused(reason) if reason.contains("no PNG, JPEG, SVG or PDF")));
        assert_eq!(made, MadeFiles::default());
    }
}
