//! Selects the adapters that draw.

use std::convert::Infallible;
use std::str::FromStr;

use super::adapter::{AdapterChoice, INTEGRATED, OfferedAdapter, PciAddress, SOFTWARE};
use super::error::GpuError;

/// An operator's name for the adapters that draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GpuName {
    /// Every adapter of the most capable kind available, or one software adapter.
    #[default]
    Auto,
    /// The adapter at this place of the system's list, from 0.
    Index(usize),
    /// The adapter in this slot.
    Pci(PciAddress),
    /// Every adapter whose name contains this text, in any case.
    Named(String),
}

/// Kinds of adapters, the most capable first.
const KINDS: [&str; 5] = ["discrete-gpu", INTEGRATED, "virtual-gpu", "other", SOFTWARE];

impl FromStr for GpuName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text.eq_ignore_ascii_case("auto") {
            Self::Auto
        } else if let Ok(index) = text.parse() {
            Self::Index(index)
        } else {
            PciAddress::parse(text).map_or_else(|| Self::Named(text.to_lowercase()), Self::Pci)
        })
    }
}

impl std::fmt::Display for GpuName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => formatter.write_str("auto"),
            Self::Index(index) => write!(formatter, "{index}"),
            Self::Named(name) => write!(formatter, "{name:?}"),
            Self::Pci(slot) => slot.fmt(formatter),
        }
    }
}

/// The adapters to open, one per device: named adapters first; then fallbacks, most capable first, in case no named
/// one can be opened. An adapter that is named twice is opened twice. A software adapter that is not named is opened
/// `software` times, or may not draw.
///
/// # Errors
/// When no adapter has a name. The error lists the available ones.
pub(super) fn choose(
    offered: &[OfferedAdapter],
    names: &[GpuName],
    software: Option<usize>,
) -> Result<Vec<Vec<AdapterChoice>>, GpuError> {
    let allowed = KINDS.into_iter().filter(|kind| software.is_some() || *kind != SOFTWARE);
    let of_kind = |kind: &str| found(offered, &|_, adapter| adapter.description.kind == kind);
    let kinds = allowed.map(of_kind).filter(|adapters| !adapters.is_empty());
    let mut substitutes: Vec<Vec<AdapterChoice>> = kinds.collect();
    if let Some(last) = substitutes.last_mut()
        && let Some(first) = last.first().filter(|choice| is_software(offered, choice)).cloned()
    {
        *last = vec![first; software.unwrap_or(1).max(1)];
    }
    let mut chosen = Vec::new();
    for name in names {
        let meant = match name {
            GpuName::Auto => substitutes.first().cloned().unwrap_or_default(),
            _ => found(offered, &|place, adapter| name.is_of(place, adapter)),
        };
        if meant.is_empty() && *name != GpuName::Auto {
            return Err(GpuError::UnknownGpu { name: name.to_string(), offered: list(offered) });
        }
        chosen.extend(meant);
    }
    if chosen.is_empty() && !offered.is_empty() {
        return Err(GpuError::NoAdapter(
            "gpu_fallback = \"hardware\", and there are only software adapters".to_owned(),
        ));
    }
    // Without adapters, opening fails with an error that says what to install.
    let chosen = if chosen.is_empty() { vec![AdapterChoice::MostCapable] } else { chosen };
    for adapters in &mut substitutes {
        adapters.retain(|adapter| !chosen.contains(adapter));
    }
    substitutes.retain(|adapters| !adapters.is_empty());
    substitutes.insert(0, chosen);
    Ok(substitutes)
}

impl GpuName {
    /// Whether the adapter at this place has this name.
    fn is_of(&self, place: usize, adapter: &OfferedAdapter) -> bool {
        match self {
            Self::Auto => false,
            Self::Index(index) => place == *index,
            Self::Pci(slot) => adapter.pci == Some(*slot),
            Self::Named(name) => adapter.description.name.to_lowercase().contains(name),
        }
    }
}

fn is_software(offered: &[OfferedAdapter], choice: &AdapterChoice) -> bool {
    let AdapterChoice::This { place, .. } = choice else { return false };
    offered.get(*place).is_some_and(|adapter| adapter.description.is_software())
}

/// The adapters for which `is_meant`. A device that two drivers offer is one device: the first of them counts.
fn found(offered: &[OfferedAdapter], is_meant: &dyn Fn(usize, &OfferedAdapter) -> bool) -> Vec<AdapterChoice> {
    let mut found: Vec<(usize, &OfferedAdapter)> = Vec::new();
    for (place, adapter) in offered.iter().enumerate().filter(|(place, adapter)| is_meant(*place, adapter)) {
        if adapter.pci.is_none_or(|slot| found.iter().all(|(_, other)| other.pci != Some(slot))) {
            found.push((place, adapter));
        }
    }
    let this = |(place, adapter): (usize, &OfferedAdapter)| AdapterChoice::This {
        place,
        name: adapter.description.name.clone(),
        pci: adapter.pci,
    };
    found.into_iter().map(this).collect()
}

