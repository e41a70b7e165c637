//! Turns, room, and what one tenant's load does to the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

mod memory;

use super::*;
use proptest::prelude::*;

const fn mpx(megapixels: f64) -> Cost {
    Cost::megapixels(megapixels)
}

fn tenant(name: &str) -> Tenant {
    Tenant::from(name)
}

fn page(name: &str, megapixels: f64) -> JobRequest {
    JobRequest { tenant: tenant(name), kind: JobKind::Page, cost: mpx(megapixels), pixels: mpx(1.0) }
}

fn queue(limit: f64) -> FairQueue<&'static str> {
    FairQueue::new(mpx(limit), Cost::UNBOUNDED)
}

/// Whether there is room, of time there being enough.
fn room<T>(queue: &FairQueue<T>, name: &str, megapixels: f64) -> Result<(), RejectReason> {
    queue.check(&page(name, megapixels), Cost::UNBOUNDED)
}

/// The next jobs for any worker, turn by turn.
fn pop<T>(queue: &mut FairQueue<T>) -> Option<Job<T>> {
    queue.pop(Cost::UNBOUNDED, FreeWorker::OneOfSeveral)
}

fn all<T>(queue: &mut FairQueue<T>) -> Vec<T> {
    std::iter::from_fn(|| pop(queue)).map(|job| job.work).collect()
}

#[test]
fn one_tenants_work_is_served_in_the_order_it_came() {
    let mut queue = queue(100.0);
    for work in ["1", "2", "3"] {
        queue.push(&page("a", 1.0), work);
    }
    assert_eq!(all(&mut queue), ["1", "2", "3"]);
}

#[test]
fn tenants_take_turns_of_equal_cost_whoever_came_first() {
    let mut queue = queue(100.0);
    for work in ["a1", "a2", "a3", "a4"] {
        queue.push(&page("a", 1.0), work);
    }
    queue.push(&page("b", 2.0), "b1");
    queue.push(&page("b", 2.0), "b2");
    assert_eq!(all(&mut queue), ["a1", "b1", "a2", "a3", "b2", "a4"]);
}

#[test]
fn whoever_asked_for_nothing_has_saved_nothing_up() {
    let mut queue = queue(100.0);
    for _ in 0..10 {
        queue.push(&page("busy", 1.0), "busy");
    }
    queue.push(&page("early", 1.0), "early");
    (0..6).for_each(|_| assert!(pop(&mut queue).is_some()));
    for work in ["l1", "l2", "l3"] {
        queue.push(&page("late", 1.0), work);
    }
    let request = all(&mut queue);
    assert_eq!(request[..5], ["l1", "busy", "l2", "busy", "l3"], "turn by turn");
}

#[test]
fn what_a_tenant_was_given_counts_until_the_others_had_as_much_and_not_as_long_as_newcomers_come() {
    let mut queue = FairQueue::new(mpx(1000.0), Cost::UNBOUNDED);
    queue.push(&page("regular", 1.0), "regular".to_owned());
    for number in 0..4 {
        queue.push(&page(&format!("first {number}"), 1.0), format!("first {number}"));
    }
    assert_eq!(pop(&mut queue).unwrap().work, "regular");
    queue.push(&page("regular", 1.0), "regular".to_owned());
    let mut before = 0;
    for number in 0.. {
        queue.push(&page(&format!("new {number}"), 1.0), String::new());
        if pop(&mut queue).unwrap().work == "regular" {
            break;
        }
        before += 1;
    }
    assert!((4..=12).contains(&before), "{before} were served between two pages of one who comes back at once");
}

#[test]
fn later_comers_overtake_for_one_reach_at_most() {
    let (mut queue, reach) = (FairQueue::new(mpx(1000.0), Cost::UNBOUNDED), mpx(10.0));
    queue.push(&page("heavy", 9.0), "heavy".to_owned());
    queue.push(&page("other", 1.0), String::new());
    let next = |queue: &mut FairQueue<String>| queue.pop(reach, FreeWorker::OneOfSeveral).unwrap().work;
    assert_eq!(next(&mut queue), "heavy");
    assert_eq!(queue.check(&page("heavy", 1.0), reach), Ok(()), "hardly anyone else is here");
    queue.push(&page("heavy", 1.0), "heavy".to_owned());
    let mut overtaken = 0;
    for number in 0.. {
        for newcomer in [2 * number, 2 * number + 1] {
            let request = page(&format!("new {newcomer}"), 1.0);
            if queue.check(&request, reach).is_ok() {
                queue.push(&request, String::new());
            }
        }
        if next(&mut queue) == "heavy" {
            break;
        }
        overtaken += 1;
    }
    assert_eq!(overtaken, 10);
}

