//! One ICC profile of a printing condition.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::separation::{PictureSeparation, Separation};
use crate::spec::PrintingCondition;

/// Length of a profile's header and of an entry of its tag table (ICC.1:2001-04, 6.1 and 6.2).
const HEADER: usize = 128;
const TAG_ENTRY: usize = 12;
/// Compression level of the embedded stream: the middle, used once per process.
const LEVEL: u8 = 6;

/// The profile that converts pages for a condition, and that their output intent contains.
pub struct OutputProfile {
    /// The printing condition of the profile.
    pub(in crate::encode) condition: PrintingCondition,
    /// The source of the profile, for the output intent.
    pub(in crate::encode) origin: String,
    icc: Cow<'static, [u8]>,
    separation: OnceLock<Separation>,
    picture_separation: OnceLock<PictureSeparation>,
    compressed: OnceLock<Vec<u8>>,
}

/// The reason why PDF/X-1a cannot embed these bytes as an output profile.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileDefect {
    /// The signature `acsp` is missing, the length is not the one stated, or the tag table does not fit.
    #[error("it is no ICC profile, or not a whole one")]
    NotWhole,
    /// Its version is above 2, the highest of PDF 1.3.
    #[error("it is an ICC profile of version {0}; PDF/X-1a embeds version 2")]
    Version(u8),
    /// It does not describe a printer.
    #[error("its class is '{0}'; it should be 'prtr', an output profile")]
    Class(String),
    /// Its device is not one of four inks.
    #[error("its colour space is '{0}'; it should be 'CMYK'")]
    Space(String),
    /// It connects through something other than Lab.
    #[error("its connection space is '{0}'; it should be 'Lab '")]
    Connection(String),
    /// A table for one direction is missing.
    #[error("it has no {0} table")]
    MissingTable(&'static str),
    /// lcms2 refuses it.
    #[error("it cannot be used: {0}")]
    Unusable(String),
}

impl OutputProfile {
    /// The profile with these bytes, checked by its header.
    pub(super) fn new(
        condition: PrintingCondition,
        origin: String,
        icc: impl Into<Cow<'static, [u8]>>,
    ) -> Result<Self, ProfileDefect> {
        let icc = icc.into();
        check(&icc)?;
        Ok(Self {
            condition,
            origin,
            icc,
            separation: OnceLock::new(),
            picture_separation: OnceLock::new(),
            compressed: OnceLock::new(),
        })
    }

    /// The profile as a zlib stream, made once.
    #[must_use]
    pub fn compressed(&self) -> &[u8] {
        self.compressed.get_or_init(|| miniz_oxide::deflate::compress_to_vec_zlib(&self.icc, LEVEL))
    }

    /// The conversions into it, made once.
    pub(in crate::encode) fn separation(&self) -> Result<&Separation, ProfileDefect> {
        if let Some(separation) = self.separation.get() {
            return Ok(separation);
        }
        let made = Separation::new(&self.icc).map_err(|error| ProfileDefect::Unusable(error.to_string()))?;
        Ok(self.separation.get_or_init(|| made))
    }

    /// The conversion of pictures into it, made once.
    pub(in crate::encode) fn picture_separation(&self) -> Result<&PictureSeparation, ProfileDefect> {
        if let Some(separation) = self.picture_separation.get() {
            return Ok(separation);
        }
        let made = PictureSeparation::new(&self.icc).map_err(|error| ProfileDefect::Unusable(error.to_string()))?;
        Ok(self.picture_separation.get_or_init(|| made))
    }
}

/// The requirements on the header and the tag table (ICC.1:2001-04, 6.1; PDF/X-1a:2001 embeds output profiles only).
fn check(icc: &[u8]) -> Result<(), ProfileDefect> {
    let word = |at: usize| icc.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    let signature = |at: usize| word(at).ok_or(ProfileDefect::NotWhole);
    if signature(36)? != *b"acsp" || u32::from_be_bytes(signature(0)?) as usize != icc.len() {
        return Err(ProfileDefect::NotWhole);
    }
    let [major, ..] = signature(8)?;
    if major != 2 {
        return Err(ProfileDefect::Version(major));
    }
    let shown = |bytes: [u8; 4]| String::from_utf8_lossy(&bytes).into_owned();
    match (signature(12)?, signature(16)?, signature(20)?) {
        (class, _, _) if class != *b"prtr" => return Err(ProfileDefect::Class(shown(class))),
        (_, space, _) if space != *b"CMYK" => return Err(ProfileDefect::Space(shown(space))),
        (_, _, connection) if connection != *b"Lab " => return Err(ProfileDefect::Connection(shown(connection))),
        _ => {}
    }
    let count = u32::from_be_bytes(signature(HEADER)?) as usize;
    let table = icc.get(HEADER + 4..).unwrap_or_default();
    if table.len() / TAG_ENTRY < count {
        return Err(ProfileDefect::NotWhole);
    }
    for wanted in ["A2B1", "B2A0", "B2A1"] {
        let mut tags = table.chunks_exact(TAG_ENTRY).take(count);
        if !tags.any(|tag| tag.starts_with(wanted.as_bytes())) {
            return Err(ProfileDefect::MissingTable(wanted));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn sound() -> Vec<u8> {
        include_bytes!("../../../icc/tr006-coated-300.icc").to_vec()
    }

    #[rstest]
    #[case::signature(36, b"abcd", ProfileDefect::NotWhole)]
    #[case::length(0, &[0, 0, 0, 200], ProfileDefect::NotWhole)]
    #[case::version(8, &[4, 0x20, 0, 0], ProfileDefect::Version(4))]
    #[case::class(12, b"mntr", ProfileDefect::Class("mntr".to_owned()))]
    #[case::space(16, b"RGB ", ProfileDefect::Space("RGB ".to_owned()))]
    #[case::connection(20, b"XYZ ", ProfileDefect::Connection("XYZ ".to_owned()))]
    #[case::tag_count(128, &[255, 255, 255, 255], ProfileDefect::NotWhole)]
    fn a_header_that_says_anything_else_is_refused(
        #[case] at: usize,
        #[case] bytes: &[u8],
        #[case] defect: ProfileDefect,
    ) {
        let mut icc = sound();
        assert_eq!(check(&icc), Ok(()));
        icc[at..at + bytes.len()].copy_from_slice(bytes);
        assert_eq!(check(&icc), Err(defect));
    }

    #[test]
    fn a_missing_table_is_named() {
        let mut icc = sound();
        let at = icc.windows(4).position(|four| four == b"B2A1").unwrap();
        icc[at] = b'X';
        assert_eq!(check(&icc), Err(ProfileDefect::MissingTable("B2A1")));
    }

    #[test]
    fn a_profile_that_is_cut_off_is_refused_wherever_it_ends() {
        let icc = sound();
        for length in [0, 3, 40, 128, 131, 140, 300, icc.len() - 1] {
            assert_eq!(check(&icc[..length]), Err(ProfileDefect::NotWhole), "{length} bytes");
        }
    }
}
