//! Thousands of clients that hardly send, hardly read, or say nothing: ordinary ones must not notice.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Plan;
use crate::client::Client;
use crate::pace::{Target, closed_loop, now, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server};

/// How a slow client is slow.
#[derive(Clone, Copy)]
enum Slowness {
    /// A byte of the head each second.
    Head,
    /// A whole head, and a byte of the body each second.
    Body,
    /// A whole request, and a thousand bytes of the answer each second.
    Answer,
    /// Nothing.
    Silence,
}

/// Median of ordinary clients beside slow ones, at most this many times that without them.
const MOST_DELAY: f64 = 1.5;
/// Longest time until the pages that slow clients asked for are made.
const LONGEST_START: Duration = Duration::from_secs(120);

/// Whether ordinary clients were served as if the others were not there.
pub(crate) fn run(plan: &Plan) -> bool {
    let clients = plan.number(2000, 20) as usize;
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 400));
    let server = Server::start(folder.path(), &["--header-timeout-seconds", "5", "--body-timeout-seconds", "10"]);
    let target = Target { address: server.address.clone(), keys };
    let (runtime, scene) = (runtime(), [scenes::named("envelope")]);
    let sample = plan.duration(Duration::from_secs(10));
    runtime.block_on(closed_loop(&target, &scene, 4, sample / 5));
    let before = runtime.block_on(closed_loop(&target, &scene, 4, sample));
    let vitals_before = server.vitals();

    let started = now();
    let mut slow = runtime.block_on(async {
        let mut slow = JoinSet::new();
        for number in 0..clients {
            let kinds = [Slowness::Head, Slowness::Body, Slowness::Answer, Slowness::Silence];
            let (target, scene) = (target.clone(), scenes::named("sparse"));
            slow.spawn(async move { be_slow(&target, &scene, kinds[number % kinds.len()]).await });
        }
        // A quarter of them want a page each: those are made first, and are load like any other.
        let (mut client, settled) = (Client::new(&target.address), before.quantile_ms(200, 0.99));
        let mut in_a_row = 0;
        while in_a_row < 20 {
            let asked = now();
            let answer = client.ask(&scene[0], target.keys.next()).await;
            let is_usual = answer.is_ok_and(|answer| answer.status == 200);
            in_a_row = if is_usual && (now() - asked).as_secs_f64() * 1e3 <= settled { in_a_row + 1 } else { 0 };
            assert!(now() - started < LONGEST_START, "ordinary clients are not served beside slow ones");
        }
        slow
    });
    let vitals_during = server.vitals();
    let during = runtime.block_on(closed_loop(&target, &scene, 4, sample));
    runtime.block_on(slow.shutdown());
    // Half a second for the service to notice that they are gone.
    std::thread::sleep(Duration::from_millis(500));
    let vitals_after = server.vitals();
    println!("without slow clients: {before}");
    println!("beside {clients}: {during}");
    for (when, vitals) in [("before", vitals_before), ("during", vitals_during), ("after", vitals_after)] {
        println!("{when}: {} MB, {} files, {} threads", vitals.resident_kib / 1024, vitals.files, vitals.threads);
    }
    let delay = during.quantile_ms(200, 0.5) / before.quantile_ms(200, 0.5);
    println!("ordinary clients took {delay:.2} times as long (median)");
    during.others_than(&[200]).is_empty()
        && during.broken == 0
        && delay <= MOST_DELAY
        && vitals_after.files <= vitals_before.files + 16
}

/// Comes again when the service has had enough.
async fn be_slow(target: &Target, scene: &Scene, slowness: Slowness) {
    loop {
        // Being refused or cut off is what a slow client is for.
        let _ = be_slow_once(target, scene, slowness).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

async fn be_slow_once(target: &Target, scene: &Scene, slowness: Slowness) -> std::io::Result<()> {
    let second = Duration::from_secs(1);
    let mut stream = TcpStream::connect(&target.address).await?;
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        scene.path,
        target.keys.next(),
        scene.body.len()
    );
    let mut trickle: &[u8] = match slowness {
        Slowness::Head => head.as_bytes(),
        Slowness::Body => {
            stream.write_all(head.as_bytes()).await?;
            scene.body.as_bytes()
        }
        Slowness::Answer => {
            stream.write_all(&[head.as_bytes(), scene.body.as_bytes()].concat()).await?;
            &[]
        }
        Slowness::Silence => &[],
    };
    let mut buffer = [0; 1000];
    while let Some((first, rest)) = trickle.split_first() {
        stream.write_all(&[*first]).await?;
        trickle = rest;
        tokio::time::sleep(second).await;
    }
    while stream.read(&mut buffer).await? > 0 {
        tokio::time::sleep(second).await;
    }
    Ok(())
}