#[test]
fn the_last_server_is_kept_for_those_who_have_nothing_in_hand_where_turns_were_mixed() {
    let mut queue = FairQueue::new(mpx(100.0), Cost::UNBOUNDED);
    let reach = mpx(5.0);
    let last = |queue: &mut FairQueue<u32>| queue.pop(reach, FreeWorker::Last).map(|job| job.work);
    (0..20).for_each(|work| _ = queue.push(&page("always", 1.0), work));
    assert_eq!(last(&mut queue), Some(0), "nobody else was ever here");
    queue.push(&page("seldom", 1.0), 100);
    assert_eq!(last(&mut queue), Some(100));
    queue.done(&tenant("seldom"), mpx(1.0));
    assert_eq!(last(&mut queue), None, "who asks always has work in hand");
    queue.push(&page("seldom", 1.0), 101);
    assert_eq!(last(&mut queue), Some(101));
    queue.done(&tenant("always"), mpx(1.0));
    assert_eq!(last(&mut queue), Some(1), "it has none in hand any more");
    queue.done(&tenant("seldom"), mpx(1.0));
    (2..6).for_each(|work| assert_eq!(pop(&mut queue).unwrap().work, work));
    assert_eq!(last(&mut queue), Some(6), "nobody else was here for long");
}

#[test]
fn work_taken_back_costs_nothing_any_more() {
    let mut queue = queue(4.0);
    let id = queue.push(&page("a", 3.0), "unwanted");
    queue.push(&page("b", 1.0), "wanted");
    assert_eq!(room(&queue, "c", 1.0), Err(RejectReason::QueueFull));
    assert_eq!(queue.withdraw(&tenant("a"), id), Some("unwanted"));
    assert_eq!(queue.withdraw(&tenant("a"), id), None);
    assert_eq!((queue.len(), queue.waiting()), (1, mpx(1.0)));
    assert_eq!(room(&queue, "c", 1.0), Ok(()));
    assert_eq!(all(&mut queue), ["wanted"]);
}

#[test]
fn a_tenant_may_hold_as_much_as_is_free_and_another_always_finds_room() {
    let mut queue = queue(100.0);
    let mut held = 0;
    while room(&queue, "hog", 1.0).is_ok() {
        queue.push(&page("hog", 1.0), "page");
        held += 1;
    }
    assert_eq!(held, 50);
    assert_eq!(room(&queue, "hog", 1.0), Err(RejectReason::TenantShare));
    assert_eq!(room(&queue, "other", 25.0), Ok(()));
}

#[test]
fn nothing_is_taken_in_behind_more_than_the_reach_of_which_a_tenant_may_hold_twice_what_is_left() {
    let (mut queue, reach) = (queue(1000.0), mpx(10.0));
    let mut held = 0;
    while queue.check(&page("hog", 1.0), reach).is_ok() {
        queue.push(&page("hog", 1.0), "page");
        held += 1;
    }
    assert_eq!((held, queue.check(&page("hog", 1.0), reach)), (7, Err(RejectReason::TenantShare)));
    let book = page("other", 100.0);
    assert_eq!(queue.check(&book, reach), Ok(()), "what it costs itself does not delay it");
    queue.push(&book, "book");
    assert_eq!(queue.check(&page("third", 1.0), reach), Err(RejectReason::TooLate));
    let preview = JobRequest { kind: JobKind::Preview, ..page("third", 1.0) };
    assert_eq!(queue.check(&preview, reach), Err(RejectReason::PreviewsFirst));
}

#[test]
fn a_tenant_whose_oldest_work_has_waited_for_long_is_given_no_more_to_wait() {
    let (mut queue, reach) = (FairQueue::new(mpx(1000.0), Cost::UNBOUNDED), mpx(10.0));
    queue.push(&page("a", 4.0), "first");
    queue.push(&page("a", 4.0), "second");
    let next = |queue: &mut FairQueue<&'static str>| queue.pop(reach, FreeWorker::OneOfSeveral).unwrap().work;
    assert_eq!(next(&mut queue), "first");
    for name in ["b", "c"] {
        assert_eq!(queue.check(&page("a", 1.0), reach), Ok(()));
        queue.push(&page(name, 2.0), name);
        assert_eq!(next(&mut queue), name);
    }
    assert_eq!(queue.check(&page("a", 1.0), reach), Err(RejectReason::TooLate));
    assert_eq!(queue.check(&page("d", 1.0), reach), Ok(()));
}

