//! Turns, room and memory, one rule per test. `job_queue/simulation.rs` has the promises of the whole queue.

use super::*;
use proptest::prelude::*;

const WORKERS: usize = 3;

const fn mpx(megapixels: f64) -> Cost {
    Cost::new(megapixels)
}

fn page(name: &str, megapixels: f64) -> JobRequest {
    JobRequest { tenant: Tenant::from(name), kind: JobKind::Page, cost: mpx(megapixels), pixels: mpx(1.0) }
}

fn queue<T>(limit: f64) -> FairQueue<T> {
    FairQueue::new(mpx(limit), Cost::UNBOUNDED)
}

fn push(queue: &mut FairQueue<&'static str>, name: &str, megapixels: f64, jobs: &[&'static str]) {
    for job in jobs {
        queue.push(&page(name, megapixels), job);
    }
}

/// Takes the next job and ends it.
fn pop<T>(queue: &mut FairQueue<T>) -> Option<T> {
    let job = queue.pop(WORKERS)?;
    queue.done(job.id);
    Some(job.work)
}

fn all<T>(queue: &mut FairQueue<T>) -> Vec<T> {
    std::iter::from_fn(|| pop(queue)).collect()
}

#[test]
fn tenants_take_turns_of_equal_cost_and_jobs_of_one_tenant_keep_their_order() {
    let mut queue = queue(100.0);
    push(&mut queue, "a", 1.0, &["a1", "a2", "a3", "a4"]);
    push(&mut queue, "b", 2.0, &["b1", "b2"]);
    assert_eq!(all(&mut queue), ["a1", "b1", "a2", "a3", "b2", "a4"]);
}

#[test]
fn a_tenant_that_was_idle_is_next_but_has_no_credit_from_before() {
    let mut queue = queue(1000.0);
    push(&mut queue, "greedy", 4.0, &["greedy"; 20]);
    (0..5).for_each(|_| assert_eq!(pop(&mut queue), Some("greedy")));
    push(&mut queue, "light", 4.0, &["l1", "l2", "l3"]);
    assert_eq!(all(&mut queue)[..5], ["l1", "greedy", "l2", "greedy", "l3"]);
}

#[test]
fn cost_beyond_the_estimate_delays_the_next_job_of_its_tenant() {
    let mut queue = queue(100.0);
    push(&mut queue, "a", 1.0, &["a1", "a2"]);
    push(&mut queue, "b", 1.0, &["b1", "b2", "b3"]);
    let first = queue.pop(WORKERS).unwrap();
    assert_eq!(first.work, "a1");
    queue.add_cost(first.id, mpx(2.0));
    assert_eq!(all(&mut queue), ["b1", "b2", "b3", "a2"]);
}

#[test]
fn an_expensive_job_counts_against_its_tenant_after_it_has_nothing_waiting() {
    let mut queue = queue(1000.0);
    push(&mut queue, "heavy", 10.0, &["heavy"]);
    push(&mut queue, "other", 1.0, &["other"; 20]);
    assert_eq!(pop(&mut queue), Some("heavy"));
    push(&mut queue, "heavy", 10.0, &["heavy"]);
    assert_eq!(all(&mut queue).iter().position(|job| *job == "heavy"), Some(11));
}

#[test]
fn a_withdrawn_job_leaves_no_trace() {
    let mut queue = queue(4.0);
    let id = queue.push(&page("a", 3.0), "withdrawn");
    push(&mut queue, "b", 1.0, &["wanted"]);
    assert_eq!(queue.check(&page("c", 1.0), Cost::UNBOUNDED), Err(RejectReason::QueueFull));
    assert_eq!(queue.withdraw(id), Some("withdrawn"));
    assert_eq!(queue.withdraw(id), None);
    assert_eq!((queue.len(), queue.waiting()), (1, mpx(1.0)));
    assert_eq!(queue.check(&page("c", 1.0), Cost::UNBOUNDED), Ok(()));
    assert_eq!(all(&mut queue), ["wanted"]);
}

#[test]
fn one_tenant_alone_fills_half_of_the_limit_or_of_the_startable_cost_and_another_finds_room() {
    for (limit, startable_cost) in [(100.0, f64::INFINITY), (f64::INFINITY, 99.0)] {
        let (mut queue, startable_cost) = (queue(limit), mpx(startable_cost));
        let mut held = 0;
        while queue.check(&page("greedy", 1.0), startable_cost).is_ok() {
            queue.push(&page("greedy", 1.0), "page");
            held += 1;
        }
        assert_eq!((held, queue.check(&page("greedy", 1.0), startable_cost)), (50, Err(RejectReason::TenantShare)));
        assert_eq!(queue.check(&page("other", 25.0), startable_cost), Ok(()));
    }
}

#[test]
fn behind_the_startable_cost_no_job_is_admitted_and_behind_half_of_it_no_preview() {
    let (mut queue, startable_cost) = (queue(1000.0), mpx(10.0));
    let preview = JobRequest { kind: JobKind::Preview, ..page("z", 1.0) };
    push(&mut queue, "a", 5.0, &["page"]);
    assert_eq!(queue.check(&preview, startable_cost), Err(RejectReason::PreviewsFirst));
    assert_eq!(queue.check(&page("b", 100.0), startable_cost), Ok(()), "its own cost does not delay it");
    push(&mut queue, "b", 100.0, &["book"]);
    assert_eq!(queue.check(&page("c", 1.0), startable_cost), Err(RejectReason::TooLate));
}

