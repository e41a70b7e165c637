//! A shared store that is reached by TLS.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::live::program::Program;
use crate::live::server::{Server, request, send};

const PASSWORD: &str = "s3cretOfTheStore";
const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

/// A real server that speaks nothing but TLS, under an authority of its own. Dropped, it is killed.
struct Redis {
    _process: Program,
    port: u16,
}

impl Redis {
    fn start(folder: &Path) -> Self {
        make_authority(folder, "ours");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new("redis-server");
        command.args(["--port", "0", "--tls-port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
        command.args(["--requirepass", PASSWORD, "--tls-auth-clients", "no", "--tls-ca-cert-file", "ours.pem"]);
        command.args(["--tls-cert-file", "server.pem", "--tls-key-file", "server.key"]);
        Self { _process: Program::start(command.current_dir(folder).stdout(Stdio::null())), port }
    }

    fn address(&self, scheme: &str, host: &str) -> String {
        format!("{scheme}://:{PASSWORD}@{host}:{}/0", self.port)
    }
}

/// Makes `NAME.pem`, an authority, and with it `server.pem` and `server.key` for `localhost` alone.
fn make_authority(folder: &Path, name: &str) {
    let openssl = |arguments: &str| {
        let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
        let output = output.expect("openssl is installed by scripts/setup.sh test");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    fs::write(folder.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    let new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {new} -keyout {name}.key -out {name}.pem -days 2 -subj /CN={name}"));
    openssl(&format!("req {new} -keyout server.key -out server.csr -subj /CN=localhost"));
    let signed_by = format!("-CA {name}.pem -CAkey {name}.key -CAcreateserial");
    openssl(&format!("x509 -req -in server.csr {signed_by} -days 2 -extfile names -out server.pem"));
}

fn longhand(store: &str, authority: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.env("LONGHAND_STORE", store).env("LONGHAND_STORE_TIMEOUT_MS", "20000").env("SSL_CERT_FILE", authority);
    command
}

#[test]
fn a_store_is_reached_by_tls_where_its_certificate_is_of_a_trusted_authority_and_its_own_name() {
    let folder = tempfile::tempdir().unwrap();
    let redis = Redis::start(folder.path());
    fs::create_dir(folder.path().join("others")).unwrap();
    make_authority(&folder.path().join("others"), "theirs");
    let (ours, theirs) = (folder.path().join("ours.pem"), folder.path().join("others/theirs.pem"));
    let list = |store: &str, authority: &Path| -> Output {
        longhand(store, authority).args(["keys", "list"]).current_dir(folder.path()).output().unwrap()
    };
    let store = redis.address("rediss", "localhost");
    for _ in 0..500 {
        if list(&store, &ours).status.success() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }

    let server = Server::start_by(longhand(&store, &ours), folder.path(), &[]);
    let answer = send(&server.address, &request("POST", "/api/v1/generate", &server.key, PAGE));
    assert_eq!(answer.status(), 200, "{answer:?}");
    let ready = send(&server.admin, &request("GET", "/readyz", "", ""));
    assert_eq!((ready.status(), &ready.json()["checks"]["store"]), (200, &"ok".into()), "{ready:?}");

    for (what, store, authority) in [
        ("another's authority", redis.address("rediss", "localhost"), &theirs),
        ("another's name", redis.address("rediss", "127.0.0.1"), &ours),
    ] {
        let refused = list(&store, authority);
        let complaint = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && complaint.contains("certificate"), "{what}: {complaint}");
        assert!(!complaint.contains(PASSWORD), "{complaint}");
    }
    assert!(!list(&redis.address("redis", "localhost"), &ours).status.success(), "it speaks nothing else");
    let log = server.log();
    assert!(!log.contains(PASSWORD) && !log.contains("panic"), "{log}");
    assert_eq!(server.terminate(), Some(0));
}