#[test]
fn previews_go_before_pages_do() {
    let mut queue = queue(100.0);
    for name in ["a", "b", "c", "d", "e"] {
        queue.push(&page(name, 10.0), "page");
    }
    let preview = JobRequest { kind: JobKind::Preview, ..page("f", 1.0) };
    assert_eq!(queue.check(&preview, Cost::UNBOUNDED), Err(RejectReason::PreviewsFirst));
    assert_eq!(room(&queue, "f", 1.0), Ok(()));
}

#[test]
fn work_dearer_than_the_whole_queue_waits_alone() {
    let mut queue = queue(10.0);
    let giant = JobRequest { kind: JobKind::Preview, ..page("a", 1000.0) };
    assert_eq!(queue.check(&giant, mpx(1.0)), Ok(()));
    queue.push(&giant, "giant");
    assert_eq!(room(&queue, "b", 0.1), Err(RejectReason::QueueFull));
    assert_eq!(all(&mut queue), ["giant"]);
    assert_eq!(room(&queue, "b", 0.1), Ok(()));
}

#[test]
fn what_is_ahead_is_ones_own_and_as_much_of_everyone_else() {
    let mut queue = queue(1000.0);
    for _ in 0..50 {
        queue.push(&page("hog", 1.0), "page");
    }
    queue.push(&page("b", 3.0), "page");
    assert_eq!(queue.ahead_of(&page("new", 2.0)), mpx(4.0));
    assert_eq!(queue.ahead_of(&page("b", 2.0)), mpx(8.0));
    assert_eq!(queue.ahead_of(&page("hog", 1.0)), mpx(53.0));
}

#[test]
fn what_a_tenant_was_given_before_the_others_is_ahead_of_it_whoever_they_are_by_then() {
    let mut queue = queue(1000.0);
    queue.push(&page("heavy", 100.0), "book");
    for name in ["a", "b", "c"] {
        queue.push(&page(name, 1.0), "page");
    }
    assert_eq!(pop(&mut queue).unwrap().work, "book");
    // Of its hundred the virtual time has done a fifth: four waited, and one more may come.
    assert_eq!(queue.ahead_of(&page("heavy", 1.0)), mpx(3.0 * 80.0));
}

proptest! {
    #[test]
    fn nothing_is_lost_or_given_twice_and_the_sums_are_right(
        steps in prop::collection::vec((0..4_u8, 0..5_usize, 1..50_u32), 1..200),
    ) {
        let (mut queue, mut held) = (FairQueue::new(mpx(60.0), Cost::UNBOUNDED), Vec::new());
        let mut next = 0_u32;
        for (step, who, tenths) in steps {
            let request = page(&who.to_string(), f64::from(tenths) / 10.0);
            match step {
                0 if !held.is_empty() => {
                    let (tenant, id, work, _) = held.swap_remove(who % held.len());
                    prop_assert_eq!(queue.withdraw(&tenant, id), Some(work));
                }
                1 => {
                    let popped = pop(&mut queue).map(|job| job.work);
                    let at = popped.and_then(|work| held.iter().position(|(_, _, held, _)| *held == work));
                    prop_assert_eq!(popped.is_some(), at.is_some());
                    prop_assert_eq!(popped.is_some(), !held.is_empty());
                    at.map(|at| held.swap_remove(at));
                }
                _ if queue.check(&request, Cost::UNBOUNDED).is_ok() => {
                    held.push((request.tenant.clone(), queue.push(&request, next), next, request.cost));
                    next += 1;
                }
                _ => {}
            }
            let sum: f64 = held.iter().map(|(_, _, _, cost)| cost.get()).sum();
            prop_assert_eq!(queue.len(), held.len());
            prop_assert!((queue.waiting().get() - sum).abs() < 1e-9 && sum <= 60.0 + 1e-9);
        }
    }
}

