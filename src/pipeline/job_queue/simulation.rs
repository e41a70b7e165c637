//! The job queue in simulated time: tenants of every kind ask for far more than can be made.

use std::collections::BTreeMap;

use super::*;
use crate::pipeline::job_request::JobKind;

/// Workers, of which the queue counts all but one.
const WORKERS: usize = 3;
/// Megapixels per second, shared by the busy workers. The queue measures the same.
const CAPACITY: f64 = 150.0;
const PATIENCE: f64 = 10.0;

/// Who asks, for how many megapixels, how often a second, from when on, in seconds.
struct Asking {
    tenants: Vec<String>,
    sizes: &'static [f64],
    rate: f64,
    from: f64,
}

impl Asking {
    /// `number` tenants in turn, who together ask for `part` of what can be made.
    fn of(name: &str, number: usize, sizes: &'static [f64], part: f64) -> Self {
        let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
        let tenants = (0..number).map(|tenant| format!("{name} {tenant}")).collect();
        Self { tenants, sizes, rate: part * CAPACITY / mean, from: 0.0 }
    }

    fn from(self, from: f64) -> Self {
        Self { from, ..self }
    }
}

/// The outcome of the tenants whose names begin alike.
#[derive(Debug, Default)]
struct Outcome {
    /// Seconds that each piece waited that was taken in.
    waits: Vec<f64>,
    refused: usize,
    /// Megapixels begun.
    made: f64,
}

impl Outcome {
    fn longest(&self) -> f64 {
        self.waits.iter().copied().fold(0.0, f64::max)
    }

    fn refused_part(&self) -> f64 {
        self.refused as f64 / (self.refused + self.waits.len()) as f64
    }
}

/// Serves everyone for `seconds`; fates by the first word of the tenants' names.
fn serve(asking: &[Asking], seconds: f64) -> BTreeMap<String, Outcome> {
    let jobs = JobQueue::new(Cost::megapixels(1e6), Duration::from_secs_f64(PATIENCE), Cost::UNBOUNDED);
    (0..WORKERS).for_each(|_| jobs.worker_started());
    let mut state = 7_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 + 0.5) / f64::from(1_u32 << 31)
    };
    let mut arrivals = Vec::new();
    for asking in asking {
        let (mut time, mut turn) = (asking.from, 0);
        while time < seconds {
            let size = asking.sizes[(uniform() * asking.sizes.len() as f64) as usize];
            arrivals.push((time, asking.tenants[turn % asking.tenants.len()].as_str(), size));
            time -= uniform().ln() / asking.rate;
            turn += 1;
        }
    }
    arrivals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut shop = Shop { jobs, now: 0.0, in_hand: Vec::new(), fates: BTreeMap::new() };
    for (time, who, size) in arrivals {
        shop.work_until(time);
        let request = JobRequest {
            tenant: Tenant::from(who),
            kind: JobKind::Page,
            cost: Cost::megapixels(size),
            pixels: Cost::NONE,
        };
        let group = who.split(' ').next().unwrap().to_owned();
        if shop.jobs.submit(&request, (time, group.clone())).is_err() {
            shop.fates.entry(group).or_default().refused += 1;
        }
        shop.begin();
    }
    shop.fates
}

/// The queue with its workers, which share the machine evenly.
struct Shop {
    /// Work is when it came, and who asked.
    jobs: JobQueue<(f64, String)>,
    now: f64,
    /// With the megapixels that are left to make.
    in_hand: Vec<(f64, Tenant, Cost)>,
    fates: BTreeMap<String, Outcome>,
}

impl Shop {
    fn work_until(&mut self, time: f64) {
        loop {
            let pace = CAPACITY / self.in_hand.len().max(1) as f64;
            let shortest = (0..self.in_hand.len()).min_by(|a, b| self.in_hand[*a].0.total_cmp(&self.in_hand[*b].0));
            let next_end = shortest.map_or(f64::INFINITY, |first| self.now + self.in_hand[first].0 / pace);
            let made = pace * (next_end.min(time) - self.now);
            self.now = next_end.min(time);
            self.in_hand.iter_mut().for_each(|(left, ..)| *left -= made);
            match shortest {
                Some(first) if next_end <= time => {
                    let (_, tenant, cost) = self.in_hand.swap_remove(first);
                    let took = cost.get() * (WORKERS - 1) as f64 / CAPACITY;
                    self.jobs.done(&tenant, cost, Cost::NONE, Some(Duration::from_secs_f64(took)));
                    self.begin();
                }
                _ => return,
            }
        }
    }

