//! Pages that take much memory or time, and what their neighbours in the queue see of it.

use super::*;

#[test]
fn pages_beyond_the_memory_wait_for_room_and_smaller_ones_go_first() {
    let mut queue = FairQueue::new(mpx(1000.0), mpx(100.0));
    let sized = |name: &str, pixels: f64| JobRequest { pixels: mpx(pixels), ..page(name, 1.0) };
    queue.push(&sized("a", 150.0), "larger than all the room");
    queue.push(&sized("b", 60.0), "b");
    queue.push(&sized("c", 60.0), "c");
    queue.push(&sized("d", 40.0), "d");
    let alone = pop(&mut queue).unwrap();
    assert_eq!(alone.work, "larger than all the room", "it is made alone");
    assert!(pop(&mut queue).is_none());
    queue.done(&alone.tenant, alone.pixels);
    let b = pop(&mut queue).unwrap();
    assert_eq!((b.work, pop(&mut queue).unwrap().work), ("b", "d"));
    assert!(pop(&mut queue).is_none(), "there is no room for c");
    queue.done(&b.tenant, b.pixels);
    assert_eq!(pop(&mut queue).unwrap().work, "c");
}

#[test]
fn dear_work_that_waits_does_not_shut_cheap_work_out() {
    let mut queue = FairQueue::new(mpx(10_000.0), Cost::UNBOUNDED);
    let reach = mpx(1000.0);
    for name in ["a", "b", "c"] {
        queue.check(&page(name, 350.0), reach).unwrap();
        queue.push(&page(name, 350.0), name);
    }
    assert_eq!(queue.check(&page("d", 350.0), reach), Err(RejectReason::TooLate), "1,050 wait before it");
    assert_eq!(queue.check(&page("e", 1.0), reach), Ok(()), "its turn comes before the end of any of them");
    all(&mut queue);
    assert_eq!((queue.waiting(), queue.pressing), (Cost::NONE, Cost::NONE));
}

#[test]
fn what_work_costs_beyond_its_estimate_counts_against_its_tenant() {
    let mut queue = queue(100.0);
    for work in ["a1", "a2"] {
        queue.push(&page("a", 1.0), work);
    }
    for work in ["b1", "b2", "b3"] {
        queue.push(&page("b", 1.0), work);
    }
    assert_eq!(pop(&mut queue).unwrap().work, "a1");
    queue.add_cost(&tenant("a"), mpx(2.0));
    assert_eq!(all(&mut queue), ["b1", "b2", "b3", "a2"]);
}
