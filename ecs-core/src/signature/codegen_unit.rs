//! Where `rustc` compiles the loops of systems in dev builds.
//!
//! An incremental build compiles a codegen unit again if any function in it has changed. There is a unit for each
//! module, and a method belongs to the module of its `Self`. If that were the user's type, the loops of all systems would
//! share a unit. So each system names a type here, in a module of its own, and its loop is a method of that.

use super::{Declaration, Own, SystemName};

/// A type in a module of its own.
pub trait CodegenUnit: 'static {
    /// Calls `f` for each entity of the subtask, as [`Own::for_entities`] does: O(entities).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn for_entities<D: Declaration, N: SystemName<D>>(
        own: &mut Own<'_, D, N>,
        f: impl FnMut(N::Entry<'_>),
    ) {
        own.walk(f);
    }
}

/// The modules and their types.
macro_rules! units {
    ($($module:ident $Unit:ident),* $(,)?) => {
        $(
            mod $module {
                /// A codegen unit.
                #[derive(Debug)]
                pub struct $Unit;
                impl super::CodegenUnit for $Unit {}
            }
            pub use $module::$Unit;
        )*
    };
}

units! {
    u0 U0, u1 U1, u2 U2, u3 U3, u4 U4, u5 U5, u6 U6, u7 U7,
    u8 U8, u9 U9, u10 U10, u11 U11, u12 U12, u13 U13, u14 U14, u15 U15,
    u16 U16, u17 U17, u18 U18, u19 U19, u20 U20, u21 U21, u22 U22, u23 U23,
    u24 U24, u25 U25, u26 U26, u27 U27, u28 U28, u29 U29, u30 U30, u31 U31,
    u32 U32, u33 U33, u34 U34, u35 U35, u36 U36, u37 U37, u38 U38, u39 U39,
    u40 U40, u41 U41, u42 U42, u43 U43, u44 U44, u45 U45, u46 U46, u47 U47,
    u48 U48, u49 U49, u50 U50, u51 U51, u52 U52, u53 U53, u54 U54, u55 U55,
    u56 U56, u57 U57, u58 U58, u59 U59, u60 U60, u61 U61, u62 U62, u63 U63,
}
