//! Flags: the keys of a system that stand alone.

/// Declares the flags, each with its key.
macro_rules! flags {
    ($($(#[$doc:meta])* $variant:ident $key:literal;)*) => {
        /// A key without a value.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Flag {
            $($(#[$doc])* $variant,)*
        }

        impl Flag {
            /// All flags.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            /// The key.
            pub(crate) const fn key(self) -> &'static str {
                match self {
                    $(Self::$variant => $key,)*
                }
            }
        }
    };
}

flags! {
    /// One subtask, which reaches every entity.
    Exclusive "exclusive";
    /// One subtask, which runs alone, and whose effects are immediate.
    Sequential "sequential";
    /// May observe its slices.
    SliceDependent "slice_dependent";
    /// Takes a stream in any order, or has an output without an order.
    Unordered "unordered";
    /// Entities are subscribed by hand.
    OptIn "opt_in";
    /// Despawns entities.
    Despawn "despawn";
    /// Defers arbitrary functions.
    Defer "defer";
    /// State and outputs are left out of clones, snapshots and hashes.
    Transient "transient";
}