    /// Gives waiting jobs to free workers.
    fn begin(&mut self) {
        while self.in_hand.len() < WORKERS {
            let Some(Job { tenant, cost, work: (came, group), .. }) = self.jobs.inner().next() else { break };
            let fate = self.fates.entry(group).or_default();
            fate.waits.push(self.now - came);
            fate.made += cost.get();
            self.in_hand.push((cost.get(), tenant, cost));
        }
    }
}

const PAGES: &[f64] = &[3.6];
const MIXED: &[f64] = &[0.1, 0.5, 3.6, 3.6, 3.6, 12.0];

#[test]
fn of_five_times_what_can_be_made_all_is_made_in_time_that_is_taken_in_and_no_server_is_idle() {
    for (number, sizes) in [(2000, PAGES), (2000, MIXED), (200, MIXED), (7, MIXED)] {
        let fates = serve(&[Asking::of("key", number, sizes, 5.0)], 120.0);
        let fate = &fates["key"];
        assert!(fate.longest() < PATIENCE, "{number} keys: {}", fate.longest());
        let used = fate.made / (CAPACITY * 120.0);
        assert!(used > 0.97, "{number} keys: {used} of the capacity");
        assert!((0.7..0.9).contains(&fate.refused_part()), "{number} keys: {}", fate.refused_part());
    }
}

#[test]
fn keys_that_ask_little_are_served_at_once_beside_one_that_asks_fifty_times_as_much() {
    let asking = [Asking::of("little", 4, PAGES, 4.0 / 30.0), Asking::of("much", 1, PAGES, 50.0 / 30.0)];
    let fates = serve(&asking, 120.0);
    let [little, much] = ["little", "much"].map(|name| &fates[name]);
    assert_eq!(little.refused, 0);
    let one_page = 3.6 * WORKERS as f64 / CAPACITY;
    let at_once = little.waits.iter().filter(|wait| **wait < 0.01).count() as f64 / little.waits.len() as f64;
    assert!(at_once > 0.9 && little.longest() < 2.0 * one_page, "{at_once} at once, {}", little.longest());
    assert!(much.longest() < PATIENCE && much.made > 0.8 * CAPACITY * 120.0, "{}", much.longest());
}

#[test]
fn one_that_asks_for_all_gets_what_others_leave_of_it_and_waits_in_time() {
    let asking = [Asking::of("some", 4, MIXED, 0.6), Asking::of("all", 1, PAGES, 5.0)];
    let fates = serve(&asking, 120.0);
    let [some, all] = ["some", "all"].map(|name| &fates[name]);
    assert!(some.refused == 0 && some.longest() < PATIENCE / 4.0, "{} refused, {}", some.refused, some.longest());
    let got = all.made / (CAPACITY * 120.0);
    assert!(all.longest() < PATIENCE && (0.33..0.45).contains(&got), "{got} of the capacity, {}", all.longest());
}

#[test]
fn nobody_waits_in_vain_when_a_crowd_comes_and_no_crowd_shuts_a_newcomer_out() {
    let asking = [
        Asking::of("early", 10, MIXED, 2.0),
        Asking::of("heavy", 3, &[100.0, 300.0], 1.0),
        Asking::of("crowd", 3000, PAGES, 5.0).from(30.0),
    ];
    let fates = serve(&asking, 120.0);
    for (name, fate) in &fates {
        assert!(fate.longest() < PATIENCE, "{name}: {}", fate.longest());
        assert!(fate.made > 0.0 && fate.refused_part() < 0.95, "{name}: {} refused", fate.refused_part());
    }
    assert_eq!(fates.len(), 3);
}
