//! The tree: a declaration and its items, as they are written.

use proc_macro2::{Span, TokenStream};
use syn::parse::{ParseStream, Result};
use syn::{Attribute, Expr, Ident, LitInt, LitStr, Member, Path, Type, Visibility};

use crate::macro_kind::MacroKind;
use crate::syntax::reading::lints::Lint;
use crate::syntax::reading::list::NameList;
use crate::syntax::reading::named::{Named, SetModule};
use crate::syntax::reading::tokens::Tokens;
use crate::syntax::systems::parallelism::Strategy;
use crate::syntax::worlds::settings::Settings;
use ecs_rules::Flag;

/// A parsed declaration.
pub(crate) struct Tree {
    /// The path of `ecs-core` at the call site: opaque tokens to copy.
    pub(crate) library: Tokens,
    pub(crate) called: MacroKind,
    pub(crate) world: Option<World>,
    pub(crate) set: Option<Set>,
    pub(crate) includes: Vec<Include>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) bundles: Vec<Bundle>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) states: Vec<State>,
    pub(crate) systems: Vec<System>,
    pub(crate) orders: Vec<Order>,
    /// The stages, in order.
    pub(crate) stages: Vec<Stage>,
    /// Names that could not be read. References to them are not reported.
    pub(crate) lost: Vec<String>,
    /// Whether a header could not be read.
    pub(crate) header_is_lost: bool,
    /// Whether an `order` or `stages` could not be read, so that systems may be ordered by it.
    pub(crate) order_is_lost: bool,
    /// The sets that the declaration includes, each once. A set comes after the sets that it includes.
    pub(crate) sets: Vec<Composed>,
    /// The lints that are allowed everywhere.
    pub(crate) allowed: Vec<Lint>,
    /// The tokens of all items.
    pub(crate) tokens: TokenStream,
}

impl Tree {
    pub(crate) fn new(library: Tokens, called: MacroKind) -> Self {
        Self {
            library,
            called,
            world: None,
            set: None,
            includes: Vec::new(),
            buffers: Vec::new(),
            bundles: Vec::new(),
            resources: Vec::new(),
            states: Vec::new(),
            systems: Vec::new(),
            orders: Vec::new(),
            stages: Vec::new(),
            lost: Vec::new(),
            header_is_lost: false,
            order_is_lost: false,
            sets: Vec::new(),
            allowed: Vec::new(),
            tokens: TokenStream::new(),
        }
    }

    /// Appends the items of another tree, and takes its headers.
    pub(crate) fn append(&mut self, other: Self) {
        self.world = self.world.take().or(other.world);
        self.set = self.set.take().or(other.set);
        self.includes.extend(other.includes);
        self.buffers.extend(other.buffers);
        self.bundles.extend(other.bundles);
        self.resources.extend(other.resources);
        self.states.extend(other.states);
        self.systems.extend(other.systems);
        self.orders.extend(other.orders);
        self.stages.extend(other.stages);
        self.lost.extend(other.lost);
        self.order_is_lost |= other.order_is_lost;
        self.allowed.extend(other.allowed);
        self.tokens.extend(other.tokens);
    }

    /// Whether the header is accepted: `world` in `world!`, and `set` in `set!`, once.
    pub(crate) fn accepts(&self, header: &str) -> bool {
        match self.called {
            MacroKind::World => header == "world",
            MacroKind::Set => header == "set" && self.set.is_none(),
        }
    }
}

/// The world itself.
pub(crate) struct World {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) settings: Settings,
}

/// Components that are stored together. A single component has a column of its own.
pub(crate) struct Buffer {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) components: Vec<Named>,
    pub(crate) storage: Storage,
    /// The span of the strategy.
    pub(crate) at: Span,
    /// Whether they are accessible by name.
    pub(crate) by_name: bool,
    /// The field that counts down, if they expire.
    pub(crate) expires: Option<Member>,
    /// Whether a part of the item could not be read. What it may lack is not reported.
    pub(crate) incomplete: bool,
}

/// Components with a name, to spawn entities with.
pub(crate) struct Bundle {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Named,
    pub(crate) components: Vec<Path>,
    /// The value of each component, if it is a template.
    pub(crate) values: Option<Vec<Expr>>,
    /// The children of a template.
    pub(crate) children: Vec<Children>,
}

/// Children of a template, in one relation.
pub(crate) struct Children {
    pub(crate) relation: Path,
    pub(crate) templates: Vec<Path>,
}

impl Bundle {
    /// What it is called.
    pub(crate) fn noun(&self) -> &'static str {
        if self.values.is_some() { "template" } else { "bundle" }
    }
}

