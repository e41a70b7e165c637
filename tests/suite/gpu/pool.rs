//! The pool on the machine's adapter: room by cost, and clients that disconnect.

use std::sync::Arc;
use std::time::Duration;

use longhand::catalogue::FontCatalogue;
use longhand::clock::Clock;
use longhand::encode::OutputProfiles;
use longhand::pipeline::{Cost, PoolOptions, RejectReason, RenderError, RenderPool, Tenant};
use longhand::spec::{Endpoint, RenderSpec, parse_value};
use serde_json::json;

/// A pool with one thread, and room for this number of megapixels.
fn pool(megapixels: f64, longest_wait: Duration) -> RenderPool {
    let options = PoolOptions { threads: 1, queue: Cost::new(megapixels), longest_wait, ..PoolOptions::default() };
    let catalogue = Arc::new(FontCatalogue::load().unwrap());
    RenderPool::start(options, catalogue, OutputProfiles::load(None).unwrap(), Clock::system()).unwrap()
}

/// A page that keeps a thread busy for a while.
fn heavy() -> RenderSpec {
    let request = json!({"text": "words and more words ".repeat(80).trim_end(), "page_size": "a3", "dpi": 600,
                         "font_size": "auto", "seed": 1});
    parse_value(&request, Endpoint::Generate, || 1).unwrap()
}

/// A file of some fifty pages.
fn book() -> RenderSpec {
    let request = json!({"text": "words and more words ".repeat(450).trim_end(), "page_size": "a4", "font_size": 200,
                         "output_format": "pdf", "overflow": "paginate", "seed": 1});
    parse_value(&request, Endpoint::Generate, || 1).unwrap()
}

fn light() -> RenderSpec {
    parse_value(&json!({"text": "a", "page_size": "a6", "font_size": 20}), Endpoint::Generate, || 1).unwrap()
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn clients_that_disconnect_leave_no_work_behind() {
    let pool = Arc::new(pool(100_000.0, LONG));
    let clients: Vec<_> = (0..20)
        .map(|number| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.generate(heavy(), Tenant::from(number.to_string().as_str())).await })
        })
        .collect();
    while pool.queue().pages < 20 {
        tokio::task::yield_now().await;
    }
    for client in &clients {
        client.abort();
    }
    for client in clients {
        assert!(client.await.unwrap_err().is_cancelled());
    }
    let left = pool.queue();
    assert!(left.pages <= 1 && left.waiting == Cost::ZERO, "only what was under way is left: {left:?}");
    assert!(pool.generate(light(), Tenant::from("next")).await.outcome.is_ok());
}

#[tokio::test]
async fn a_file_that_nobody_waits_for_is_not_finished() {
    let pool = pool(100_000.0, LONG);
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    let given_up = tokio::time::timeout(Duration::from_millis(100), pool.generate(book(), Tenant::from("a"))).await;
    assert!(given_up.is_err(), "the file takes longer");
    assert!(pool.generate(light(), Tenant::from("b")).await.outcome.is_ok());
    let next_after = clock.monotonic() - asked_at;
    let asked_at = clock.monotonic();
    assert!(pool.generate(book(), Tenant::from("a")).await.outcome.is_ok());
    let whole = clock.monotonic() - asked_at;
    assert!(next_after < whole / 2, "another was served after {next_after:?}, the whole file takes {whole:?}");
}

#[tokio::test]
async fn work_beyond_the_room_is_turned_away_and_the_rest_is_made() {
    let pool = Arc::new(pool(2.5 * Cost::of_file(&heavy(), &FontCatalogue::load().unwrap()).get(), LONG));
    let ask = |name: &'static str| {
        let pool = Arc::clone(&pool);
        tokio::spawn(async move { pool.generate(heavy(), Tenant::from(name)).await.outcome })
    };
    let under_way = ask("a");
    while pool.queue().pages < 1 || pool.queue().waiting > Cost::ZERO {
        tokio::task::yield_now().await;
    }
    let (first, second) = (ask("a"), ask("b"));
    while pool.queue().pages < 3 {
        tokio::task::yield_now().await;
    }
    for (name, reason) in [("a", RejectReason::QueueFull), ("c", RejectReason::QueueFull)] {
        match ask(name).await.unwrap() {
            Err(RenderError::Overloaded { retry_after_seconds, reason: told }) => {
                assert_eq!(told, reason);
                assert!((1..=30).contains(&retry_after_seconds), "{retry_after_seconds}");
            }
            other => panic!("{other:?}"),
        }
    }
    for made in [under_way, first, second] {
        assert!(made.await.unwrap().is_ok());
    }
}

#[tokio::test]
async fn a_page_that_waited_as_long_as_it_may_is_given_up() {
    let pool = Arc::new(pool(100_000.0, Duration::from_millis(200)));
    let under_way = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.generate(book(), Tenant::from("a")).await.outcome }
    });
    while pool.queue().pages < 1 || pool.queue().waiting > Cost::ZERO {
        tokio::task::yield_now().await;
    }
    let late = pool.generate(light(), Tenant::from("b")).await.outcome;
    assert!(matches!(late, Err(RenderError::Overloaded { reason: RejectReason::Expired, .. })), "{late:?}");
    assert!(under_way.await.unwrap().is_ok(), "what was begun is finished");
}
