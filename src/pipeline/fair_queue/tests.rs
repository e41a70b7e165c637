//! Turns, room, and what one tenant's load does to the others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::*;
use proptest::prelude::*;

const fn mpx(megapixels: f64) -> Cost {
    Cost::megapixels(megapixels)
}

fn tenant(name: &str) -> Tenant {
    Tenant::from(name)
}

fn queue(limit: f64) -> FairQueue<&'static str> {
    FairQueue::new(mpx(limit))
}

fn all<T>(queue: &mut FairQueue<T>) -> Vec<T> {
    std::iter::from_fn(|| queue.pop()).map(|(_, work)| work).collect()
}

#[test]
fn one_tenants_work_is_served_in_the_order_it_came() {
    let mut queue = queue(100.0);
    for work in ["1", "2", "3"] {
        queue.push(tenant("a"), mpx(1.0), work);
    }
    assert_eq!(all(&mut queue), ["1", "2", "3"]);
}

#[test]
fn tenants_take_turns_of_equal_cost_whoever_came_first() {
    let mut queue = queue(100.0);
    for work in ["a1", "a2", "a3", "a4"] {
        queue.push(tenant("a"), mpx(1.0), work);
    }
    queue.push(tenant("b"), mpx(2.0), "b1");
    queue.push(tenant("b"), mpx(2.0), "b2");
    assert_eq!(all(&mut queue), ["a1", "b1", "a2", "a3", "b2", "a4"]);
}

#[test]
fn whoever_asked_for_nothing_has_saved_nothing_up() {
    let mut queue = queue(100.0);
    for _ in 0..10 {
        queue.push(tenant("busy"), mpx(1.0), "busy");
    }
    queue.push(tenant("early"), mpx(1.0), "early");
    (0..6).for_each(|_| assert!(queue.pop().is_some()));
    for work in ["l1", "l2", "l3"] {
        queue.push(tenant("late"), mpx(1.0), work);
    }
    let order = all(&mut queue);
    assert_eq!(order[..5], ["l1", "busy", "l2", "busy", "l3"], "turn by turn");
}

#[test]
fn work_taken_back_costs_nothing_any_more() {
    let mut queue = queue(4.0);
    let ticket = queue.push(tenant("a"), mpx(3.0), "unwanted");
    queue.push(tenant("b"), mpx(1.0), "wanted");
    assert_eq!(queue.check(&tenant("c"), Kind::Page, mpx(1.0)), Err(Shed::QueueFull));
    assert_eq!(queue.withdraw(&tenant("a"), ticket), Some("unwanted"));
    assert_eq!(queue.withdraw(&tenant("a"), ticket), None);
    assert_eq!((queue.len(), queue.waiting()), (1, mpx(1.0)));
    assert_eq!(queue.check(&tenant("c"), Kind::Page, mpx(1.0)), Ok(()));
    assert_eq!(all(&mut queue), ["wanted"]);
}

#[test]
fn a_tenant_may_hold_as_much_as_is_free_and_another_always_finds_room() {
    let mut queue = queue(100.0);
    let mut held = 0;
    while queue.check(&tenant("hog"), Kind::Page, mpx(1.0)).is_ok() {
        queue.push(tenant("hog"), mpx(1.0), "page");
        held += 1;
    }
    assert_eq!(held, 50);
    assert_eq!(queue.check(&tenant("hog"), Kind::Page, mpx(1.0)), Err(Shed::TenantShare));
    assert_eq!(queue.check(&tenant("other"), Kind::Page, mpx(25.0)), Ok(()));
}

#[test]
fn previews_go_before_pages_do() {
    let mut queue = queue(100.0);
    for name in ["a", "b", "c", "d", "e"] {
        queue.push(tenant(name), mpx(10.0), "page");
    }
    assert_eq!(queue.check(&tenant("f"), Kind::Preview, mpx(1.0)), Err(Shed::PreviewsFirst));
    assert_eq!(queue.check(&tenant("f"), Kind::Page, mpx(1.0)), Ok(()));
}