#[test]
fn a_job_beyond_the_limit_waits_alone() {
    let mut queue = queue(10.0);
    assert_eq!(queue.check(&page("a", 1000.0), mpx(1.0)), Ok(()));
    push(&mut queue, "a", 1000.0, &["giant"]);
    assert_eq!(queue.check(&page("b", 0.1), Cost::UNBOUNDED), Err(RejectReason::QueueFull));
    assert_eq!(all(&mut queue), ["giant"]);
    assert_eq!(queue.check(&page("b", 0.1), Cost::UNBOUNDED), Ok(()));
}

#[test]
fn pages_beyond_the_memory_wait_for_room_and_smaller_ones_go_first() {
    let mut queue = FairQueue::new(mpx(1000.0), mpx(100.0));
    for (name, pixels) in [("all", 150.0), ("b", 60.0), ("c", 60.0), ("d", 40.0)] {
        queue.push(&JobRequest { pixels: mpx(pixels), ..page(name, 1.0) }, name);
    }
    let alone = queue.pop(WORKERS).unwrap();
    assert_eq!(alone.work, "all", "a page beyond the limit runs alone");
    assert!(queue.pop(WORKERS).is_none());
    queue.done(alone.id);
    let [b, d] = [(); 2].map(|()| queue.pop(WORKERS).unwrap());
    assert_eq!([b.work, d.work], ["b", "d"]);
    assert!(queue.pop(WORKERS).is_none());
    queue.done(b.id);
    assert_eq!(queue.pop(WORKERS).map(|job| job.work), Some("c"));
}

#[test]
fn one_worker_is_kept_from_a_tenant_while_others_were_served_lately() {
    let mut queue = queue(1000.0);
    push(&mut queue, "greedy", 1.0, &["greedy"; 200]);
    let alone = [(); WORKERS].map(|()| queue.pop(WORKERS).unwrap());
    assert_eq!(alone.clone().map(|job| job.work), ["greedy"; WORKERS], "no other tenant was served");
    for job in &alone {
        queue.done(job.id);
    }
    push(&mut queue, "light", 1.0, &["light"]);
    assert_eq!(pop(&mut queue), Some("light"));
    (1..WORKERS).for_each(|_| assert!(queue.pop(WORKERS).is_some()));
    assert!(queue.pop(WORKERS).is_none());
    push(&mut queue, "light", 1.0, &["light"]);
    assert_eq!(pop(&mut queue), Some("light"));
}

#[test]
fn expensive_jobs_keep_cheap_ones_neither_out_nor_waiting() {
    let (mut queue, startable_cost) = (queue(10_000.0), mpx(1000.0));
    for name in ["a", "b", "c"] {
        assert_eq!(queue.check(&page(name, 350.0), startable_cost), Ok(()));
        push(&mut queue, name, 350.0, &["book"]);
    }
    assert_eq!(queue.check(&page("d", 350.0), startable_cost), Err(RejectReason::TooLate), "1,050 wait before it");
    assert_eq!(queue.check(&page("e", 1.0), startable_cost), Ok(()));
    (1..WORKERS).for_each(|_| assert_eq!(queue.pop(WORKERS).map(|job| job.work), Some("book")));
    assert!(queue.pop(WORKERS).is_none(), "one worker takes no books");
    push(&mut queue, "e", 1.0, &["card"]);
    assert_eq!(queue.pop(WORKERS).map(|job| job.work), Some("card"));
}

proptest! {
    #[test]
    fn no_job_is_lost_or_taken_twice_and_the_sums_are_right(
        steps in prop::collection::vec((0..4_u8, 0..5_usize, 1..500_u32), 1..200),
    ) {
        let (mut queue, mut held) = (queue(600.0), Vec::new());
        let mut next = 0_u32;
        for (step, number, tenths) in steps {
            let request = page(&number.to_string(), f64::from(tenths) / 10.0);
            match step {
                0 if !held.is_empty() => {
                    let (id, work, _) = held.swap_remove(number % held.len());
                    prop_assert_eq!(queue.withdraw(id), Some(work));
                }
                1 => {
                    let popped = pop(&mut queue);
                    let at = popped.and_then(|work| held.iter().position(|(_, held, _)| *held == work));
                    prop_assert_eq!(popped.is_some(), at.is_some());
                    prop_assert_eq!(popped.is_some(), !held.is_empty());
                    at.map(|at| held.swap_remove(at));
                }
                _ if queue.check(&request, Cost::UNBOUNDED).is_ok() => {
                    held.push((queue.push(&request, next), next, request.cost));
                    next += 1;
                }
                _ => {}
            }
            let sum: f64 = held.iter().map(|(_, _, cost)| cost.get()).sum();
            prop_assert_eq!(queue.len(), held.len());
            prop_assert!((queue.waiting().get() - sum).abs() < 1e-9 && sum <= 600.0 + 1e-9);
        }
    }
}
