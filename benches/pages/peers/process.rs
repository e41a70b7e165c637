//! A peer in a process of its own, which is told pages and draws them when asked.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use longhand::pipeline::StageTimes;

use crate::measure::Turn;

/// The running program. Dropped, it ends.
pub(super) struct PeerProcess {
    name: String,
    process: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl PeerProcess {
    /// Starts it.
    ///
    /// # Errors
    /// It does not start.
    pub(super) fn start(command: &mut Command) -> Result<Self, String> {
        let name = command.get_program().to_string_lossy().into_owned();
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = started.map_err(|error| format!("{name} does not start ({error})"))?;
        let (orders, answers) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        Ok(Self { name, process, orders, answers })
    }

    /// Starts this script of the folder with the Python of the benchmark.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub(super) fn start_python(script: &str) -> Result<Self, String> {
        let root = super::root();
        let python = std::env::var_os("LONGHAND_BENCH_PYTHON")
            .map_or_else(|| root.join(".venv-bench/bin/python"), PathBuf::from);
        Self::start(Command::new(python).arg(root.join("benches/pages/peers").join(script)))
    }

    /// Gives it an order.
    pub(super) fn order(&mut self, order: &[u8]) {
        let orders = self.orders.as_mut().expect("open until the peer is dropped");
        let given = orders.write_all(order).and_then(|()| orders.flush());
        given.unwrap_or_else(|error| panic!("what went wrong with {} stands above ({error})", self.name));
    }

    /// What came of an order: a line with wall time and processor time in ns and the length of the file, and the file.
    pub(super) fn answer(&mut self) -> Turn {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let numbers: Vec<u64> = line.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [wall, cpu, bytes] = numbers[..] else { panic!("what went wrong with {} stands above", self.name) };
        let mut file = vec![0; bytes as usize];
        self.answers.read_exact(&mut file).unwrap();
        let [wall, cpu] = [wall, cpu].map(Duration::from_nanos);
        Turn { wall, cpu, file, stages: StageTimes::default() }
    }
}

impl Drop for PeerProcess {
    fn drop(&mut self) {
        // Nothing more to read ends it.
        drop(self.orders.take());
        let _ = self.process.wait();
    }
}
