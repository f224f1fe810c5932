//! Ids as separate types, so that a player's id can never be passed as a question's.

/// Declares an id: a UUID with its own type.
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(::uuid::Uuid);

        impl $name {
            /// The UUID within.
            pub const fn uuid(self) -> ::uuid::Uuid {
                self.0
            }
        }

        impl From<::uuid::Uuid> for $name {
            fn from(id: ::uuid::Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for ::uuid::Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(out)
            }
        }
    };
}

id! {
    /// One question of a quiz (`questionId`).
    QuestionId
}
