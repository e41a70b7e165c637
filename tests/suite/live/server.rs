//! The program as a process of its own, and clients that speak to it over sockets.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Lines, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Barrier;
use std::time::Duration;

use serde_json::Value;

/// Longest silence of a server that is at work.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `longhand demo` on a free port. Dropped, it is killed.
pub(crate) struct Server {
    process: Child,
    folder: PathBuf,
    pub(crate) address: String,
    /// Where operators ask.
    pub(crate) admin: String,
    pub(crate) key: String,
}

/// What a server prints.
type Printed = Lines<BufReader<ChildStdout>>;

/// A key that `longhand keys create` made.
pub(crate) struct CreatedKey {
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) webhook_secret: String,
}

impl CreatedKey {
    /// What `keys create --json` prints.
    pub(crate) fn read(made: &Value) -> Self {
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Self { id: text("id"), key: text("key"), webhook_secret: text("webhook_secret") }
    }
}

/// Head and body as they came; both empty where the connection just closed.
#[derive(Clone, Debug)]
pub(crate) struct RawAnswer {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl RawAnswer {
    fn read(mut stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut bytes = Vec::new();
        // A server that refuses early, or is killed, resets the connection; what came before that stands.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |start| start + 4);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let body = text(&bytes.split_off(end));
        Self { head: text(&bytes), body }
    }

    /// The status, or 0 where there was no answer.
    pub(crate) fn status(&self) -> u16 {
        let code = self.head.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5));
        code.map_or(0, |code| code.parse().unwrap())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.filter(|(held, _)| held.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Server {
    pub(crate) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[])
    }

    /// Starts with further arguments; the log goes to a file in `folder`.
    pub(crate) fn start_with(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_longhand")), folder, arguments)
    }

    /// Starts with further arguments by a command that becomes the program.
    pub(crate) fn start_by(mut command: Command, folder: &Path, arguments: &[&str]) -> Self {
        let (mut server, mut lines) = Self::spawn(command.arg("demo"), folder, arguments);
        server.key = after("API key: ", &mut lines);
        let line = after("curl ", &mut lines);
        assert!(line.contains(&server.address) && line.contains(&server.key), "the line works as pasted: {line}");
        server
    }

    /// As [`start_by`](Self::start_by), where no demo key can be made: `key` is empty.
    pub(crate) fn start_without_key(mut command: Command, folder: &Path, arguments: &[&str]) -> Self {
        Self::spawn(command.args(["serve", "--demo-key"]), folder, arguments).0
    }

    /// The server once it listens, and the lines that it prints afterwards.
    fn spawn(command: &mut Command, folder: &Path, arguments: &[&str]) -> (Self, Printed) {
        let log = File::options().create(true).append(true).open(folder.join("log")).unwrap();
        let mut process = command
            .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data-dir", "keys"])
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = after("listens on http://", &mut lines);
        let admin = after("For operators: http://", &mut lines).split(' ').next().unwrap().to_owned();
        (Self { process, folder: folder.to_owned(), address, admin, key: String::new() }, lines)
    }

    /// Sends bytes, and returns what comes back until the server closes.
    pub(crate) fn send(&self, bytes: &[u8]) -> RawAnswer {
        send(&self.address, bytes)
    }

    pub(crate) fn exchange(&self, method: &str, path: &str, body: &str) -> (String, Value) {
        let answer = self.send(&request(method, path, &self.key, body));
        (answer.head.clone(), answer.json())
    }

    /// The process, as the system numbers it.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a signal, as `kill -NAME` does.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Ends the server as a supervisor does, and returns its exit code.
    pub(crate) fn terminate(self) -> Option<i32> {
        self.signal("TERM");
        self.wait()
    }

    /// Waits for the server to end by itself, and returns its exit code.
    pub(crate) fn wait(mut self) -> Option<i32> {
        for _ in 0..1000 {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not end")
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Most memory that was ever resident, in KiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// What the server wrote to its log so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap()
    }

    /// Makes a key from outside, as an operator does.
    pub(crate) fn create_key(&self, monthly_quota: Option<u64>) -> CreatedKey {
        let quota = monthly_quota.map(|quota| format!("--monthly-quota={quota}"));
        let arguments = ["create", "--json", "--name", "visitor"].into_iter().chain(quota.as_deref());
        let made = keys(&self.folder, &arguments.collect::<Vec<_>>());
        let made: Value = serde_json::from_str(&made).unwrap();
        CreatedKey::read(&made)
    }

    pub(crate) fn revoke_key(&self, id: &str) {
        keys(&self.folder, &["revoke", id]);
    }

    /// Gives the key another monthly quota.
    pub(crate) fn set_quota(&self, id: &str, monthly_quota: u64) {
        keys(&self.folder, &["set", id, &format!("--monthly-quota={monthly_quota}")]);
    }

    /// `used_this_month` of the key, as an operator sees it.
    pub(crate) fn used_this_month(&self, id: &str) -> u64 {
        let listed: Value = serde_json::from_str(&keys(&self.folder, &["list", "--json"])).unwrap();
        let key = listed["keys"].as_array().unwrap().iter().find(|key| key["id"] == id).unwrap();
        key["used_this_month"].as_u64().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Most have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The rest of the first line that contains `start`.
fn after(start: &str, lines: &mut Printed) -> String {
    let line = lines.map(Result::unwrap).find(|line| line.contains(start)).expect(start);
    line.split_once(start).unwrap().1.to_owned()
}

/// Runs `longhand keys` beside the server, and returns what it printed.
fn keys(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.arg("keys").args(arguments).args(["--data-dir", "keys"]).current_dir(folder);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A whole request, after which the connection closes.
pub(crate) fn request(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

/// Sends bytes to an address, and returns what comes back until the connection closes. A server that is gone is an
/// answer with status 0.
pub(crate) fn send(address: &str, bytes: &[u8]) -> RawAnswer {
    let Ok(mut stream) = TcpStream::connect(address) else {
        return RawAnswer { head: String::new(), body: String::new() };
    };
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    // A server that answers early may close before all is sent.
    let _ = stream.write_all(bytes);
    RawAnswer::read(stream)
}

/// Of the answers with this status, what each said remained of the rate limit, in rising order.
pub(crate) fn places_left(answers: &[RawAnswer], status: u16) -> Vec<u64> {
    let let_in = answers.iter().filter(|answer| answer.status() == status);
    let mut left: Vec<u64> =
        let_in.map(|answer| answer.header("x-ratelimit-remaining").unwrap().parse().unwrap()).collect();
    left.sort_unstable();
    left
}

/// Sends all requests at the same moment, each on a connection of its own.
pub(crate) fn send_together(address: &str, requests: &[Vec<u8>]) -> Vec<RawAnswer> {
    let start = Barrier::new(requests.len());
    std::thread::scope(|scope| {
        let clients: Vec<_> = requests
            .iter()
            .map(|request| {
                scope.spawn(|| {
                    let mut stream = TcpStream::connect(address).unwrap();
                    start.wait();
                    stream.write_all(request).unwrap();
                    RawAnswer::read(stream)
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    })
}
