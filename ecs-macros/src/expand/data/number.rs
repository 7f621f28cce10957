//! Numbers of components as types, by which `ecs-core` tells the components of a query apart: lists of bits, the lowest
//! one first.
//!
//! A component has its position in the declaration as its number. One of a set has the same number in every world, so
//! that bodies for all worlds with the set can be checked: its position in the set, and above that the set's identity.

use crate::site::quote;
use ecs_rules::MOST;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The number at this position of a world.
pub(crate) fn of(position: usize) -> TokenStream {
    let bits = usize::BITS - position.leading_zeros();
    with(position, bits, &quote!(()))
}

/// The number at this position of the set with this identity. It is above all numbers of a world's own components. A part
/// of the identity will do, which is a smaller type: sets that are not told apart would be two of billions, and then a
/// query of both would be refused.
pub(crate) fn in_set(position: usize, identity: u64) -> TokenStream {
    let set = with(identity as u32 as usize | 1 << 31, 32, &quote!(()));
    with(position, MOST.ilog2(), &set)
}

/// The lowest bits of a number, with the others.
fn with(number: usize, bits: u32, others: &impl ToTokens) -> TokenStream {
    let mut ty = others.to_token_stream();
    for bit in (0..bits).rev() {
        ty = if number >> bit & 1 == 0 { quote!((#ty,)) } else { quote!((#ty, ())) };
    }
    ty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_numbers() {
        let text = |ty: TokenStream| ty.to_string().replace(' ', "");
        assert_eq!(text(of(0)), "()");
        assert_eq!(text(of(1)), "((),())");
        assert_eq!(text(of(6)), "((((),()),()),)");
        assert!(text(in_set(1, 2)).ends_with("),),),),),),),),),())"));
        assert_ne!(text(in_set(0, 0)), text(in_set(0, 1)));
    }
}
