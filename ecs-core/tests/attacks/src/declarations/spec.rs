//! A random signature as masks, and the library's signature of it.

use std::collections::HashSet;
use std::sync::LazyLock;

use arbitrary::Unstructured;
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Data, Stream, System, world};

use crate::random::{below, byte, chance};

/// The number of components.
pub(super) const COMPONENT_COUNT: usize = 5;
/// The number of resources.
const RESOURCE_COUNT: usize = 2;

struct Value;

pub(super) const COMPONENTS: &[ComponentSignature] = &[
    ComponentSignature::new::<Value>("C0", 0),
    ComponentSignature::new::<Value>("C1", 1),
    ComponentSignature::new::<Value>("C2", 1),
    ComponentSignature::empty::<Value>("C3", 2),
    ComponentSignature::new::<Value>("C4", 3),
];

pub(super) const RESOURCES: &[ResourceSignature] =
    &[ResourceSignature::new::<u32>("R0"), ResourceSignature::new::<u64>("R1")];

const NAMES: [&str; 8] = ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "S7"];

/// A set of small numbers, as bits.
pub(super) type Mask = u8;

/// The forms of a system: its splitting and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// One subtask, no output.
    Single,
    /// Several subtasks, no output.
    Split,
    /// Several subtasks, an output that concatenates.
    List,
    /// Several subtasks, an output that does not concatenate.
    Whole,
    /// One subtask, an output without an order.
    Hashed,
    /// Several subtasks that send a stream.
    Sender,
}

const FORMS: [Form; 6] =
    [Form::Single, Form::Split, Form::List, Form::Whole, Form::Hashed, Form::Sender];

/// A signature.
#[expect(clippy::struct_excessive_bools, reason = "as in a signature")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    pub(super) form: Form,
    pub(super) read: Mask,
    pub(super) write: Mask,
    pub(super) read_optional: Mask,
    pub(super) write_optional: Mask,
    pub(super) read_any: Mask,
    pub(super) with: Mask,
    pub(super) without: Mask,
    pub(super) update: Mask,
    pub(super) insert: Mask,
    pub(super) remove: Mask,
    pub(super) after: Mask,
    pub(super) inputs: Mask,
    pub(super) sees: Mask,
    pub(super) queries: Mask,
    pub(super) streams: Mask,
    pub(super) read_resources: Mask,
    pub(super) write_resources: Mask,
    pub(super) add: Mask,
    pub(super) changed: Mask,
    pub(super) added: Mask,
    pub(super) run_if: Mask,
    pub(super) exclusive: bool,
    pub(super) sequential: bool,
    pub(super) query: bool,
    pub(super) indexed: bool,
    pub(super) opt_in: bool,
    pub(super) unordered: bool,
    pub(super) slice_dependent: bool,
    pub(super) despawn: bool,
    pub(super) spawn: bool,
    pub(super) defer: bool,
}

/// Whether the number is in the set.
pub(super) fn has(mask: Mask, number: usize) -> bool {
    mask >> number & 1 == 1
}

/// The numbers in the set.
pub(super) fn members(mask: Mask) -> impl Iterator<Item = usize> + Clone {
    (0..8).filter(move |&number| has(mask, number))
}

/// Sets a flag of a signature.
type Flag = fn(SystemSignature) -> SystemSignature;

/// A mask, usually of few numbers or none.
fn few(u: &mut Unstructured<'_>) -> Mask {
    match byte(u) {
        0..144 => 0,
        any @ 144..224 => 1 << (any % 8),
        _ => byte(u),
    }
}

impl Spec {
    pub(super) fn read(u: &mut Unstructured<'_>) -> Self {
        let form = FORMS[[0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5][below(u, 11)]];
        Self {
            form,
            read: few(u),
            write: few(u),
            read_optional: few(u),
            write_optional: few(u),
            read_any: few(u),
            with: few(u),
            without: few(u),
            update: few(u),
            insert: few(u),
            remove: few(u),
            after: byte(u),
            inputs: few(u),
            queries: byte(u) & byte(u),
            streams: few(u),
            read_resources: few(u),
            write_resources: few(u),
            add: few(u),
            changed: few(u) & few(u),
            added: few(u) & few(u),
            sees: few(u),
            exclusive: chance(u, 30),
            sequential: chance(u, 30),
            query: chance(u, 50),
            indexed: chance(u, 128),
            opt_in: chance(u, 20),
            unordered: chance(u, 40),
            slice_dependent: chance(u, 30),
            despawn: chance(u, 50),
            spawn: chance(u, 50),
            defer: chance(u, 15),
            run_if: few(u),
        }
    }