/// A storage strategy.
#[derive(Clone)]
pub(crate) enum Storage {
    ContiguousBuffer,
    Empty,
    HashMap,
    SparseSet,
    /// A user-defined type.
    Custom(Box<Type>),
}

/// One value of a type, owned by the world.
pub(crate) struct Resource {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Named,
    pub(crate) initial: Initial,
    /// Whether it is left out of clones, snapshots and hashes.
    pub(crate) transient: bool,
    /// The operation by which systems add to it, if it is commutative: the marker type, at the word's span.
    pub(crate) operation: Option<Ident>,
    /// If it is the queue of an event: how that is kept.
    pub(crate) event: Option<Event>,
    /// If it is the links of a relation: of which one.
    pub(crate) relation: Option<Relation>,
    /// The set that declares it, and its number there, if it is part of a set.
    pub(crate) from: Option<(SetModule, usize)>,
}

/// How the events of a type are kept.
#[derive(Clone, Default)]
pub(crate) struct Event {
    /// For how many steps after its own an event is kept, if that is said.
    pub(crate) keep: Option<LitInt>,
    /// At the word, if what systems emit is read in the next step.
    pub(crate) delayed: Option<Span>,
    /// Whether each is for one entity.
    pub(crate) addressed: bool,
    /// What events are found by.
    pub(crate) index: Option<Form>,
}

/// What is said of a relation.
#[derive(Clone)]
pub(crate) struct Relation {
    /// The variant of `OnDespawn`, at the word that says what becomes of children, or of sources.
    pub(crate) on_despawn: Ident,
    /// Whether it is of many to many, and its links have values.
    pub(crate) many_to_many: bool,
}

impl Resource {
    /// A resource of which only the name is known.
    pub(crate) fn new(attributes: &[Attribute], name: Named) -> Self {
        Self {
            attributes: attributes.to_vec(),
            name,
            initial: Initial::Default,
            transient: false,
            operation: None,
            event: None,
            relation: None,
            from: None,
        }
    }
}

/// An enum whose variants decide which systems run.
pub(crate) struct State {
    /// The enum, if there is one elsewhere. It has these variants.
    pub(crate) path: Option<Path>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) variants: Vec<Variant>,
}

/// A variant of a state.
pub(crate) struct Variant {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) name: Ident,
}

/// A name of a state, or of a variant, in a key of a system.
pub(crate) struct StateUse {
    pub(crate) key: &'static str,
    pub(crate) path: Path,
}

/// The initial value of a resource, or of a system's state.
pub(crate) enum Initial {
    /// The type's `Default`.
    Default,
    /// An expression in the declaration.
    Value(Box<Expr>),
    /// An expression that cannot be read.
    Unreadable,
}

impl Initial {
    /// Reads an expression and replaces the current value.
    pub(crate) fn parse(&mut self, input: ParseStream<'_>) -> Result<()> {
        *self = Self::Unreadable;
        *self = Self::Value(Box::new(input.parse()?));
        Ok(())
    }
}

/// One system.
pub(crate) struct System {
    pub(crate) attributes: Vec<Attribute>,
    /// The lints that are allowed for it.
    pub(crate) allowed: Vec<Lint>,
    /// The type that names the system. The system's name is its last segment.
    pub(crate) name: Named,
    /// The user's type, if the name is that of another type.
    pub(crate) body: Option<Type>,
    /// The code, if the declaration has it. Only the first one counts.
    pub(crate) code: Vec<Code>,
    /// The component that it counts down. This is its code.
    pub(crate) expire: Option<Path>,
    /// Whether it runs, if it says so.
    pub(crate) condition: Option<Condition>,
    /// The states and variants that it names, in the order of the source.
    pub(crate) states: Vec<StateUse>,
    /// Those of the keys `in`, `on_enter` and `on_exit` that it has, and the span of each.
    pub(crate) timing: Vec<(&'static str, Span)>,
    /// In one of how many executions it runs, if it says so, and the span of the key.
    pub(crate) every: Option<(u32, Span)>,
    pub(crate) lists: Vec<NameList>,
    pub(crate) flags: Vec<(Flag, Span)>,
    pub(crate) parallelism: Option<(Strategy, Span)>,
    pub(crate) output: Option<Type>,
    pub(crate) spawn: Vec<Type>,
    pub(crate) state: Initial,
    pub(crate) stage: Option<Path>,
    /// Whether a part of it could not be read. What it may lack is not reported.
    pub(crate) incomplete: bool,
    /// Queries, and the components that the system reads of their members, where it names them.
    pub(crate) through: Vec<(Path, Vec<Path>)>,
    /// The parts that only a query has, if it is one.
    pub(crate) query: Option<Query>,
    /// The set that declares it, and its number there, if it is part of a set.
    pub(crate) from: Option<(SetModule, usize)>,
}

impl System {
    /// A system without any keys.
    pub(crate) fn new(attributes: Vec<Attribute>, name: Named) -> Self {
        Self {
            attributes,
            allowed: Vec::new(),
            name,
            body: None,
            code: Vec::new(),
            expire: None,
            condition: None,
            states: Vec::new(),
            timing: Vec::new(),
            every: None,
            lists: Vec::new(),
            flags: Vec::new(),
            parallelism: None,
            output: None,
            spawn: Vec::new(),
            state: Initial::Default,
            stage: None,
            incomplete: false,
            through: Vec::new(),
            query: None,
            from: None,
        }
    }

