//! Kills the service repeatedly under load: every page that arrived is charged, and the next start serves at once.

use std::sync::Arc;
use std::time::Duration;

use crate::Plan;
use crate::client::Client;
use crate::pace::{Target, closed_loop, now, runtime};
use crate::scenes;
use crate::server::{Keys, Server, charged};

const IN_FLIGHT: usize = 16;

/// Whether every delivered page was charged.
pub(crate) fn run(plan: &Plan) -> bool {
    let kills = plan.number(20, 2);
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 400));
    let scene = [scenes::named("envelope")];
    let (mut given, mut cut_off, mut back) = (0, 0, Vec::new());
    for kill in 0..kills {
        let started = now();
        let mut server = Server::start(folder.path(), &[]);
        let target = Target { address: server.address.clone(), keys: Arc::clone(&keys) };
        let runtime = runtime();
        let first = runtime.block_on(async { Client::new(&target.address).ask(&scene[0], target.keys.next()).await });
        assert_eq!(first.unwrap().status, 200, "the program that starts again serves");
        given += 1;
        back.push(now() - started);
        let lifetime = Duration::from_millis(200 + 97 * (kill % 13));
        let killer = std::thread::spawn(move || {
            std::thread::sleep(lifetime);
            assert!(server.is_alive(), "it ended by itself");
            server.kill();
        });
        let tally = runtime.block_on(closed_loop(&target, &scene, IN_FLIGHT, lifetime + Duration::from_millis(50)));
        killer.join().unwrap();
        given += tally.count(200) as u64;
        cut_off += IN_FLIGHT as u64;
        let stored = charged(folder.path());
        if stored < given || stored > given + cut_off {
            println!("after {} kills {given} pages arrived and {stored} are charged", kill + 1);
            return false;
        }
    }
    back.sort_unstable();
    println!(
        "{kills} kills, {given} pages arrived, {} are charged ({IN_FLIGHT} may be cut off at each); first page after a \
         start: median {:.0} ms, worst {:.0} ms",
        charged(folder.path()),
        back[back.len() / 2].as_secs_f64() * 1e3,
        back[back.len() - 1].as_secs_f64() * 1e3,
    );
    true
}
