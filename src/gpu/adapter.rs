//! Adapters as data: descriptions, slots and choices.

/// The adapter in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterDescription {
    /// The adapter's own name, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
    pub name: String,
    /// The driver and its version.
    pub driver: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: &'static str,
    /// `discrete-gpu`, `integrated-gpu`, `virtual-gpu`, `cpu` or `other`.
    pub kind: &'static str,
}

impl AdapterDescription {
    /// Whether the adapter needs no hardware.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.kind == SOFTWARE
    }

    /// Whether the device's memory is the CPU's, so that the CPU can read what passes write as fast as a copy of it.
    pub(super) fn shares_memory(&self) -> bool {
        self.is_software() || self.kind == INTEGRATED
    }

    /// The description before an adapter has been opened.
    pub(super) fn unknown() -> Self {
        Self { name: "none yet".to_owned(), driver: String::new(), backend: "none", kind: "other" }
    }
}

/// The kind of adapters that need no hardware.
pub(super) const SOFTWARE: &str = "cpu";

/// The kind of GPUs without memory of their own.
pub(super) const INTEGRATED: &str = "integrated-gpu";

/// The adapter to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AdapterChoice {
    /// The most capable one.
    MostCapable,
    /// One that needs no hardware.
    Software,
    /// The adapter at this place of the list, with this name and, if it has one, this slot.
    This { place: usize, name: String, pci: Option<PciAddress> },
}

/// An adapter that the system offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedAdapter {
    /// Its description.
    pub description: AdapterDescription,
    /// Its PCI slot, if the driver reports it.
    pub pci: Option<PciAddress>,
    /// Largest buffer in bytes.
    pub largest_buffer: u64,
    /// Largest buffer binding in bytes.
    pub largest_binding: u64,
}

/// A PCI slot: domain, bus, device, function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PciAddress([u32; 4]);

impl PciAddress {
    /// Reads `65:00.0`, `0000:65:00.0` or, as nvidia-smi writes it, `00000000:65:00.0`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (slot, function) = text.rsplit_once('.')?;
        let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
        let parts: Vec<&str> = slot.split(':').collect();
        let [domain, bus, device] = match parts[..] {
            [bus, device] => ["0", bus, device],
            [domain, bus, device] => [domain, bus, device],
            _ => return None,
        };
        Some(Self([number(domain)?, number(bus)?, number(device)?, number(function)?]))
    }
}

impl std::fmt::Display for PciAddress {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self([domain, bus, device, function]) = self;
        write!(formatter, "{domain:04x}:{bus:02x}:{device:02x}.{function:x}")
    }
}

pub(super) fn describe(info: &wgpu::AdapterInfo) -> AdapterDescription {
    AdapterDescription {
        name: info.name.clone(),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        backend: info.backend.to_str(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete-gpu",
            wgpu::DeviceType::IntegratedGpu => INTEGRATED,
            wgpu::DeviceType::VirtualGpu => "virtual-gpu",
            wgpu::DeviceType::Cpu => SOFTWARE,
            wgpu::DeviceType::Other => "other",
        },
    }
}
