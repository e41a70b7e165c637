//! Encodings by name: those of the web, and the code pages of DOS, in which spreadsheet programs still save "CSV
//! (MS-DOS)".

use encoding_rs::Encoding;

/// A way to read bytes as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodePage {
    /// Of the web.
    Web(&'static Encoding),
    /// Of DOS: its name, and its characters from 128 on.
    Dos(&'static str, &'static str),
}

impl CodePage {
    /// Western Europe.
    pub(crate) const DOS_WESTERN: Self = Self::Dos("cp850", CP_850);
    /// Central Europe.
    pub(crate) const DOS_CENTRAL: Self = Self::Dos("cp852", CP_852);
    /// America.
    pub(crate) const DOS_AMERICA: Self = Self::Dos("cp437", CP_437);

    /// The encoding of this name, such as `windows-1252`, `utf-16le` or `cp850`.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let label = name.trim().to_lowercase();
        let number = ["cp", "ibm", "dos-", "cp-", "oem"].into_iter().find_map(|start| label.strip_prefix(start));
        let dos = [Self::DOS_WESTERN, Self::DOS_CENTRAL, Self::DOS_AMERICA];
        if let Some(page) = dos.into_iter().find(|page| number == page.name().strip_prefix("cp")) {
            return Ok(page);
        }
        Encoding::for_label(label.as_bytes()).map(Self::Web).ok_or_else(|| {
            "no such encoding; common ones are utf-8, windows-1252 (western Europe), windows-1250 (central Europe), \
             windows-1251 (Cyrillic), utf-16le, macintosh and cp850 (DOS)"
                .to_owned()
        })
    }

    /// Its name in lower case.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Web(encoding) => encoding.name().to_lowercase(),
            Self::Dos(name, _) => name.to_owned(),
        }
    }

    /// The text of `bytes`, if they are in this encoding.
    pub(crate) fn read(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Web(encoding) => {
                let (text, _, is_damaged) = encoding.decode(bytes);
                (!is_damaged).then(|| text.into_owned())
            }
            Self::Dos(_, characters) => {
                let upper: Vec<char> = characters.chars().collect();
                let of = |byte: &u8| match byte.checked_sub(128) {
                    Some(at) => upper.get(usize::from(at)).copied(),
                    None => Some(char::from(*byte)),
                };
                bytes.iter().map(of).collect()
            }
        }
    }
}

const CP_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}";
const CP_852: &str = "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{AD}˝˛ˇ˘§÷¸°¨˙űŘř■\u{A0}";
const CP_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_dos_have_names_and_all_characters() {
        for (name, bytes, text) in [
            ("cp850", &b"Zo\x89 M\x81ller, Mu\xA4oz, S\x9Bren \xFF"[..], "Zoë Müller, Muñoz, Søren \u{A0}"),
            ("IBM852", b"\x9Dukasz, Dvo\xFD\xA0k, Gy\x8Br, Zo\x89", "Łukasz, Dvořák, Győr, Zoë"),
            ("cp437", b"Jos\x82 Pe\xA4a \xE1", "José Peña ß"),
        ] {
            let page = CodePage::named(name).unwrap();
            assert_eq!(page.read(bytes).as_deref(), Some(text), "{name}");
            let CodePage::Dos(_, characters) = page else { panic!("{name}") };
            assert_eq!(characters.chars().count(), 128, "{name}");
        }
        assert_eq!(CodePage::named("cp1252").unwrap().name(), "windows-1252");
        assert!(CodePage::named("cp9").unwrap_err().contains("cp850"));
    }
}
