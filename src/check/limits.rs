//! The bounds within which a checker works, and the macro for bounds.

/// Declares bounds: each with its default, and a function that changes it.
macro_rules! limits {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $( $(#[doc = $doc:literal])* $bound:ident: $kind:ty = $default:expr, )+
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[doc = $doc])* pub $bound: $kind, )+
        }

        pastey::paste! {
            impl $name {
                /// The defaults.
                pub const DEFAULT: Self = Self { $( $bound: $default, )+ };

                $(
                    #[doc = concat!("These limits with other [`", stringify!($bound), "`](Self::", stringify!($bound), ").")]
                    #[must_use]
                    pub const fn [<with_ $bound>](mut self, $bound: $kind) -> Self {
                        self.$bound = $bound;
                        self
                    }
                )+
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::DEFAULT
            }
        }
    };
}
pub(crate) use limits;

limits! {
    /// Bounds on what a checker reads and remembers.
    ///
    /// Nothing is cut silently. What is forgotten or no longer listed is reported once in a stream;
    /// each event that is too large or too deep has a finding of its own.
    ///
    /// Since 0.1.0.
    pub struct Limits {
        /// The nesting depth of an event, at most 1024: a larger one counts as 1024. Default 128.
        depth: u16 = 128,
        /// The size of an event or a line, in bytes; an object with the member
        /// `events` is read whole, and may have sixteen times as much. Default 16 MiB.
        event_bytes: usize = 16 * 1024 * 1024,
        /// The size of an SSE frame, in bytes. Default 10 MiB.
        frame_bytes: usize = 10 * 1024 * 1024,
        /// How many past ids, scopes and owners are remembered, of each kind. Default 65 536.
        history: usize = 65_536,
        /// How much is kept of what events add to, in bytes: of the texts of messages and calls,
        /// and of states that patches change, each. Default 1 MiB.
        text_bytes: usize = 1024 * 1024,
        /// The size beyond which a payload is reported, in UTF-16 code units of compact JSON.
        /// Default 32 000. The `reference` profile always uses the protocol's own bound.
        inline_units: usize = 32_000,
        /// After so many findings of one event or document only errors are listed, until there are twice as
        /// many; 0 counts as 1. Default 1 000.
        findings: usize = 1000,
        /// After so many findings of one stream only errors are listed, until there are twice as many; at
        /// least as many as of one event. Where no error would be listed any more, what follows is counted, and
        /// not looked at. Default 5 000.
        stream_findings: usize = 5000,
    }
}
