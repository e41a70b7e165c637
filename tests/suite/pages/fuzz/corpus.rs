//! The committed inputs of a fuzz target, and mutants of them as bolero draws, shrinks and repeats them.

use std::fmt;
use std::panic::{AssertUnwindSafe, RefUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bolero::{BorrowedInput, DefaultEngine, TestTarget, TypeGenerator, ValueGenerator, produce};

/// For which mutants of a target are tried; `BOLERO_RANDOM_TEST_TIME_MS` overrides it.
const RUN: Duration = Duration::from_secs(2);
/// Longest mutant, in bytes.
const LONGEST: usize = 40_000;

/// What `bolero::check!()` begins with.
pub(crate) type Check = TestTarget<bolero::ByteSliceGenerator, DefaultEngine, BorrowedInput>;

/// What mutants of a target's inputs are made from.
pub(crate) struct Corpus {
    target: &'static str,
    inputs: Vec<(String, Vec<u8>)>,
    words: &'static [&'static str],
}

/// Bytes for a target, which say where to keep them.
pub(crate) struct Input {
    target: &'static str,
    pub(crate) bytes: Vec<u8>,
}

impl fmt::Debug for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, bytes } = self;
        write!(formatter, "keep it in tests/corpus/{target}: b\"{}\"", bytes.escape_ascii())
    }
}

/// One step from an input of the corpus to a mutant. Places and lengths are taken modulo what is there.
#[derive(Clone, Copy, Debug, TypeGenerator)]
enum Change {
    Flip {
        place: u16,
        #[generator(0..8)]
        bit: u8,
    },
    Set {
        place: u16,
        byte: u8,
    },
    Cut {
        place: u16,
        #[generator(1..=16)]
        length: u8,
    },
    Truncate {
        place: u16,
    },
    /// Puts a word of the target's language in.
    Speak {
        place: u16,
        word: u8,
    },
    Repeat {
        place: u16,
        #[generator(1..=16)]
        length: u8,
        times: u8,
    },
    /// Puts a part of another input in.
    Splice {
        place: u16,
        other: u8,
        start: u16,
    },
}

impl Corpus {
    /// The inputs in `tests/corpus/TARGET`, of which there must be at least `fewest`.
    pub(crate) fn of(target: &'static str, fewest: usize, words: &'static [&'static str]) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(target);
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let mut inputs: Vec<_> = files
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(path).unwrap()))
            .collect();
        inputs.sort_unstable();
        assert!(inputs.len() >= fewest, "{} inputs in tests/corpus/{target}", inputs.len());
        Self { target, inputs, words }
    }

    /// Tries every input, and then mutants until the time is over.
    pub(crate) fn try_all(self, target: Check, check: impl Fn(&[u8]) + RefUnwindSafe) {
        for (name, bytes) in &self.inputs {
            let passed = catch_unwind(AssertUnwindSafe(|| check(bytes))).is_ok();
            assert!(passed, "tests/corpus/{}/{name} fails", self.target);
        }
        let tried = AtomicU64::new(0);
        target.with_generator(self.mutants()).with_test_time(RUN).for_each(|input| {
            tried.fetch_add(1, Ordering::Relaxed);
            check(&input.bytes);
        });
        assert!(tried.into_inner() > 0);
    }

    /// An input after up to four changes.
    fn mutants(self) -> impl ValueGenerator<Output = Input> {
        let changes = produce::<Vec<Change>>().with().len(0_usize..=4);
        (produce::<u8>(), changes).map_gen(move |(number, changes)| {
            let (_, mut bytes) = self.inputs[usize::from(number) % self.inputs.len()].clone();
            for change in changes {
                self.apply(change, &mut bytes);
            }
            bytes.truncate(LONGEST);
            Input { target: self.target, bytes }
        })
    }

    fn apply(&self, change: Change, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let from = |place: u16| usize::from(place) % length.max(1);
        let part = |place: u16, wanted: u8| from(place).min(length)..(from(place) + usize::from(wanted)).min(length);
        match change {
            Change::Flip { place, bit } => {
                bytes.iter_mut().skip(from(place)).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            Change::Set { place, byte } => bytes.iter_mut().skip(from(place)).take(1).for_each(|held| *held = byte),
            Change::Cut { place, length } => drop(bytes.drain(part(place, length))),
            Change::Truncate { place } => bytes.truncate(from(place)),
            Change::Speak { place, word } => {
                let word = self.words[usize::from(word) % self.words.len()];
                drop(bytes.splice(from(place)..from(place), word.bytes()));
            }
            Change::Repeat { place, length, times } => {
                let repeated = bytes[part(place, length)].repeat(usize::from(times));
                drop(bytes.splice(from(place)..from(place), repeated));
            }
            Change::Splice { place, other, start } => {
                let other = &self.inputs[usize::from(other) % self.inputs.len()].1;
                let start = usize::from(start) % other.len().max(1);
                drop(bytes.splice(from(place)..from(place), other.iter().skip(start).take(200).copied()));
            }
        }
    }
}
