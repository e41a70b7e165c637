//! Several instances that share one Redis: keys, limits and quotas over all of them, and a Redis that is killed.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use longhand::clock::{Clock, Timestamp};
use serde_json::{Value, json};

use crate::live::program::Program;
use crate::live::server::{CreatedKey, RawAnswer, Server, places_left, request, send, send_together};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;
const PASSWORD: &str = "s3cretOfTheStore";

/// A Redis server on its own port. Its data survives a kill. Dropping it kills it.
struct Redis {
    process: Program,
    folder: PathBuf,
    port: u16,
}

impl Redis {
    fn start(folder: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let redis = Self { process: Self::spawn(folder, port), folder: folder.to_owned(), port };
        redis.wait();
        redis
    }

    fn spawn(folder: &Path, port: u16) -> Program {
        let mut command = Command::new("redis-server");
        command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--save", ""]);
        command.args(["--appendonly", "yes", "--appendfsync", "always", "--dir"]).arg(folder).stdout(Stdio::null());
        Program::start(&mut command)
    }

    fn wait(&self) {
        for _ in 0..500 {
            if self.connection().is_ok_and(|mut open| redis::cmd("PING").query::<String>(&mut open).is_ok()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("redis-server does not answer");
    }

    fn kill(&mut self) {
        self.process.kill();
    }

    fn start_again(&mut self) {
        self.process = Self::spawn(&self.folder, self.port);
        self.wait();
    }

    fn address(&self) -> String {
        format!("redis://:{PASSWORD}@127.0.0.1:{}/0", self.port)
    }

    fn connection(&self) -> redis::RedisResult<redis::Connection> {
        redis::Client::open(self.address())?.get_connection()
    }
}

/// Redis and two instances. The second may have further arguments.
pub(crate) struct Fleet {
    pub(crate) instances: [Server; 2],
    redis: Redis,
    pub(crate) folder: tempfile::TempDir,
}

impl Fleet {
    /// The timeout is long: on a machine that is busy with other tests some answers take longer than the usual 50 ms.
    fn start(of_second: &[&str]) -> Self {
        Self::start_with("20000", of_second)
    }

    fn start_with(timeout_ms: &str, of_second: &[&str]) -> Self {
        Self::start_by(tempfile::tempdir().unwrap(), timeout_ms, of_second, |_| {})
    }

    /// Starts in this folder; `prepare` sets variables of both instances.
    pub(crate) fn start_by(
        folder: tempfile::TempDir,
        timeout_ms: &str,
        of_second: &[&str],
        prepare: impl Fn(&mut Command),
    ) -> Self {
        let redis = Redis::start(folder.path());
        let start = |name: &str, more: &[&str]| {
            let home = folder.path().join(name);
            fs::create_dir_all(home.join("keys")).unwrap();
            // The first instance creates the demo key; the second gets a copy.
            let made = folder.path().join("one/keys/demo-key");
            if made.exists() {
                fs::copy(made, home.join("keys/demo-key")).unwrap();
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
            command.env("LONGHAND_STORE", redis.address()).env("LONGHAND_STORE_TIMEOUT_MS", timeout_ms);
            prepare(&mut command);
            Server::start_by(command, &home, more)
        };
        let instances = [start("one", &[]), start("two", of_second)];
        Self { instances, redis, folder }
    }

    /// Starts the first instance again, with its data directory.
    pub(crate) fn start_first_again(&mut self, prepare: impl Fn(&mut Command)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.env("LONGHAND_STORE", self.redis.address()).env("LONGHAND_STORE_TIMEOUT_MS", "20000");
        prepare(&mut command);
        self.instances[0] = Server::start_by(command, &self.folder.path().join("one"), &[]);
    }

    /// Runs `longhand keys` and returns its output.
    pub(crate) fn keys(&self, arguments: &[&str]) -> String {
        self.try_keys(arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The output of the command, or what it says went wrong.
    fn try_keys(&self, arguments: &[&str]) -> Result<String, String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.arg("keys").args(arguments).env("LONGHAND_STORE", self.redis.address());
        let output = command.current_dir(self.folder.path()).output().unwrap();
        let said = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(said(output.stdout)) } else { Err(said(output.stderr)) }
    }

    pub(crate) fn create_key(&self, monthly_quota: Option<u64>) -> CreatedKey {
        let quota = monthly_quota.map(|quota| format!("--monthly-quota={quota}"));
        let arguments: Vec<_> = ["create", "--json", "--name", "visitor"].into_iter().chain(quota.as_deref()).collect();
        let made: Value = serde_json::from_str(&self.keys(&arguments)).unwrap();
        CreatedKey::read(&made)
    }

    pub(crate) fn used(&self, id: &str) -> u64 {
        let listed: Value = serde_json::from_str(&self.keys(&["list", "--json"])).unwrap();
        let key = listed["keys"].as_array().unwrap().iter().find(|key| key["id"] == id).unwrap();
        key["used_this_month"].as_u64().unwrap()
    }

    /// Waits until charges have arrived: they are sent to Redis after the answer.
    pub(crate) fn is_used(&self, id: &str, expected: u64) {
        until(&format!("{expected} are used"), || self.used(id) >= expected);
        assert_eq!(self.used(id), expected);
    }

    pub(crate) fn end(self) {
        for instance in self.instances {
            let (log, key) = (instance.log(), instance.key.clone());
            assert!(!log.contains(PASSWORD) && !log.contains(&key) && !log.contains("panic"), "{log}");
            assert_eq!(instance.terminate(), Some(0));
        }
    }
}

fn generate(server: &Server, key: &str) -> RawAnswer {
    server.send(&request("POST", "/api/v1/generate", key, PAGE))
}

/// Waits until `is_so`, for 30 seconds at most.
fn until(what: &str, is_so: impl Fn() -> bool) {
    let clock = Clock::system();
    let started = clock.monotonic();
    while !is_so() {
        assert!(clock.monotonic() - started < Duration::from_secs(30), "not within 30 s: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn count(answers: &[RawAnswer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status() == status).count()
}

#[test]
fn of_1280_requests_to_two_servers_at_once_exactly_500_pass_and_the_quota_is_exact() {
    const QUOTA: usize = 60;
    let fleet = Fleet::start(&[]);
    let [one, two] = &fleet.instances;
    let both_at_once = |requests: &[Vec<u8>]| -> Vec<RawAnswer> {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| send_together(&two.address, requests));
            let mut answers = send_together(&one.address, requests);
            answers.extend(other.join().unwrap());
            answers
        })
    };

    // The body is no JSON: only the admission matters.
    let visitor = fleet.create_key(None);
    let answers = both_at_once(&vec![request("POST", "/api/v1/generate", &visitor.key, "{"); 640]);
    assert_eq!((count(&answers, 400), count(&answers, 429)), (500, 780), "{:?}", answers.last());
    let left = places_left(&answers, 400);
    assert_eq!(left, (0..500).collect::<Vec<_>>(), "each of those let in took one place");
    let refused = answers.iter().find(|answer| answer.status() == 429).unwrap();
    let retry_after: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&retry_after), "{refused:?}");

