//! A macro for enumerations with a text for each variant.

/// Defines an enumeration with a text for each variant, the constant `ALL` with every variant in order, and the functions
/// `as_str` and `from_name`. `Display` writes the text.
///
/// ```
/// postduif_schema::named_enum! {
///     /// A direction.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Direction {
///         North = "noord",
///         /// Where the sun sets.
///         West = "west",
///     }
/// }
/// assert_eq!(Direction::ALL.map(Direction::as_str), ["noord", "west"]);
/// ```
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $Type:ident {
            $($(#[$doc:meta])* $variant:ident = $name:literal,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $Type {
            $(#[doc = concat!("`", $name, "`")] #[doc = ""] $(#[$doc])* $variant,)+
        }

        impl $Type {
            /// Every variant, in order.
            $visibility const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name of the variant.
            #[must_use]
            $visibility const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant with a name.
            #[must_use]
            $visibility fn from_name(name: &str) -> ::std::option::Option<Self> {
                Self::ALL.into_iter().find(|variant| variant.as_str() == name)
            }
        }

        impl ::std::fmt::Display for $Type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}