#[test]
fn work_dearer_than_the_whole_queue_waits_alone() {
    let mut queue = queue(10.0);
    assert_eq!(queue.check(&tenant("a"), Kind::Preview, mpx(1000.0)), Ok(()));
    queue.push(tenant("a"), mpx(1000.0), "giant");
    assert_eq!(queue.check(&tenant("b"), Kind::Page, mpx(0.1)), Err(Shed::QueueFull));
    assert_eq!(all(&mut queue), ["giant"]);
    assert_eq!(queue.check(&tenant("b"), Kind::Page, mpx(0.1)), Ok(()));
}

#[test]
fn what_is_ahead_is_ones_own_and_as_much_of_everyone_else() {
    let mut queue = queue(1000.0);
    for _ in 0..50 {
        queue.push(tenant("hog"), mpx(1.0), "page");
    }
    queue.push(tenant("b"), mpx(3.0), "page");
    assert_eq!(queue.ahead_of(&tenant("new"), mpx(2.0)), mpx(4.0));
    assert_eq!(queue.ahead_of(&tenant("b"), mpx(2.0)), mpx(8.0));
    assert_eq!(queue.ahead_of(&tenant("hog"), mpx(1.0)), mpx(53.0));
}

proptest! {
    #[test]
    fn nothing_is_lost_or_given_twice_and_the_sums_are_right(
        steps in prop::collection::vec((0..4_u8, 0..5_usize, 1..50_u32), 1..200),
    ) {
        let (mut queue, mut held) = (FairQueue::new(mpx(60.0)), Vec::new());
        let mut next = 0_u32;
        for (step, who, tenths) in steps {
            let (tenant, cost) = (tenant(&who.to_string()), mpx(f64::from(tenths) / 10.0));
            match step {
                0 if !held.is_empty() => {
                    let (tenant, ticket, work, _) = held.swap_remove(who % held.len());
                    prop_assert_eq!(queue.withdraw(&tenant, ticket), Some(work));
                }
                1 => {
                    let popped = queue.pop();
                    let at = popped.and_then(|(_, work)| held.iter().position(|(_, _, held, _)| *held == work));
                    prop_assert_eq!(popped.is_some(), at.is_some());
                    prop_assert_eq!(popped.is_some(), !held.is_empty());
                    at.map(|at| held.swap_remove(at));
                }
                _ if queue.check(&tenant, Kind::Page, cost).is_ok() => {
                    held.push((tenant.clone(), queue.push(tenant, cost, next), next, cost));
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

/// A service of three servers in simulated time. Arrivals are (time, tenant) in order; answers tell how long each
/// arrival of `tenant` took, in units of the time that one page takes one server.
fn simulate(arrivals: &[(f64, &'static str)], observed: &str, is_fair: bool) -> Vec<f64> {
    let mut queue = FairQueue::new(mpx(300.0));
    let mut free = BinaryHeap::from([Reverse(0_u64), Reverse(0), Reverse(0)]);
    let microseconds = |time: f64| (time * 1e6) as u64;
    let (mut times, mut next) = (Vec::new(), 0);
    let mut now = 0_u64;
    while next < arrivals.len() || queue.len() > 0 {
        let Some(Reverse(server)) = free.peek().copied() else { break };
        let arrived = arrivals.get(next).map(|(time, _)| microseconds(*time));
        // A server takes work when it is free and something waits; until then arrivals come in.
        if let Some(time) = arrived.filter(|time| queue.len() == 0 || *time <= server.max(now)) {
            let (_, who) = arrivals[next];
            let name = tenant(if is_fair { who } else { "all" });
            if !is_fair || queue.check(&name, Kind::Page, mpx(1.0)).is_ok() {
                queue.push(name, mpx(1.0), (time, who));
            }
            (now, next) = (now.max(time), next + 1);
            continue;
        }
        free.pop();
        now = now.max(server);
        let Some((_, (time, who))) = queue.pop() else { break };
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

/// Arrivals at random moments, so many in a unit of time.
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
    // Three servers make three pages a unit of time; four keys ask for a tenth of one each.
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
