//! Enums whose values have names on the wire.

/// Makes enums from one row per value: `Value = "name"`. Each has the table of its names (`NAMES`), and the name of each
/// value (`name`).
macro_rules! named {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis enum $enum:ident {
            $($(#[$of_value:meta])* $value:ident = $name:literal,)+
        }
    )+) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $enum {
            $($(#[$of_value])* $value,)+
        }

        impl $enum {
            /// Every value, by its wire name.
            $visibility const NAMES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];

            /// The wire name.
            #[must_use]
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }
    )+};
}

pub(crate) use named;
