//! Selects the adapters that draw.

use std::convert::Infallible;
use std::str::FromStr;

use super::adapter::{AdapterChoice, OfferedAdapter, PciAddress, SOFTWARE};
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
const KINDS: [&str; 5] = ["discrete-gpu", "integrated-gpu", "virtual-gpu", "other", SOFTWARE];

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

/// The adapters of these names, one per device to be opened. An adapter that is named twice is opened twice. `auto`
/// opens a software adapter `software_devices` times.
///
/// # Errors
/// When no adapter has a name. The error lists the available ones.
pub(super) fn choose(
    offered: &[OfferedAdapter],
    names: &[GpuName],
    software_devices: usize,
) -> Result<Vec<AdapterChoice>, GpuError> {
    let mut chosen = Vec::new();
    for name in names {
        let meant = meant(offered, name, software_devices);
        if meant.is_empty() && *name != GpuName::Auto {
            return Err(GpuError::UnknownGpu { name: name.to_string(), offered: list(offered) });
        }
        chosen.extend(meant);
    }
    // Without adapters, opening fails with an error that says what to install.
    Ok(if chosen.is_empty() { vec![AdapterChoice::MostCapable] } else { chosen })
}

/// The adapters of this name. A device that two drivers offer is one device: the first of them counts.
fn meant(offered: &[OfferedAdapter], name: &GpuName, software_devices: usize) -> Vec<AdapterChoice> {
    let best = KINDS.into_iter().find(|kind| offered.iter().any(|adapter| adapter.description.kind == *kind));
    let is_meant = |place: usize, adapter: &OfferedAdapter| match name {
        GpuName::Auto => Some(adapter.description.kind) == best,
        GpuName::Index(index) => place == *index,
        GpuName::Pci(slot) => adapter.pci == Some(*slot),
        GpuName::Named(name) => adapter.description.name.to_lowercase().contains(name),
    };
    let mut found: Vec<(usize, &OfferedAdapter)> = Vec::new();
    for (place, adapter) in offered.iter().enumerate().filter(|(place, adapter)| is_meant(*place, adapter)) {
        if adapter.pci.is_none_or(|slot| found.iter().all(|(_, other)| other.pci != Some(slot))) {
            found.push((place, adapter));
        }
    }
    if *name == GpuName::Auto && best == Some(SOFTWARE) {
        found.truncate(1);
        found = found.repeat(software_devices.max(1));
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
        let chosen = choose(offered, &names, software_devices).map_err(|error| error.to_string())?;
        Ok(chosen.into_iter().map(place).collect())
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
        assert_eq!(choose(&[], &[GpuName::Auto], 2), Ok(vec![AdapterChoice::MostCapable]), "it says what to install");
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
