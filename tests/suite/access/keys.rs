//! Keys that change while a server runs, with the machine's clock.

use std::thread;
use std::time::Duration;

use longhand::access::{Access, AuthError, Keys, StoreError};
use longhand::clock::Clock;

/// How long a change of keys may take to be effective.
const PROMISED: Duration = Duration::from_secs(1);

fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[test]
fn keys_created_and_revoked_elsewhere_are_honoured_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open_local(folder.path(), Clock::system()).unwrap();
    let elsewhere = Keys::open_in(folder.path(), Clock::system()).unwrap();
    let created = elsewhere.create("demo", Some(3)).unwrap();
    let client = wait(access.authenticate(&created.key)).expect("a new key is honoured");
    assert_eq!((client.key_id.as_str(), client.monthly_quota), (created.id.as_str(), Some(3)));

    elsewhere.revoke(&created.id).unwrap();
    let clock = Clock::system();
    let revoked_at = clock.monotonic();
    while wait(access.authenticate(&created.key)).is_ok() {
        assert!(clock.monotonic() - revoked_at < PROMISED, "still honoured");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(matches!(wait(access.authenticate(&created.key)), Err(AuthError::Unknown)));
}

#[test]
fn keys_are_created_and_revoked_while_many_are_authenticated_and_charged() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::open_local(folder.path(), Clock::system()).unwrap();
    let resident = access.keys().create("resident", None).unwrap();
    let elsewhere = Keys::open_in(folder.path(), Clock::system()).unwrap();
    thread::scope(|scope| {
        let server = scope.spawn(|| {
            for _ in 0..300 {
                wait(async {
                    let client = access.authenticate(&resident.key).await.unwrap();
                    access.reserve(&client).await.unwrap().charge().await.unwrap();
                });
            }
        });
        for number in 0..50 {
            let created = elsewhere.create(&format!("visitor {number}"), None).unwrap();
            wait(access.authenticate(&created.key)).unwrap();
            elsewhere.revoke(&created.id).unwrap();
        }
        server.join().unwrap();
    });
    let keys = elsewhere.list().unwrap();
    assert_eq!((keys.len(), keys.iter().filter(|key| key.active).count()), (51, 1));
    assert_eq!(keys[0].used_this_month, 300);
}

#[test]
fn a_data_directory_serves_one_server_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let first = Access::open_local(folder.path(), Clock::system()).unwrap();
    assert!(matches!(Access::open_local(folder.path(), Clock::system()), Err(StoreError::InUse { .. })));
    drop(first);
    assert!(Access::open_local(folder.path(), Clock::system()).is_ok());
}