/// The available adapters, for the error about an unknown name.
fn list(offered: &[OfferedAdapter]) -> String {
    let line = |(place, adapter): (usize, &OfferedAdapter)| {
        let slot = adapter.pci.map(|slot| format!(" at {slot}")).unwrap_or_default();
        format!("{place} is {:?}{slot}", adapter.description.name)
    };
    let lines: Vec<String> = offered.iter().enumerate().map(line).collect();
    if lines.is_empty() { "there are none at all".to_owned() } else { lines.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::AdapterDescription;

    fn offered(name: &str, kind: &'static str, pci: &str) -> OfferedAdapter {
        let description = AdapterDescription { name: name.to_owned(), driver: String::new(), backend: "vulkan", kind };
        OfferedAdapter { description, pci: PciAddress::parse(pci), largest_buffer: 0, largest_binding: 0 }
    }

    fn host() -> Vec<OfferedAdapter> {
        vec![
            offered("llvmpipe (LLVM 15.0.6, 256 bits)", "cpu", ""),
            offered("NVIDIA H100", "discrete-gpu", "0000:65:00.0"),
            offered("Intel Graphics", "integrated-gpu", "0000:00:02.0"),
            offered("NVIDIA H100", "discrete-gpu", "0001:65:00.0"),
            offered("NVIDIA H100", "discrete-gpu", "0000:65:00.0"),
        ]
    }

    /// Places of the adapters that these names mean.
    fn places(offered: &[OfferedAdapter], names: &[&str]) -> Result<Vec<usize>, String> {
        places_of(offered, names, 1)
    }

    fn places_of(offered: &[OfferedAdapter], names: &[&str], software_devices: usize) -> Result<Vec<usize>, String> {
        let names: Vec<GpuName> = names.iter().map(|name| name.parse().unwrap()).collect();
        let place = |choice: AdapterChoice| match choice {
            AdapterChoice::This { place, .. } => place,
            other => panic!("{other:?}"),
        };
        let mut chosen = choose(offered, &names, Some(software_devices)).map_err(|error| error.to_string())?;
        Ok(chosen.remove(0).into_iter().map(place).collect())
    }

    /// Places of the adapters to open, in the order of attempts.
    fn attempts(offered: &[OfferedAdapter], names: &[&str], is_allowed: bool) -> Result<Vec<Vec<usize>>, String> {
        let names: Vec<GpuName> = names.iter().map(|name| name.parse().unwrap()).collect();
        let place = |choice: AdapterChoice| match choice {
            AdapterChoice::This { place, .. } => place,
            other => panic!("{other:?}"),
        };
        let chosen = choose(offered, &names, is_allowed.then_some(2));
        let chosen = chosen.map_err(|error| error.to_string())?;
        Ok(chosen.into_iter().map(|adapters| adapters.into_iter().map(place).collect()).collect())
    }

    #[test]
    fn less_capable_adapters_stand_in_and_a_software_adapter_at_last() {
        assert_eq!(attempts(&host(), &["auto"], true), Ok(vec![vec![1, 3], vec![2], vec![0, 0]]));
        assert_eq!(attempts(&host(), &["3"], true), Ok(vec![vec![3], vec![1], vec![2], vec![0, 0]]));
        assert_eq!(attempts(&host(), &["intel"], true), Ok(vec![vec![2], vec![1, 3], vec![0, 0]]));
        assert_eq!(attempts(&host(), &["0"], true), Ok(vec![vec![0], vec![1, 3], vec![2]]));
    }

    #[test]
    fn a_software_adapter_that_is_not_named_draws_only_where_it_is_allowed() {
        assert_eq!(attempts(&host(), &["auto"], false), Ok(vec![vec![1, 3], vec![2]]));
        assert_eq!(attempts(&host(), &["llvmpipe"], false), Ok(vec![vec![0], vec![1, 3], vec![2]]));
        let message = attempts(&host()[..1], &["auto"], false).unwrap_err();
        assert!(message.contains("gpu_fallback = \"hardware\", and there are only software adapters"), "{message}");
    }

    #[test]
    fn adapters_are_found_by_place_slot_and_name() {
        for (names, expected) in [
            (vec!["2"], vec![2]),
            (vec!["h100"], vec![1, 3]),
            (vec!["intel", "0"], vec![2, 0]),
            (vec!["65:00.0"], vec![1]),
            (vec!["00000001:65:00.0"], vec![3]),
            (vec!["4"], vec![4]),
            (vec!["0", "0"], vec![0, 0]),
        ] {
            assert_eq!(places(&host(), &names).as_ref(), Ok(&expected), "{names:?}");
        }
    }

    #[test]
    fn auto_is_every_device_of_the_best_kind_once_and_one_software_adapter_where_there_is_nothing_else() {
        assert_eq!(places(&host(), &["auto"]), Ok(vec![1, 3]));
        assert_eq!(places(&host()[2..3], &["AUTO"]), Ok(vec![0]));
        let software = [offered("llvmpipe", "cpu", ""), offered("swiftshader", "cpu", "")];
        assert_eq!(places(&software, &["auto"]), Ok(vec![0]));
        let chosen = choose(&[], &[GpuName::Auto], Some(2));
        assert_eq!(chosen, Ok(vec![vec![AdapterChoice::MostCapable]]), "it says what to install");
    }

    #[test]
    fn only_a_software_adapter_that_auto_means_is_opened_several_times() {
        let software = [offered("llvmpipe", "cpu", ""), offered("swiftshader", "cpu", "")];
        assert_eq!(places_of(&software, &["auto"], 2), Ok(vec![0, 0]));
        assert_eq!(places_of(&software, &["0"], 2), Ok(vec![0]));
        assert_eq!(places_of(&host(), &["auto"], 2), Ok(vec![1, 3]));
    }

    #[test]
    fn a_name_that_means_none_is_refused_with_those_there_are() {
        for name in ["5", "radeon", "0000:66:00.0", "0002:65:00.0"] {
            let message = places(&host(), &["auto", name]).unwrap_err();
            assert!(message.contains(name), "{message}");
            for expected in
                ["0 is \"llvmpipe", "1 is \"NVIDIA H100\" at 0000:65:00.0", "3 is \"NVIDIA H100\" at 0001:65:00.0"]
            {
                assert!(message.contains(expected), "{message}");
            }
        }
    }
}
