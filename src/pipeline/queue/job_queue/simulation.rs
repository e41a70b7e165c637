//! The promises of the queue, in simulated time. Clients of several kinds share three workers.

use std::collections::{BTreeMap, VecDeque};

use super::*;
use crate::pipeline::queue::job_request::{JobKind, Tenant};

const WORKERS: usize = 3;
/// Megapixels per second, shared by the busy workers.
const CAPACITY: f64 = 150.0;
/// Longest wait in seconds.
const LONGEST_WAIT: f64 = 10.0;
/// Length of a run in seconds.
const RUN: f64 = 120.0;

const PAGES: &[f64] = &[3.6];
const MIXED: &[f64] = &[0.1, 0.5, 3.6, 3.6, 3.6, 12.0];
const CARDS: &[f64] = &[0.5];
const BOOKS: &[f64] = &[100.0, 300.0];

/// Clients with the same kind of load: the seconds in which they send, and jobs of random sizes at random times.
struct Group {
    name: &'static str,
    tenants: usize,
    sizes: &'static [f64],
    rate: f64,
    from: f64,
    until: f64,
}

impl Group {
    /// Tenants that together send `load` times the capacity.
    fn new(name: &'static str, tenants: usize, sizes: &'static [f64], load: f64) -> Self {
        let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
        Self { name, tenants, sizes, rate: load * CAPACITY / mean, from: 0.0, until: RUN }
    }

    fn between(self, from: f64, until: f64) -> Self {
        Self { from, until, ..self }
    }
}

/// Results of the jobs of a group. Times are in seconds.
#[derive(Debug, Default)]
struct Outcome {
    waits: Vec<f64>,
    latencies: Vec<f64>,
    /// `Retry-After` of refused jobs.
    retries: Vec<u64>,
    expired: usize,
    megapixels: f64,
}

impl Outcome {
    fn longest_wait(&self) -> f64 {
        self.waits.iter().copied().fold(0.0, f64::max)
    }

    /// The 99th percentile of the latencies.
    fn p99(&self) -> f64 {
        let mut sorted = self.latencies.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() * 99 / 100]
    }

    /// Part of the capacity that the group got.
    fn share(&self) -> f64 {
        self.megapixels / (CAPACITY * RUN)
    }
}

struct Arrival {
    time: f64,
    group: &'static str,
    tenant: String,
    size: f64,
}

fn arrivals(groups: &[Group]) -> Vec<Arrival> {
    let mut arrivals = Vec::new();
    for group in groups {
        // Each group has numbers of its own, so that another group does not change when it sends.
        let mut state = group.name.bytes().fold(7_u64, |state, byte| state * 31 + u64::from(byte));
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as f64 + 0.5) / f64::from(1_u32 << 31)
        };
        let mut time = group.from;
        for number in 0.. {
            time -= uniform().ln() / group.rate;
            if time >= group.until {
                break;
            }
            let size = group.sizes[(uniform() * group.sizes.len() as f64) as usize];
            let tenant = format!("{} {}", group.name, number % group.tenants);
            arrivals.push(Arrival { time, group: group.name, tenant, size });
        }
    }
    arrivals.sort_by(|a, b| a.time.total_cmp(&b.time));
    arrivals
}

/// The outcome of each group.
fn simulate(groups: &[Group]) -> BTreeMap<&'static str, Outcome> {
    let jobs = JobQueue::new(Cost::new(1e6), Duration::from_secs_f64(LONGEST_WAIT), Cost::UNBOUNDED);
    (0..WORKERS).for_each(|_| jobs.worker_started());
    let outcomes = groups.iter().map(|group| (group.name, Outcome::default())).collect();
    let mut service = Service { jobs, now: 0.0, waiting: VecDeque::new(), running: Vec::new(), outcomes };
    for arrival in arrivals(groups) {
        service.run_until(arrival.time);
        service.submit(&arrival);
        service.begin();
    }
    service.run_until(f64::INFINITY);
    service.outcomes
}

struct Running {
    megapixels_left: f64,
    cost: Cost,
    came: f64,
    group: &'static str,
    id: JobId,
}