    let limited = fleet.create_key(Some(QUOTA as u64));
    let answers = both_at_once(&vec![request("POST", "/api/v1/generate", &limited.key, PAGE); 150]);
    assert_eq!((count(&answers, 200), count(&answers, 429)), (QUOTA, 300 - QUOTA));
    fleet.is_used(&limited.id, QUOTA as u64);

    let report: Value = serde_json::from_str(&fleet.keys(&["report", "--json"])).unwrap();
    let of = |id: &str| report["keys"].as_array().unwrap().iter().find(|key| key["id"] == id).unwrap()["used"].clone();
    assert_eq!((of(&limited.id), of(&visitor.id)), (json!(QUOTA), json!(0)));
    let forgotten = fleet.try_keys(&["report", "--month", "2025-01"]).unwrap_err();
    assert!(forgotten.contains("has forgotten the use of 2025-01"), "{forgotten}");

    let mut doctor = Command::new(env!("CARGO_BIN_EXE_longhand"));
    doctor.args(["doctor", "--json"]).env("LONGHAND_STORE", fleet.redis.address());
    let found = String::from_utf8(doctor.output().unwrap().stdout).unwrap();
    assert!(found.contains("3 active keys, shared") && !found.contains(PASSWORD), "{found}");

    fleet.keys(&["revoke", &limited.id]);
    until("a revoked key is refused by both", || {
        [one, two].iter().all(|server| generate(server, &limited.key).status() == 401)
    });
    assert_eq!(generate(two, &fleet.create_key(None).key).status(), 200, "a new key works at once");
    fleet.end();
}

