//! Reads a struct from a row by the names of its columns.
//!
//! Written by hand: the library's derive compiles both database drivers, `SQLite` included, a second time for the
//! compiler's own use, which took a sixth of the first `cargo check`. Knows no tables.

/// Implements [`sqlx::FromRow`] for the rows of these engines: `from_row!(PgRow, SqliteRow => Name { column, … })`. A
/// field has the name of its column, or names it: `field = "column"`. `as Type` is the type that is read from the
/// column before the conversion.
macro_rules! from_row {
    ($($row:ident),+ => $name:ident $fields:tt) => {
        $($crate::store::columns::from_row! { @impl $row $name $fields })+
    };
    (@impl $row:ident $name:ident { $($field:ident $(= $column:literal)? $(as $read:ident)?),+ $(,)? }) => {
        impl sqlx::FromRow<'_, $row> for $name {
            fn from_row(row: &$row) -> Result<Self, sqlx::Error> {
                use sqlx::Row as _;
                Ok(Self { $($field: $crate::store::columns::from_row!(@value row $field [$($column)?] [$($read)?])),+ })
            }
        }
    };
    (@value $row:ident $field:ident [] $read:tt) => {
        $crate::store::columns::from_row!(@read $row (stringify!($field)) $read)
    };
    (@value $row:ident $field:ident [$column:literal] $read:tt) => {
        $crate::store::columns::from_row!(@read $row ($column) $read)
    };
    (@read $row:ident $column:tt []) => { $row.try_get($column)? };
    (@read $row:ident $column:tt [$read:ident]) => { $crate::store::columns::converted($column, $row.try_get::<$read, _>($column)?)? };
}
pub(super) use from_row;

/// Converts a value read from this column to the wanted type.
///
/// # Errors
/// [`sqlx::Error::ColumnDecode`] when it does not fit.
pub(super) fn converted<R, T: TryFrom<R>>(column: &str, read: R) -> Result<T, sqlx::Error>
where
    T::Error: std::error::Error + Send + Sync + 'static,
{
    T::try_from(read).map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: Box::new(error) })
}