proptest! {
    #[test]
    fn less_than_two_reaches_and_a_piece_are_begun_before_whatever_was_taken_in(
        steps in prop::collection::vec((0..3_u8, 0..400_u32, 1..40_u32), 1..2000),
        reach in 5..60_u32,
    ) {
        let (mut queue, reach) = (FairQueue::new(mpx(10_000.0), Cost::UNBOUNDED), mpx(f64::from(reach)));
        let (mut begun, mut largest) = (0.0, 0.0_f64);
        for (step, who, tenths) in steps {
            if step == 0 {
                let Some(job) = queue.pop(reach, FreeWorker::OneOfSeveral) else { continue };
                let came: f64 = job.work;
                prop_assert!(begun - came <= 2.0 * reach.get() + 2.0 * largest, "{begun} {came} {largest}");
                begun += job.cost.get();
                queue.done(&job.tenant, job.pixels);
            } else {
                // A few ask for much and often, many for little and seldom.
                let (name, size) = if who < 200 { (who % 4, 10.0) } else { (who, 1.0) };
                let request = page(&name.to_string(), size * f64::from(tenths) / 10.0);
                if queue.check(&request, reach).is_ok() {
                    largest = largest.max(request.cost.get());
                    queue.push(&request, begun);
                }
            }
        }
    }
}

/// A service of three workers in simulated time. Arrivals are (time, tenant) in order; answers tell how long each
/// arrival of `tenant` took, in units of the time that one page takes one worker.
fn simulate(arrivals: &[(f64, &'static str)], observed: &str, is_fair: bool) -> Vec<f64> {
    let mut queue = FairQueue::new(mpx(300.0), Cost::UNBOUNDED);
    let mut free = BinaryHeap::from([Reverse(0_u64), Reverse(0), Reverse(0)]);
    let microseconds = |time: f64| (time * 1e6) as u64;
    let (mut times, mut next) = (Vec::new(), 0);
    let mut now = 0_u64;
    while next < arrivals.len() || queue.len() > 0 {
        let Some(Reverse(worker)) = free.peek().copied() else { break };
        let arrived = arrivals.get(next).map(|(time, _)| microseconds(*time));
        // A free worker takes a waiting job. Until then jobs arrive.
        if let Some(time) = arrived.filter(|time| queue.len() == 0 || *time <= worker.max(now)) {
            let (_, who) = arrivals[next];
            let name = tenant(if is_fair { who } else { "all" });
            let request = JobRequest { tenant: name, kind: JobKind::Page, cost: mpx(1.0), pixels: mpx(1.0) };
            if !is_fair || queue.check(&request, Cost::UNBOUNDED).is_ok() {
                queue.push(&request, (time, who));
            }
            (now, next) = (now.max(time), next + 1);
            continue;
        }
        free.pop();
        now = now.max(worker);
        let Some(Job { work: (time, who), .. }) = pop(&mut queue) else { break };
        free.push(Reverse(now + 1_000_000));
        if who == observed {
            times.push((now + 1_000_000 - time) as f64 / 1e6);
        }
    }
    times
}

fn p99(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() * 99 / 100]
}

/// Arrivals at random moments, at this rate.
fn arrivals(rate: f64, until: f64, who: &'static str, seed: u64) -> Vec<(f64, &'static str)> {
    let mut state = seed;
    let mut time = 0.0;
    std::iter::from_fn(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = ((state >> 33) as f64 + 1.0) / f64::from(1_u32 << 31);
        time -= uniform.min(1.0).ln() / rate;
        (time < until).then_some((time, who))
    })
    .collect()
}

#[test]
fn one_key_at_fifty_times_the_load_does_not_treble_the_waits_of_the_others() {
    const UNTIL: f64 = 20_000.0;
    // Three workers make three pages per unit of time. Four keys ask for a tenth of one each.
    let mut quiet: Vec<_> =
        ["a", "b", "c", "d"].into_iter().zip(1..).flat_map(|(who, seed)| arrivals(0.1, UNTIL, who, seed)).collect();
    let in_order = |load: &mut Vec<(f64, &'static str)>| load.sort_by(|a, b| a.0.total_cmp(&b.0));
    in_order(&mut quiet);
    let mut loaded = quiet.clone();
    loaded.extend(arrivals(5.0, UNTIL, "hog", 99));
    in_order(&mut loaded);

    let alone = p99(simulate(&quiet, "a", true));
    let beside = p99(simulate(&loaded, "a", true));
    assert!(beside <= 3.0 * alone, "{beside} is more than three times {alone}");
    let unfair = p99(simulate(&loaded[..20_000], "a", false));
    assert!(unfair > 3.0 * alone, "a queue without turns must fail this: {unfair}");
}
