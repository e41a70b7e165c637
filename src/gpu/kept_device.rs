//! One device that is opened again when it fails, within limits.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::adapter::{AdapterChoice, AdapterDescription};
use super::error::GpuError;
use super::owner::{Opening, Owner, Undrawn};
use super::restart_budget::RestartBudget;
use crate::clock::Clock;
use crate::raster::Coverage;
use crate::scene::Scene;
use crate::telemetry;
use crate::work::IsWanted;

/// Longest wait for the device to close.
pub(super) const CLOSING_PATIENCE: Duration = Duration::from_secs(2);

/// What to do once a device has failed too often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Remedy {
    /// Refuse pages, and open it again every few seconds.
    #[default]
    Retry,
    /// Draw on the software adapter from then on.
    Software,
    /// Give up, for a supervisor to start the process anew.
    Exit,
}

/// How the device is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceHealth {
    /// It draws, or failed not too often.
    #[default]
    Working,
    /// It failed too often, and pages are drawn on the software adapter.
    FallenBack,
    /// It failed too often, and is opened again every few seconds.
    Away,
    /// It failed too often, and is not opened any more.
    GivenUp,
}

/// A device and how it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceStanding {
    /// The adapter that draws, or drew last, in words.
    pub adapter: AdapterDescription,
    /// How it is.
    pub health: DeviceHealth,
}

/// What becomes of a device that fails too often.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// Losses within a minute that are borne.
    pub(super) restarts: u32,
    /// What to do beyond, where no other device draws.
    pub(super) remedy: Remedy,
}

/// A device, opened again and again.
#[derive(Debug)]
pub(super) struct KeptDevice {
    /// Its number among all, for whoever counts.
    number: usize,
    state: Mutex<State>,
    /// What can be asked while it is being opened.
    told: Mutex<DeviceStanding>,
    is_open: AtomicBool,
    is_being_opened: AtomicBool,
    /// Pixels of the scenes it has been given.
    load: AtomicU64,
    /// How many devices are open.
    open_devices: Arc<AtomicUsize>,
    policy: Policy,
    clock: Clock,
}

#[derive(Debug)]
struct State {
    owner: Option<Arc<Owner>>,
    opening: Opening,
    budget: RestartBudget,
}

impl KeptDevice {
    /// Opens the device. Where that fails it is tried again later; the error says why it is not open yet.
    pub(super) fn open(
        number: usize,
        opening: Opening,
        policy: Policy,
        open_devices: Arc<AtomicUsize>,
    ) -> (Self, Option<GpuError>) {
        let clock = opening.clock.clone();
        let adapter = AdapterDescription::unknown();
        let budget = RestartBudget::new(policy.restarts);
        let device = Self {
            number,
            state: Mutex::new(State { owner: None, opening, budget }),
            told: Mutex::new(DeviceStanding { adapter, health: DeviceHealth::Working }),
            is_open: AtomicBool::new(false),
            is_being_opened: AtomicBool::new(false),
            load: AtomicU64::new(0),
            open_devices,
            policy,
            clock,
        };
        let failure = device.try_open(&mut device.state()).err();
        (device, failure)
    }

    /// The adapter, and how it is.
    pub(super) fn standing(&self) -> DeviceStanding {
        self.told().clone()
    }

    /// Whether there is a device to draw on, as far as is known.
    pub(super) fn is_open(&self) -> bool {
        self.is_open.load(Ordering::Relaxed)
    }

    /// Pixels of the scenes that it has been given and has not drawn.
    pub(super) fn load(&self) -> u64 {
        self.load.load(Ordering::Relaxed)
    }

    /// Draws a scene; blocks until its coverage is there, or the device failed. Where there is none, one is opened.
    pub(super) fn draw(
        &self,
        scene: &Arc<Scene>,
        is_suspect: bool,
        is_wanted: IsWanted<'_>,
    ) -> Result<Coverage, Undrawn> {
        let pixels = scene.drawn_pixels() as u64;
        self.load.fetch_add(pixels, Ordering::Relaxed);
        let outcome = self.draw_counted(scene, is_suspect, is_wanted);
        self.load.fetch_sub(pixels, Ordering::Relaxed);
        outcome
    }

    fn draw_counted(&self, scene: &Arc<Scene>, is_suspect: bool, is_wanted: IsWanted<'_>) -> Result<Coverage, Undrawn> {
        let owner = self.owner().map_err(Undrawn::Away)?;
        let outcome = owner.draw(scene, is_suspect, is_wanted);
        match &outcome {
            Ok(_) => self.drew(),
            Err(Undrawn::Failed(GpuError::TooLarge { .. }) | Undrawn::Away(_) | Undrawn::Unwanted) => {}
            Err(Undrawn::Failed(error)) => self.lost(&owner, error),
            Err(Undrawn::NeverBegun) => {
                self.lost(&owner, &GpuError::Failed("it failed on another page".to_owned()));
            }
        }
        outcome
    }