/// The queue with its workers, which share the machine evenly.
struct Service {
    jobs: JobQueue<(f64, &'static str)>,
    now: f64,
    /// Admitted jobs in order of arrival, with those that have begun.
    waiting: VecDeque<(f64, &'static str, JobId)>,
    running: Vec<Running>,
    outcomes: BTreeMap<&'static str, Outcome>,
}

impl Service {
    fn outcome(&mut self, group: &'static str) -> &mut Outcome {
        self.outcomes.get_mut(group).unwrap()
    }

    fn submit(&mut self, arrival: &Arrival) {
        let tenant = Tenant::from(arrival.tenant.as_str());
        let (kind, cost) = (JobKind::Page, Cost::new(arrival.size));
        let request = JobRequest { tenant, kind, cost, pixels: Cost::ZERO };
        match self.jobs.submit(&request, (arrival.time, arrival.group)) {
            Ok(id) => self.waiting.push_back((arrival.time, arrival.group, id)),
            Err(RenderError::Overloaded { retry_after_seconds, .. }) => {
                self.outcome(arrival.group).retries.push(retry_after_seconds);
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn run_until(&mut self, time: f64) {
        loop {
            let pace = CAPACITY / self.running.len().max(1) as f64;
            let left = |index: &usize| self.running[*index].megapixels_left;
            let shortest = (0..self.running.len()).min_by(|a, b| left(a).total_cmp(&left(b)));
            let next_end = shortest.map_or(f64::INFINITY, |index| self.now + left(&index) / pace);
            let made = pace * (next_end.min(time) - self.now);
            self.now = next_end.min(time);
            self.running.iter_mut().for_each(|job| job.megapixels_left -= made);
            match shortest {
                Some(index) if next_end <= time => {
                    let Running { id, cost, came, group, .. } = self.running.swap_remove(index);
                    let took = cost.get() * (WORKERS - 1) as f64 / CAPACITY;
                    self.jobs.done(id, cost, Some(Duration::from_secs_f64(took)));
                    let latency = self.now - came;
                    self.outcome(group).latencies.push(latency);
                    self.begin();
                }
                _ => return,
            }
        }
    }

    /// Withdraws the jobs that have waited too long, and gives jobs to the free workers.
    fn begin(&mut self) {
        while self.waiting.front().is_some_and(|(came, ..)| self.now - came > LONGEST_WAIT) {
            let (_, group, id) = self.waiting.pop_front().unwrap();
            if self.jobs.withdraw(id).is_some() {
                self.outcome(group).expired += 1;
            }
        }
        while self.running.len() < WORKERS {
            let Some(Job { id, request, work: (came, group) }) = self.jobs.inner.lock().queue.pop(WORKERS) else {
                break;
            };
            let cost = request.cost;
            let wait = self.now - came;
            let outcome = self.outcome(group);
            outcome.waits.push(wait);
            outcome.megapixels += cost.get();
            self.running.push(Running { megapixels_left: cost.get(), cost, came, group, id });
        }
    }
}

#[test]
fn at_five_times_the_capacity_goodput_is_over_90_percent_and_admitted_jobs_begin_in_time() {
    for (tenants, sizes) in [(2000, PAGES), (2000, MIXED), (200, MIXED), (7, MIXED), (1, MIXED)] {
        let outcome = &simulate(&[Group::new("key", tenants, sizes, 5.0)])["key"];
        assert!(outcome.share() > 0.9, "{tenants} keys: {} of the capacity", outcome.share());
        let most = outcome.waits.len() / 200;
        assert!(outcome.expired <= most, "{tenants} keys: {} expired, {most} may", outcome.expired);
    }
}

#[test]
fn light_keys_beside_a_greedy_one_take_at_most_three_times_as_long_as_alone() {
    for (sizes, load) in [(PAGES, 50.0 / 30.0), (PAGES, 5.0), (MIXED, 5.0)] {
        let light = || Group::new("light", 4, PAGES, 4.0 / 30.0);
        let alone = simulate(&[light()])["light"].p99();
        let outcomes = simulate(&[light(), Group::new("greedy", 1, sizes, load)]);
        let [light, greedy] = ["light", "greedy"].map(|name| &outcomes[name]);
        assert!(light.p99() <= 3.0 * alone, "{} beside {sizes:?}, {alone} alone", light.p99());
        assert_eq!((light.retries.len(), light.expired), (0, 0));
        assert!(greedy.share() > 0.8, "{} of the capacity", greedy.share());
    }
}

#[test]
fn a_key_that_asks_for_everything_gets_what_the_others_leave() {
    let outcomes = simulate(&[Group::new("some", 4, MIXED, 0.6), Group::new("greedy", 1, PAGES, 5.0)]);
    let [some, greedy] = ["some", "greedy"].map(|name| &outcomes[name]);
    assert!(some.retries.is_empty() && some.longest_wait() < LONGEST_WAIT / 4.0, "{}", some.longest_wait());
    assert!((0.3..0.45).contains(&greedy.share()), "{} of the capacity", greedy.share());
}

#[test]
fn a_crowd_shuts_nobody_out() {
    let outcomes = simulate(&[
        Group::new("early", 10, MIXED, 2.0),
        Group::new("books", 3, BOOKS, 1.0),
        Group::new("crowd", 3000, PAGES, 5.0).between(30.0, RUN),
    ]);
    for (name, outcome) in &outcomes {
        let (begun, refused) = (outcome.waits.len(), outcome.retries.len());
        assert!(20 * begun > refused && outcome.expired <= begun / 200, "{name}: {begun}, {refused} refused");
    }
}

#[test]
fn books_keep_no_card_waiting() {
    let outcomes = simulate(&[Group::new("cards", 1, CARDS, 0.1), Group::new("books", 8, BOOKS, 3.0)]);
    let cards = &outcomes["cards"];
    assert_eq!((cards.retries.len(), cards.expired), (0, 0));
    assert!(cards.longest_wait() < 0.2, "{}", cards.longest_wait());
}

#[test]
fn a_client_that_comes_back_after_retry_after_is_served_if_the_crowd_has_gone() {
    let crowd = || Group::new("crowd", 500, MIXED, 5.0).between(0.0, 60.0);
    let retry_after = *simulate(&[crowd()])["crowd"].retries.last().unwrap() as f64;
    assert!(retry_after < LONGEST_WAIT, "{retry_after}");
    let back = Group::new("back", 50, MIXED, 0.5).between(60.0 + retry_after, 80.0);
    let back = &simulate(&[crowd(), back])["back"];
    assert!(back.retries.is_empty() && back.longest_wait() < 0.5, "{}", back.longest_wait());
}