#[test]
fn a_key_is_rotated_and_its_quota_set_for_the_whole_fleet() {
    let fleet = Fleet::start(&[]);
    let [one, two] = &fleet.instances;
    let CreatedKey { id, key, .. } = fleet.create_key(Some(2));
    let usage = |server: &Server, key: &str| server.send(&request("GET", "/api/v1/usage", key, "")).json();
    assert_eq!(generate(one, &key).status(), 200);
    until("the charge is told by the other", || usage(two, &key)["used"] == 1);
    let told = usage(two, &key);
    assert_eq!((&told["limit"], &told["remaining"], &told["period"]), (&json!(2), &json!(1), &json!("monthly")));
    assert!(told["reset_at"].as_str().unwrap().ends_with("-01T00:00:00Z"), "{told}");

    let rotated: Value = serde_json::from_str(&fleet.keys(&["rotate", &id[..8], "--json"])).unwrap();
    assert_eq!(rotated["id"], json!(id));
    let secret = rotated["key"].as_str().unwrap();
    // Not JSON, so that nothing is charged.
    let probe = |server: &Server| server.send(&request("POST", "/api/v1/generate", &key, "{")).status();
    until("the old secret is refused", || [one, two].iter().all(|server| probe(server) == 401));
    fleet.keys(&["set-quota", "visitor", "3"]);
    until("the new quota is known", || [one, two].iter().all(|server| usage(server, secret)["limit"] == 3));
    assert_eq!(usage(one, secret)["used"], 1, "the usage stays with the key");
    assert_eq!([one, two].map(|server| generate(server, secret).status()), [200, 200]);
    until("both are counted", || usage(one, secret)["used"] == 3);
    assert_eq!(generate(two, secret).status(), 429);
    // Three were counted since the start; a lower limit holds in both at once.
    fleet.keys(&["set", "visitor", "--rate", "generate=2"]);
    until("the limit is known", || {
        [one, two].iter().all(|server| usage(server, secret)["rate_limits"]["generate"] == 2)
    });
    fleet.keys(&["set", "visitor", "--monthly-quota", "none"]);
    until("it has no quota", || [one, two].iter().all(|server| usage(server, secret)["limit"] == Value::Null));
    let refused = generate(two, secret);
    assert_eq!((refused.status(), &refused.json()["error"]), (429, &json!("RATE_LIMIT_EXCEEDED")));
    assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
    fleet.keys(&["revoke", "visitor"]);
    until("the key is refused", || generate(one, secret).status() == 401);
    fleet.end();
}

#[test]
fn a_request_that_is_sent_again_to_another_instance_is_charged_once() {
    let mut fleet = Fleet::start(&[]);
    let CreatedKey { id, key, .. } = fleet.create_key(Some(2));
    let once = |body: &str| {
        let plain = String::from_utf8(request("POST", "/api/v1/generate", &key, body)).unwrap();
        plain.replacen("\r\n", "\r\nIdempotency-Key: once\r\n", 1).into_bytes()
    };
    let seedless = r#"{"text":"a","page_size":"square_5x5"}"#;
    let first = fleet.instances[0].send(&once(seedless));
    assert_eq!(first.status(), 200, "{first:?}");
    // The answer reaches the shared store with its charge, after the client.
    let again = || fleet.instances[1].send(&once(seedless));
    until("the answer is known to the other", || again().status() == 200);
    let repeated = again();
    assert_eq!(repeated.header("idempotency-replayed"), Some("true"));
    assert_eq!(repeated.json()["seed"], first.json()["seed"]);
    assert_eq!(repeated.json()["image_base64"], first.json()["image_base64"]);
    let reused = fleet.instances[1].send(&once(PAGE));
    assert_eq!((reused.status(), &reused.json()["error"]), (422, &json!("IDEMPOTENCY_KEY_REUSED")));
    fleet.is_used(&id, 1);

    // Without the store nobody can tell a request from its repetition.
    fleet.redis.kill();
    assert_eq!(again().status(), 503);
    fleet.redis.start_again();
    until("the store is there again", || again().status() == 200);
    fleet.is_used(&id, 1);
    fleet.end();
}