    /// Opens the device again on a thread of its own, if it is time for that.
    pub(super) fn open_beside(device: &Arc<Self>) {
        let is_due = device
            .state
            .try_lock()
            .is_ok_and(|state| state.owner.is_none() && state.budget.wait(device.clock.monotonic()).is_zero());
        if !is_due || device.is_being_opened.swap(true, Ordering::Relaxed) {
            return;
        }
        let opened = Arc::clone(device);
        let opening = std::thread::Builder::new().name("gpu-opening".to_owned()).spawn(move || {
            // Why it stays away has been logged.
            let _ = opened.owner();
            opened.is_being_opened.store(false, Ordering::Relaxed);
        });
        if opening.is_err() {
            device.is_being_opened.store(false, Ordering::Relaxed);
        }
    }

    /// Closes the device, unless that takes too long. One that is just being opened is left to itself.
    pub(super) fn close(&self) {
        let Ok(mut state) = self.state.try_lock() else { return };
        if let Some(owner) = state.owner.take().and_then(Arc::into_inner) {
            owner.close(CLOSING_PATIENCE);
        }
    }

    /// The device that draws; a new one where there is none.
    fn owner(&self) -> Result<Arc<Owner>, GpuError> {
        loop {
            let mut state = self.state();
            if let Some(owner) = &state.owner {
                return Ok(Arc::clone(owner));
            }
            let now = self.clock.monotonic();
            let is_spent = state.budget.is_spent(now);
            if is_spent {
                self.judge(&mut state)?;
            }
            let wait = state.budget.wait(now);
            if wait.is_zero() {
                // It is tried again, or not, as the budget says.
                let _ = self.try_open(&mut state);
            } else if is_spent {
                return Err(GpuError::NoDevice("it failed too often, and is opened again in a few seconds".to_owned()));
            } else {
                drop(state);
                std::thread::sleep(wait);
            }
        }
    }

    /// What becomes of the device now that it has failed too often: while others draw, it is only tried again.
    fn judge(&self, state: &mut State) -> Result<(), GpuError> {
        let do_others_draw = self.open_devices.load(Ordering::Relaxed) > 0;
        let remedy = if do_others_draw { Remedy::Retry } else { self.policy.remedy };
        let health = match remedy {
            Remedy::Software if state.opening.choice != AdapterChoice::Software => {
                state.opening.choice = AdapterChoice::Software;
                state.budget = RestartBudget::new(self.policy.restarts);
                DeviceHealth::FallenBack
            }
            Remedy::Exit => DeviceHealth::GivenUp,
            Remedy::Retry | Remedy::Software => DeviceHealth::Away,
        };
        let was = std::mem::replace(&mut self.told().health, health);
        if was != health {
            tracing::error!(device = self.number, ?remedy, "the device failed too often: degraded");
        }
        if health == DeviceHealth::GivenUp { Err(GpuError::NoDevice("it failed too often".to_owned())) } else { Ok(()) }
    }

    fn try_open(&self, state: &mut State) -> Result<(), GpuError> {
        match Owner::open(&state.opening) {
            Ok(owner) => {
                telemetry::device_opened(self.number);
                self.told().adapter = owner.adapter().clone();
                state.owner = Some(Arc::new(owner));
                self.is_open.store(true, Ordering::Relaxed);
                self.open_devices.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            Err(error) => {
                tracing::warn!(device = self.number, %error, "no device could be opened");
                state.budget.lost(self.clock.monotonic());
                Err(error)
            }
        }
    }

    fn drew(&self) {
        let mut state = self.state();
        state.budget.drew();
        let mut told = self.told();
        if told.health == DeviceHealth::Away {
            let is_software = state.opening.choice == AdapterChoice::Software;
            told.health = if is_software { DeviceHealth::FallenBack } else { DeviceHealth::Working };
            tracing::info!(device = self.number, "the device draws again");
        }
    }

    /// Counts the loss of a device once, whoever tells first.
    fn lost(&self, lost: &Arc<Owner>, error: &GpuError) {
        let mut state = self.state();
        if state.owner.as_ref().is_some_and(|owner| Arc::ptr_eq(owner, lost)) {
            tracing::warn!(device = self.number, %error, "the device failed and is opened anew");
            telemetry::device_lost(self.number);
            state.owner = None;
            self.is_open.store(false, Ordering::Relaxed);
            self.open_devices.fetch_sub(1, Ordering::Relaxed);
            state.budget.lost(self.clock.monotonic());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self) -> MutexGuard<'_, DeviceStanding> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