    /// Whether the declaration names the system by a unit struct of its own.
    pub(crate) fn is_named_here(&self) -> bool {
        self.body.is_some() || !self.code.is_empty()
    }

    /// The span of the flag, if it is set.
    pub(crate) fn flag(&self, flag: Flag) -> Option<Span> {
        self.flags.iter().find(|(set, _)| *set == flag).map(|(_, span)| *span)
    }
}

/// The condition of a system: a closure, or the path of a function.
pub(crate) struct Condition {
    /// The span of the key.
    pub(crate) at: Span,
    /// `None` if it cannot be read.
    pub(crate) function: Option<Box<Expr>>,
}

/// The code of a system: a closure, or the path of a function.
pub(crate) struct Code {
    pub(crate) call: Call,
    /// The span of the key.
    pub(crate) at: Span,
    /// `None` if it cannot be read, or if the library has it.
    pub(crate) function: Option<Box<Expr>>,
}

impl Code {
    /// Whether the code, if it is a closure, has as many parameters as it is called with arguments.
    pub(crate) fn has_fitting_parameters(&self) -> bool {
        self.parameters().is_none_or(|count| match self.call {
            Call::Each => (1..=3).contains(&count),
            Call::Run | Call::Expire => count == 1,
        })
    }

    /// The number of parameters, if the code is a closure.
    pub(crate) fn parameters(&self) -> Option<usize> {
        Some(self.closure()?.inputs.len())
    }
}

/// What the code of a system is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// `each`: each entity of a subtask.
    Each,
    /// `run`: the data of a subtask.
    Run,
    /// `expire`: nothing of the user's is called.
    Expire,
}

impl Call {
    /// The key of the declaration.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Each => "each",
            Self::Run => "run",
            Self::Expire => "expire",
        }
    }
}

/// The parts of a query that other systems do not have.
pub(crate) struct Query {
    pub(crate) index: Option<Index>,
}

/// The index of a query.
pub(crate) enum Index {
    /// A type of the user's.
    Custom(Box<Type>),
    /// `by_key(Component)`, or `by_cell(Component, size)`.
    Form(Box<Form>),
}

/// An index of the library's.
#[derive(Clone)]
pub(crate) struct Form {
    /// The span of `by_key` or `by_cell`.
    pub(crate) at: Span,
    pub(crate) component: Path,
    /// What makes the key or the point of the component, and its type.
    pub(crate) function: Option<(Expr, Type)>,
    /// The size of a cell, if members are found by cell.
    pub(crate) size: Option<Expr>,
    /// The least and the greatest point, if the cells have bounds.
    pub(crate) within: Option<(Expr, Expr)>,
}

/// Two systems, of which the earlier one runs before the later one.
pub(crate) struct Order {
    pub(crate) earlier: Path,
    pub(crate) later: Path,
    /// The lints that are allowed for it.
    pub(crate) allowed: Vec<Lint>,
}

/// A stage that a declaration names.
pub(crate) struct Stage {
    pub(crate) path: Path,
    /// The previous stage.
    pub(crate) previous: Option<Path>,
}

/// The header of a set.
pub(crate) struct Set {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
}

/// An `include`.
pub(crate) struct Include {
    pub(crate) path: Path,
    /// The blocks from its set's macro, after it is called.
    pub(crate) blocks: Option<TokenStream>,
}

/// A set as its macro passes it on.
pub(crate) struct Block {
    /// Unique to the set.
    pub(crate) identity: LitStr,
    /// The crate that declares it.
    pub(crate) krate: LitStr,
    pub(crate) faulty: bool,
    /// The path from the including set's module to the module of this set.
    pub(crate) way: Vec<Ident>,
    pub(crate) name: Ident,
    pub(crate) items: TokenStream,
}

/// A set that is part of a declaration.
pub(crate) struct Composed {
    pub(crate) block: Block,
    pub(crate) place: SetModule,
    /// The index of the `include` that it comes from.
    pub(crate) include: usize,
    /// The span of the name in that `include`.
    pub(crate) at: Span,
}