#[test]
fn redis_killed_and_started_again_under_load_leaves_the_quota_exact() {
    const QUOTA: usize = 300;
    let mut fleet = Fleet::start(&[]);
    let CreatedKey { id, key, .. } = fleet.create_key(Some(QUOTA as u64));
    let (given, away) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let addresses = fleet.instances.each_ref().map(|server| server.address.clone());
    std::thread::scope(|scope| {
        for client in 0..12 {
            let (address, key, given, away) = (&addresses[client % 2], &key, &given, &away);
            scope.spawn(move || {
                let asked = request("POST", "/api/v1/generate", key, PAGE);
                while given.load(Ordering::SeqCst) < QUOTA {
                    let answer = send(address, &asked);
                    match answer.status() {
                        200 => {
                            given.fetch_add(1, Ordering::SeqCst);
                        }
                        503 => {
                            assert_eq!(answer.json()["error"], "STORE_UNAVAILABLE", "{answer:?}");
                            away.fetch_add(1, Ordering::SeqCst);
                            std::thread::sleep(Duration::from_millis(10));
                        }
                        // The rest of the quota is reserved by others, whose pages are not ready.
                        429 => {
                            assert_eq!(answer.json()["error"], "REQUEST_LIMIT_EXCEEDED", "{answer:?}");
                            std::thread::sleep(Duration::from_millis(10));
                        }
                        _ => panic!("{answer:?}"),
                    }
                }
            });
        }
        for pages in [QUOTA / 4, QUOTA / 2] {
            until("some pages are given", || given.load(Ordering::SeqCst) > pages);
            fleet.redis.kill();
            until("it is noticed", || away.load(Ordering::SeqCst) > pages / 50);
            fleet.redis.start_again();
        }
    });
    assert_eq!(given.into_inner(), QUOTA);
    fleet.is_used(&id, QUOTA as u64);
    let refused = generate(&fleet.instances[1], &key);
    assert_eq!((refused.status(), &refused.json()["used"]), (429, &json!(QUOTA)));
    fleet.end();
}

#[test]
fn while_redis_is_away_one_instance_refuses_and_the_other_counts_for_itself_as_each_was_told() {
    let mut fleet = Fleet::start(&["--store-away", "fail_open"]);
    let limited = fleet.create_key(Some(5));
    for instance in &fleet.instances {
        assert_eq!(generate(instance, &limited.key).status(), 200);
    }
    fleet.is_used(&limited.id, 2);
    fleet.redis.kill();

    let [closed, open] = &fleet.instances;
    for path in ["/api/v1/generate", "/api/v1/preview"] {
        let refused = closed.send(&request("POST", path, &limited.key, PAGE));
        assert_eq!((refused.status(), &refused.json()["error"]), (503, &json!("STORE_UNAVAILABLE")), "{refused:?}");
        assert!(refused.header("retry-after").is_some() && !refused.body.contains("127.0.0.1"), "{refused:?}");
    }
    let statuses: Vec<_> = (0..6).map(|_| generate(open, &limited.key).status()).collect();
    assert_eq!(statuses, [200, 200, 200, 429, 429, 429], "two of five were used when it was last heard");
    assert_eq!(open.send(&request("POST", "/api/v1/preview", &limited.key, PAGE)).status(), 200);
    let ready = [closed, open].map(|server| send(&server.admin, &request("GET", "/readyz", "", "")).status());
    assert_eq!(ready, [503, 200]);
    let metrics = send(&open.admin, &request("GET", "/metrics", "", "")).body;
    assert!(
        metrics.contains("\nlonghand_waiting_charges 3\n") && metrics.contains("\nlonghand_store_up 0\n"),
        "{metrics}"
    );

    fleet.redis.start_again();
    fleet.is_used(&limited.id, 5);
    let [closed, open] = &fleet.instances;
    until("both are themselves again", || {
        [closed, open].iter().all(|server| generate(server, &limited.key).status() == 429)
    });
    fleet.end();
}