    /// Removes most of what would be rejected immediately; otherwise hardly any declaration would be accepted.
    /// Some signatures, chosen by their first list, are not changed.
    pub(super) fn tame(&mut self, index: usize, count: usize, queries: Mask) {
        if self.read & 0xE0 == 0xE0 {
            return;
        }
        let components = (1 << COMPONENT_COUNT) - 1;
        for mask in [
            &mut self.read,
            &mut self.write,
            &mut self.read_optional,
            &mut self.write_optional,
            &mut self.read_any,
            &mut self.with,
            &mut self.without,
            &mut self.update,
            &mut self.insert,
            &mut self.remove,
            &mut self.changed,
            &mut self.added,
        ] {
            *mask &= components;
        }
        self.read_resources &= (1 << RESOURCE_COUNT) - 1;
        self.write_resources &= (1 << RESOURCE_COUNT) - 1;
        self.add &= (1 << RESOURCE_COUNT) - 1;
        self.run_if &= (1 << RESOURCE_COUNT) - 1;
        // A system runs after a random set of earlier systems.
        let earlier = (1 << index) - 1;
        self.after &= earlier;
        self.inputs &= earlier;
        self.sees &= earlier;
        self.queries &= queries;
        self.streams &= ((1_u16 << count) - 1) as Mask;
        if self.query {
            (self.write, self.write_optional, self.update, self.insert) = (0, 0, 0, 0);
            (self.read_any, self.remove, self.queries, self.streams) = (0, 0, 0, 0);
            (self.despawn, self.spawn, self.defer) = (false, false, false);
            (self.sequential, self.exclusive, self.form) = (false, false, Form::Single);
            (self.read_resources, self.write_resources, self.add) = (0, 0, 0);
            (self.changed, self.added) = (0, 0);
        }
        if self.write_resources != 0 || self.exclusive || self.sequential || self.streams != 0 {
            self.form = Form::Single;
        }
        if self.sequential {
            (self.defer, self.update, self.streams) = (false, 0, 0);
            (self.changed, self.added) = (0, 0);
        }
        // Some ask about what they do not access.
        if self.changed & self.added == 0 {
            self.changed &= self.read | self.write | self.update;
            self.added &= self.read | self.write | self.update;
        }
        let free = !(self.write | self.read);
        self.write_optional &= free;
        self.read_optional &= free & !self.write_optional;
        self.read &= !self.write;
        self.read_any &= !(self.write | self.write_optional);
        self.read_resources &= !self.write_resources;
        self.add &= !(self.write_resources | self.read_resources);
        self.unordered = self.form == Form::Hashed;
        self.slice_dependent |= self.form == Form::Whole;
    }

    /// The library's signature.
    pub(super) fn signature(&self, index: usize) -> SystemSignature {
        let name = NAMES[index];
        let mut signature = match self.form {
            Form::Single => SystemSignature::new::<Blank, Single>(name),
            Form::Split => SystemSignature::new::<Blank, Split>(name),
            Form::List => SystemSignature::new::<Blank, List>(name),
            Form::Whole => SystemSignature::new::<Blank, Whole>(name),
            Form::Hashed => SystemSignature::new::<Blank, Hashed>(name),
            Form::Sender => SystemSignature::new::<Blank, Sender>(name),
        };
        signature = signature
            .read(numbers(self.read))
            .write(numbers(self.write))
            .read_optional(numbers(self.read_optional))
            .write_optional(numbers(self.write_optional))
            .read_any(numbers(self.read_any))
            .with(numbers(self.with))
            .without(numbers(self.without))
            .update(numbers(self.update))
            .insert(numbers(self.insert))
            .remove(numbers(self.remove))
            .after(numbers(self.after))
            .inputs(numbers(self.inputs))
            .queries(numbers(self.queries))
            .streams(numbers(self.streams))
            .read_resources(numbers(self.read_resources))
            .write_resources(numbers(self.write_resources))
            .add(numbers(self.add))
            .changed(numbers(self.changed))
            .added(numbers(self.added))
            .sees(numbers(self.sees))
            .run_if(numbers(self.run_if));
        let flags: [(bool, Flag); 10] = [
            (self.exclusive, SystemSignature::exclusive),
            (self.sequential, SystemSignature::sequential),
            (self.query, SystemSignature::query),
            (self.indexed, SystemSignature::indexed),
            (self.opt_in, SystemSignature::opt_in),
            (self.unordered, SystemSignature::unordered),
            (self.slice_dependent, SystemSignature::slice_dependent),
            (self.despawn, SystemSignature::despawn),
            (self.spawn, |signature| signature.spawn(&[None])),
            (self.defer, SystemSignature::defer),
        ];
        flags.into_iter().filter(|(set, _)| *set).fold(signature, |signature, (_, f)| f(signature))
    }
}

/// The numbers in the set, as the slices of tables.
fn numbers(mask: Mask) -> &'static [usize] {
    static ALL: LazyLock<Vec<Vec<usize>>> =
        LazyLock::new(|| (0..=Mask::MAX).map(|mask| members(mask).collect()).collect());
    &ALL[usize::from(mask)]
}

world! {
    /// Systems of each form, whose signatures are copied and completed.
    world Blank {}
    system Single {}
    system Split { parallelism: split_every(2) }
    system List { parallelism: split_every(2), output: Vec<u8> }
    system Whole { parallelism: split_every(2), output: u8, slice_dependent }
    system Hashed { output: HashSet<u8>, unordered }
    system Sender { parallelism: split_every(2), output: Stream<u8> }
    system Taker { streams: [Sender] }
}

macro_rules! idle {
    ($($name:ident)*) => {$(
        #[derive(Default)]
        struct $name;

        impl System<Blank> for $name {
            fn process(&self, _: &mut Data<'_, Blank, Self>) {}
        }
    )*};
}

idle! { Single Split List Whole Hashed Sender Taker }
