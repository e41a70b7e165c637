//! The table of an object's fields: one row makes a field, the member that holds its value, and its reading.

/// Makes a struct of the values of fields from one row per field.
///
/// A row is `/// meaning`, then `ROW member: Kind = kind, Absent(value);` and, for a length or an angle, `in "unit"`
/// before the semicolon. The wire name is that of the member. Members of the struct that are no fields come first; they
/// begin with their default.
///
/// It makes a static [`Field`](super::field::Field) for each row. The struct gets
/// [`FieldTable`](super::field::FieldTable), and `Default`: the values of an object without members.
macro_rules! field_table {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $table:ident {
            $($(#[$of_other:meta])* $other:ident: $other_type:ty,)*
        }
        $(
            $(#[doc = $meaning:literal])+
            $row:ident $member:ident: $kind:ty = $make:expr, $absent:ident($($value:expr),+) $(in $unit:literal)?;
        )+
    ) => {
        $(#[$attribute])*
        #[allow(private_interfaces, reason = "the kinds are private, and their values are not")]
        $visibility struct $table {
            $($(#[$of_other])* $visibility $other: $other_type,)*
            $($(#[doc = $meaning])+ $visibility $member: <$kind as $crate::spec::field::FieldType>::Value,)+
        }

        $(
            pub(super) static $row: $crate::spec::field::Field<$kind> = $crate::spec::field::Field {
                name: stringify!($member),
                kind: $make,
                absent: $crate::spec::field::Absent::$absent($($value),+),
                unit: $crate::spec::field_table::first(&[$($unit)?]),
                meaning: $crate::spec::field_table::trimmed(concat!($($meaning),+)),
            };
        )+

        impl $crate::spec::field::FieldTable for $table {
            fn read(
                members: &serde_json::Map<String, serde_json::Value>,
                collector: &mut $crate::spec::violation_collector::ViolationCollector,
            ) -> Self {
                Self {
                    $($other: Default::default(),)*
                    $($member: $row.read(members, collector),)+
                }
            }

            fn descriptions() -> &'static [$crate::spec::field::FieldDescription] {
                static ROWS: std::sync::LazyLock<Vec<$crate::spec::field::FieldDescription>> =
                    std::sync::LazyLock::new(|| vec![$($row.describe()),+]);
                &ROWS
            }
        }

        impl Default for $table {
            fn default() -> Self {
                $crate::spec::field::FieldTable::read(&Default::default(), &mut Default::default())
            }
        }
    };
}

pub(super) use field_table;

/// The text of a doc comment, whose lines begin with a space, as one line.
pub(super) const fn trimmed(comment: &'static str) -> &'static str {
    comment.trim_ascii_start()
}

/// The first, if there is one.
pub(super) const fn first(units: &[&'static str]) -> Option<&'static str> {
    match units {
        [] => None,
        [unit, ..] => Some(*unit),
    }
}