#[test]
fn an_instance_that_fails_open_starts_while_redis_is_away_and_takes_it_up_when_it_comes() {
    let mut fleet = Fleet::start(&[]);
    let CreatedKey { id, key, .. } = fleet.create_key(Some(3));
    fleet.redis.kill();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.env("LONGHAND_STORE", fleet.redis.address()).env("LONGHAND_STORE_TIMEOUT_MS", "20000");
    let home = fleet.folder.path().join("three");
    fs::create_dir(&home).unwrap();
    let late = Server::start_without_key(command, &home, &["--store-away", "fail_open"]);
    assert!(late.log().contains("the shared store is away"), "{}", late.log());
    let ready = || send(&late.admin, &request("GET", "/readyz", "", ""));
    assert!(ready().status() == 503 && ready().json()["checks"]["store"] != "ok", "{:?}", ready());
    assert!(send(&late.admin, &request("GET", "/metrics", "", "")).body.contains("\nlonghand_store_up 0\n"));
    let refused = generate(&late, &key);
    assert_eq!((refused.status(), &refused.json()["error"]), (503, &json!("STORE_UNAVAILABLE")), "{refused:?}");
    assert_eq!(late.send(&request("GET", "/api/v1/status", "", "")).status(), 200);

    fleet.redis.start_again();
    until("it is ready without a request of a client", || ready().status() == 200);
    assert_eq!(generate(&late, &key).status(), 200);
    fleet.is_used(&id, 1);
    assert!(!late.log().contains(PASSWORD), "{}", late.log());
    assert_eq!(late.terminate(), Some(0));
    fleet.end();
}

#[test]
fn a_redis_that_hangs_holds_nobody_up() {
    let fleet = Fleet::start_with("1000", &[]);
    let visitor = fleet.create_key(None);
    until("the key is known", || generate(&fleet.instances[0], &visitor.key).status() == 200);
    let signal = |name: &str| {
        let id = fleet.redis.process.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    };
    signal("-STOP");
    // The first requests wait for it; then the circuit breaker opens.
    let answers =
        send_together(&fleet.instances[0].address, &vec![request("GET", "/api/v1/fonts", &visitor.key, ""); 40]);
    assert_eq!(count(&answers, 503), 40, "{:?}", answers.last());
    signal("-CONT");
    until("it goes on", || generate(&fleet.instances[0], &visitor.key).status() == 200);
    fleet.end();
}

#[test]
fn charges_that_redis_forgot_are_told_again_and_none_twice() {
    let mut fleet = Fleet::start(&[]);
    let CreatedKey { id, key, .. } = fleet.create_key(None);
    let [one, two] = &fleet.instances;
    assert_eq!([generate(one, &key).status(), generate(two, &key).status()], [200, 200]);
    fleet.is_used(&id, 2);
    // As after a kill before the last second was on the disk.
    let mut direct = fleet.redis.connection().unwrap();
    let month = &Clock::system().timestamp().to_string()[..7].replace('-', "");
    let _: i64 = redis::cmd("DEL").arg(format!("lh:{{{id}}}:used:{month}")).query(&mut direct).unwrap();
    let known: i64 = redis::cmd("DEL").arg(format!("lh:{{{id}}}:charged")).query(&mut direct).unwrap();
    assert_eq!((known, fleet.used(&id)), (1, 0), "both names are right");
    fleet.redis.kill();
    fleet.redis.start_again();
    let given = AtomicUsize::new(2);
    let are_served = |fleet: &Fleet| {
        fleet.instances.iter().all(|server| {
            let is_served = generate(server, &key).status() == 200;
            given.fetch_add(usize::from(is_served), Ordering::SeqCst);
            is_served
        })
    };
    until("both are served again", || are_served(&fleet));
    fleet.is_used(&id, given.load(Ordering::SeqCst) as u64);
    fleet.redis.kill();
    fleet.redis.start_again();
    // Charges that are sent again are known; and they are sent before later ones.
    until("both are served again", || are_served(&fleet));
    fleet.is_used(&id, given.load(Ordering::SeqCst) as u64);
    fleet.end();
}

