//! Queries that hand out each component once if they can write it, as a bound: `cargo check` evaluates no constant
//! that depends on a type parameter.
//!
//! Soundness rests on [`ALIAS_FREE`](crate::QueryTerms::ALIAS_FREE), a constant. These traits are for the message.

use super::Mut;
use crate::entity::{Entity, Place};
use crate::proxy::for_tuples;
use crate::signature::number::OtherNumber;
use crate::signature::{Declaration, HasComponent};
use crate::types::Brand;

/// The query hands out no component twice if one of the two could write.
///
/// It holds for a single term, and for a tuple whose terms are of different components where one of them could write.
/// Code that knows its world needs no such bound. A function for any world has it for the tuples that it asks for:
///
/// ```
/// use ecs_core::settings::Settings;
/// use ecs_core::{HandsOutOnce, HasComponent, World, world};
/// struct Position(f32);
/// struct Velocity(f32);
///
/// world! {
///     world Line;
///     component Position, Velocity;
/// }
///
/// fn advance<D, S: Settings>(world: &mut World<D, S>)
/// where
///     D: HasComponent<Position> + HasComponent<Velocity>,
///     for<'a> (&'a mut Position, &'a Velocity): HandsOutOnce<D>,
/// {
///     for (position, velocity) in world.iter_mut::<(&mut Position, &Velocity)>() {
///         position.0 += velocity.0;
///     }
/// }
///
/// let mut world = World::<Line>::new();
/// let disc = world.spawn((Position(1.0), Velocity(2.0)));
/// advance(&mut world);
/// assert_eq!(world.get::<Position>(disc).unwrap().0, 3.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "[ECS0069] `{Self}` is nothing that a query can ask for",
    label = "not a query",
    note = "ask for `&C`, `&mut C`, `Option<&C>`, `Option<&mut C>` with a component `C` of `{D}`, for `Entity`, for `Place`, or for a tuple of these"
)]
pub trait HandsOutOnce<D: Declaration> {
    /// The components that the query hands out: [`ToRead`], [`ToWrite`], `()`, or a pair of such parts.
    #[doc(hidden)]
    type Parts: Apart<(), D>;
}

/// A component, by shared reference.
#[derive(Debug)]
pub struct ToRead<C>(Brand<C>);

/// A component, by exclusive reference.
#[derive(Debug)]
pub struct ToWrite<C>(Brand<C>);

/// `Self` and `C` are two components of `D`.
pub trait OtherThan<C, D: Declaration> {}

#[diagnostic::do_not_recommend]
impl<B, C, D> OtherThan<C, D> for B
where
    D: HasComponent<B> + HasComponent<C>,
    <D as HasComponent<B>>::Number: OtherNumber<<D as HasComponent<C>>::Number>,
{
}

/// No component is in two of these parts, unless both only read it.
pub trait AllApart<D: Declaration> {}

/// No component is both in `Self` and in `T`, unless both only read it.
pub trait Apart<T, D: Declaration> {}

/// `C`, which is read, is not among those to write.
#[diagnostic::on_unimplemented(
    message = "[ECS0072] the query asks for `{C}` twice, once to write",
    label = "hands out `{C}` twice",
    note = "ask for it once, with `&mut {C}`",
    note = "in a function for any world `{D}`, say of the whole tuple that it is `HandsOutOnce<{D}>`"
)]
pub trait ApartFromRead<C, D: Declaration> {}

/// `C`, which is written, is neither among those to read nor among those to write.
#[diagnostic::on_unimplemented(
    message = "[ECS0072] the query asks for `{C}` twice, once to write",
    label = "hands out `{C}` twice",
    note = "ask for it once, with `&mut {C}`",
    note = "in a function for any world `{D}`, say of the whole tuple that it is `HandsOutOnce<{D}>`"
)]
pub trait ApartFromWrite<C, D: Declaration> {}

impl<D: Declaration> AllApart<D> for () {}
impl<P: Apart<Q, D>, Q: AllApart<D>, D: Declaration> AllApart<D> for (P, Q) {}

impl<C, T: ApartFromRead<C, D>, D: Declaration> Apart<T, D> for ToRead<C> {}
impl<C, T: ApartFromWrite<C, D>, D: Declaration> Apart<T, D> for ToWrite<C> {}
impl<B, C, D: Declaration> ApartFromRead<C, D> for ToRead<B> {}
#[diagnostic::do_not_recommend]
impl<B: OtherThan<C, D>, C, D: Declaration> ApartFromRead<C, D> for ToWrite<B> {}
#[diagnostic::do_not_recommend]
impl<B: OtherThan<C, D>, C, D: Declaration> ApartFromWrite<C, D> for ToRead<B> {}
#[diagnostic::do_not_recommend]
impl<B: OtherThan<C, D>, C, D: Declaration> ApartFromWrite<C, D> for ToWrite<B> {}

impl<T, D: Declaration> Apart<T, D> for () {}
impl<C, D: Declaration> ApartFromRead<C, D> for () {}
impl<C, D: Declaration> ApartFromWrite<C, D> for () {}

/// Terms that hand out one component, or none.
macro_rules! terms {
    ($([$($C:ident)?] $term:ty: $parts:ty;)*) => {$(
        impl<$($C,)? D: Declaration> HandsOutOnce<D> for $term {
            type Parts = $parts;
        }
    )*};
}

terms! {
    [C] &C: ToRead<C>;
    [C] &mut C: ToWrite<C>;
    [C] Option<&C>: ToRead<C>;
    [C] Option<&mut C>: ToWrite<C>;
    [C] Mut<'_, C>: ToWrite<C>;
    [C] Option<Mut<'_, C>>: ToWrite<C>;
    [] Entity: ();
    [] Place: ();
}

impl<P: Apart<T, D>, Q: Apart<T, D>, T, D: Declaration> Apart<T, D> for (P, Q) {}
impl<P: ApartFromRead<C, D>, Q: ApartFromRead<C, D>, C, D: Declaration> ApartFromRead<C, D>
    for (P, Q)
{
}
impl<P: ApartFromWrite<C, D>, Q: ApartFromWrite<C, D>, C, D: Declaration> ApartFromWrite<C, D>
    for (P, Q)
{
}

/// The parts of several terms.
macro_rules! parts {
    () => { () };
    ($first:ident $($rest:ident)*) => { ($first::Parts, parts!($($rest)*)) };
}

macro_rules! tuples {
    ($($term:ident),+) => {
        impl<D: Declaration, $($term: HandsOutOnce<D>),+> HandsOutOnce<D> for ($($term,)+)
        where
            parts!($($term)+): AllApart<D>,
        {
            type Parts = parts!($($term)+);
        }
    };
}

for_tuples! { tuples: A, B, C, E, F, G, H, I, J, K, L, M }
