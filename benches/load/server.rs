//! The real program with its own key store, measured from outside.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use longhand::access;
use longhand::clock::Clock;

/// `longhand serve` on a free port. Dropped, it is killed.
pub(crate) struct Server {
    process: Child,
    /// Its address.
    pub(crate) address: String,
    /// The address of the admin listener.
    admin: String,
}

/// Enough keys to stay below 500 requests per minute each, used in turn.
pub(crate) struct Keys {
    keys: Vec<String>,
    next: AtomicUsize,
}

/// The resources of the process at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vitals {
    /// Resident memory, KiB.
    pub(crate) resident_kib: u64,
    /// Most that was ever resident, KiB.
    pub(crate) peak_kib: u64,
    /// Open files, sockets included.
    pub(crate) files: usize,
    /// Threads.
    pub(crate) threads: u64,
    /// CPU time used since the start, in seconds.
    pub(crate) cpu_seconds: f64,
}

/// A thread of the process.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Its number. Later threads have higher ones.
    pub(crate) id: u32,
    /// Its name, at most 15 bytes.
    pub(crate) name: String,
    /// Whether the process began with it.
    pub(crate) is_main: bool,
    /// CPU time since its start.
    pub(crate) cpu_nanoseconds: u64,
}

impl Server {
    /// Starts the program over the data directory `folder`, with further arguments.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_on(folder, arguments, None)
    }

    /// As [`start`](Self::start), on these cores alone where they are given, as taskset(1) takes them.
    pub(crate) fn start_on(folder: &Path, arguments: &[&str], cores: Option<&str>) -> Self {
        let program = std::env::var_os("LONGHAND_BINARY").unwrap_or(env!("CARGO_BIN_EXE_longhand").into());
        let mut command = match cores {
            Some(cores) => {
                let mut command = Command::new("taskset");
                command.args(["-c", cores]).arg(program);
                command
            }
            None => Command::new(program),
        };
        let mut process = command
            .args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log", "warn"])
            .arg("--data-dir")
            .arg(folder)
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut after = |start: &str| {
            let line = lines.by_ref().map(Result::unwrap).find(|line| line.contains(start)).expect("it starts");
            line.split("http://").nth(1).unwrap().split(' ').next().unwrap().to_owned()
        };
        let (address, admin) = (after("listens on"), after("For operators"));
        // Nothing else is printed; what comes goes nowhere, so that the program never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address, admin }
    }

    /// The sum of a metric's series that `is_meant` picks by their labels.
    pub(crate) fn metric(&self, name: &str, is_meant: impl Fn(&str) -> bool) -> f64 {
        let mut stream = TcpStream::connect(&self.admin).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
        let mut page = String::new();
        stream.read_to_string(&mut page).unwrap();
        let series = page.lines().filter_map(|line| line.strip_prefix(name)?.rsplit_once(' '));
        let meant = series.filter(|(labels, _)| is_meant(labels));
        // From plain zero: the sum of no numbers is the negative one.
        meant.fold(0.0, |sum, (_, value)| sum + value.parse::<f64>().unwrap())
    }

    /// Ends it as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Its threads (Linux; the first field of `schedstat` is the time on the CPU).
    pub(crate) fn threads(&self) -> Vec<Thread> {
        let process = self.process.id();
        let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
        let thread = |task: std::io::Result<std::fs::DirEntry>| {
            let folder = task.ok()?.path();
            let id = folder.file_name()?.to_str()?.parse().ok()?;
            // A thread may have ended meanwhile.
            let name = std::fs::read_to_string(folder.join("comm")).ok()?.trim_end().to_owned();
            let statistics = std::fs::read_to_string(folder.join("schedstat")).ok()?;
            let cpu_nanoseconds = statistics.split(' ').next()?.parse().ok()?;
            Some(Thread { id, name, is_main: id == process, cpu_nanoseconds })
        };
        tasks.filter_map(thread).collect()
    }

    /// What it takes now (Linux; proc(5)).
    pub(crate) fn vitals(&self) -> Vitals {
        let folder = format!("/proc/{}", self.process.id());
        let status = std::fs::read_to_string(format!("{folder}/status")).unwrap();
        let field = |name: &str| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().trim_end_matches(" kB").parse().unwrap()
        };
        let stat = std::fs::read_to_string(format!("{folder}/stat")).unwrap();
        // The 14th and 15th fields, counted after the name in brackets; in hundredths of a second.
        let after_name = stat.rsplit_once(')').unwrap().1;
        let ticks: f64 =
            after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().unwrap()).sum();
        Vitals {
            resident_kib: field("VmRSS:"),
            peak_kib: field("VmHWM:"),
            files: std::fs::read_dir(format!("{folder}/fd")).unwrap().count(),
            threads: field("Threads:"),
            cpu_seconds: ticks / 100.0,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Keys {
    /// Makes `number` keys without a quota in the store of `folder`.
    pub(crate) fn make(folder: &Path, number: usize) -> Self {
        let store = access::Keys::open_in(folder, Clock::system()).unwrap();
        let keys = (0..number).map(|_| store.create("load", None).unwrap().key.reveal().to_owned()).collect();
        Self { keys, next: AtomicUsize::new(0) }
    }

    /// The next key.
    pub(crate) fn next(&self) -> &str {
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        &self.keys[turn % self.keys.len()]
    }
}

/// Pages charged to all keys of the store of `folder` this month.
pub(crate) fn charged(folder: &Path) -> u64 {
    let store = access::Keys::open_in(folder, Clock::system()).unwrap();
    store.list().unwrap().iter().map(|key| key.used_this_month).sum()
}