#[test]
fn a_charge_that_was_written_down_reaches_redis_though_the_instance_is_killed() {
    let mut fleet = Fleet::start(&["--store-away", "fail_open"]);
    let CreatedKey { id, key, .. } = fleet.create_key(None);
    assert_eq!(generate(&fleet.instances[1], &key).status(), 200);
    fleet.is_used(&id, 1);
    fleet.redis.kill();
    assert_eq!([0; 3].map(|_| generate(&fleet.instances[1], &key).status()), [200; 3]);
    fleet.instances[1].kill();
    fleet.redis.start_again();
    assert_eq!(fleet.used(&id), 1);
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.env("LONGHAND_STORE", fleet.redis.address());
    fleet.instances[1] = Server::start_by(command, &fleet.folder.path().join("two"), &[]);
    fleet.is_used(&id, 4);
    fleet.end();
}

#[cfg(target_os = "linux")]
#[test]
fn charges_go_to_redis_at_once_while_the_disk_of_the_instance_accepts_none() {
    let mut fleet = Fleet::start(&[]);
    let (limited, free) = (fleet.create_key(Some(5)), fleet.create_key(None));
    fleet.instances[1].kill();
    // Beyond the limit the system sends a signal too, which a failing disk does not.
    let mut command = Command::new("env");
    command.args(["--ignore-signal=XFSZ", env!("CARGO_BIN_EXE_longhand")]);
    command.env("LONGHAND_STORE", fleet.redis.address()).env("LONGHAND_STORE_TIMEOUT_MS", "20000");
    fleet.instances[1] = Server::start_by(command, &fleet.folder.path().join("two"), &[]);
    let limit_files = |bytes: &str| {
        let (process, limit) = (fleet.instances[1].id().to_string(), format!("--fsize={bytes}:unlimited"));
        assert!(Command::new("prlimit").args(["--pid", &process, &limit]).status().unwrap().success());
    };
    limit_files("0");
    for key in [&limited, &free] {
        assert_eq!([0; 2].map(|_| generate(&fleet.instances[1], &key.key).status()), [200; 2]);
        assert_eq!(fleet.used(&key.id), 2, "charged before the answer");
    }
    limit_files("unlimited");
    assert_eq!([0; 4].map(|_| generate(&fleet.instances[1], &limited.key).status()), [200, 200, 200, 429]);
    fleet.is_used(&limited.id, 5);
    fleet.end();
}

#[test]
fn the_month_that_redis_computes_is_that_of_the_calendar() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(folder.path());
    let text =
        format!("{}\nreturn month_of(tonumber(ARGV[1]))", include_str!("../../../src/access/redis_store/lua/time.lua"));
    let (script, mut connection) = (redis::Script::new(&text), redis.connection().unwrap());
    // The last seconds of days from 1970 to 2400, a prime number of days apart, so that ends of months are among them.
    let mut seconds = (0..2000).map(|step| step * 79 * 86_400 + 86_399).collect::<Vec<i64>>();
    seconds.extend([0, 951_782_400, 951_868_799, 1_796_083_199, 1_796_083_200, 4_107_542_399, 4_107_542_400]);
    for seconds in seconds {
        let month: i64 = script.arg(seconds).invoke(&mut connection).unwrap();
        let date = Timestamp::from_second(seconds).unwrap().to_string();
        assert_eq!(format!("{month}"), date[..7].replace('-', ""), "{date}");
    }
    assert!(TcpStream::connect(("127.0.0.1", redis.port)).is_ok());
}
