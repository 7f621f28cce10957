//! The public traits, and which of them users can implement: compared with the sources.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{ItemTrait, Visibility};

use crate::variance::source;

/// The possible implementors of a trait.
#[derive(Clone, Copy, Debug)]
enum Standing {
    /// Users; how their implementations lie, and the module that tests it.
    Open(&'static str),
    /// Only the library, or `unsafe` code; and why.
    Sealed(&'static str),
    /// No further type: it is implemented for every type for which it can be.
    Blanket,
    /// Users; nothing relies on its contents: the access that it grants is validated by the tables at compile time.
    Marker,
}

use Standing::{Blanket, Marker, Open, Sealed};

const TRAITS: &[(&str, Standing)] = &[
    ("NoState", Blanket),
    ("Accumulate", Open("`tests/accumulate/trouble`: a merge that panics")),
    ("AccumulatedBy", Blanket),
    ("Accumulates", Marker),
    ("AddedBy", Blanket),
    ("Adds", Marker),
    ("AsksAdded", Marker),
    ("AsksChanged", Marker),
    ("AsksRemoved", Marker),
    ("Atomics", Open("`executors`: counters and slots that lie")),
    ("Bundle", Open("`bundles`")),
    ("AllApart", Sealed("it is in a private module")),
    ("Apart", Sealed("it is in a private module")),
    ("ApartFromRead", Sealed("it is in a private module")),
    ("ApartFromWrite", Sealed("it is in a private module")),
    ("CloneComponent", Open("`snapshots`: a clone of another component")),
    ("CloneLines", Open("only read by tables, see `CloneTable`")),
    ("CloneOutput", Blanket),
    ("CloneResource", Open("`snapshots`: a clone of another resource")),
    ("CloneSystem", Open("`tables`: a clone that makes nothing, and copies nothing")),
    ("CloneTable", Open("`tables`: tables that leave parts out, name them twice, or name others")),
    ("Cloneable", Blanket),
    ("Codec", Sealed("its methods take types of a private module")),
    ("Family", Open("it names what to spawn to a trait of the library, or spawns nothing")),
    ("FamilyBy", Open("as `Family`; the library's own checks each right again")),
    ("HasNoDefault", Open("it gives a type another form, for which its values are asked, too")),
    ("IsNotPlain", Open("as `HasNoDefault`")),
    ("IsNotCopy", Open("what is said to be `Copy` is copied less, and nothing else")),
    ("MapEntities", Open("`tests/prefab`: any handles, of any entities, and panics")),
    ("NoPart", Open("it gives parts that only the library makes")),
    (
        "EventIsNotCopy",
        Open("it gives an event the form of `OfMessage` or `OfIndex`: only these make forms"),
    ),
    ("SaveInPlace", Sealed("its methods take types of a private module")),
    ("SaveLines", Open("only read by tables, see `SaveTable`")),
    ("SaveTable", Open("`tables`: tables that leave parts out, name them twice, or name others")),
    ("Saveable", Blanket),
    ("Combine", Open("`tests/adds/trouble`: it panics, and so do destructors of its values")),
    ("Combines", Open("only safe code: it is given both values")),
    ("Component", Blanket),
    ("Components", Open("only safe methods of proxies are called")),
    ("Code", Open("only a body calls it, which may do whatever its data allows")),
    ("CodegenUnit", Open("a method with a safe signature, which can only leave entities out")),
    ("ComponentAt", Open("only read by messages")),
    ("Coordinates", Open("`indices`: any point has a cell, `NaN` and infinity among them")),
    ("Copies", Open("only safe code: it chooses among the copies of one member")),
    ("CopyComponent", Blanket),
    ("CopyOf", Open("only safe code: its terms are asked for as any")),
    ("CopyTerms", Open("only safe code: it is given a member and makes an item of it")),
    ("Countdown", Open("`tests/expires/cases`: it panics in the body of a system")),
    ("Counter", Open("`executors`: counters that lie")),
    (
        "Declaration",
        Open(
            "`restart`: inconsistent dispatch; `core_ecs`' neighbours in `tests/world/hostile`: tables that lie",
        ),
    ),
    ("Defers", Marker),
    ("Emits", Marker),
    ("EmittedBy", Blanket),
    ("EffectTarget", Sealed("its supertrait is in a private module")),
    ("EntityLimit", Open("`settings`")),
    ("EventForm", Sealed("a required method takes a private type")),
    ("EverySystem", Open("`overrides`: a tree with systems left out and named twice")),
    ("Expires", Open("only safe code: it is given the component")),
    ("Exclusive", Marker),
    ("FollowsParents", Marker),
    ("Form", Open("only a name for the type of a key")),
    ("FromKeys", Sealed("it is in a private module")),
    ("ForkJoin", Open("`executors`: pieces that are left out, run elsewhere, or after a panic")),
    ("ForInstance", Open("`overrides`")),
    ("ForSubtasks", Open("`overrides`")),
    (
        "Handlers",
        Sealed(
            "no `Events` can be made of an impl, as the field is private: see the refusals of `variance`",
        ),
    ),
    (
        "HandsOutOnce",
        Open(
            "`ui/compiler/hand_written_once`: all tuples have an impl, and a constant says the same",
        ),
    ),
    ("HasComponent", Open("`tests/world/hostile`: indices and strategies of others")),
    ("HasCells", Sealed("its supertrait `HasIndex` is")),
    ("HasCopies", Open("only a name for a type")),
    ("HasEvent", Blanket),
    ("HasEventIndex", Open("`tests/events/indexed`: an index that the events lack")),
    ("HasIndex", Sealed("a required method takes a private type")),
    ("HasManyToMany", Blanket),
    ("HasRelation", Blanket),
    ("Hashed", Blanket),
    ("HasResource", Open("`tests/world/hostile`: an index of two types")),
    ("HashComponent", Open("`snapshots`: a hash of another component")),
    ("HashLines", Open("only read by tables, see `HashTable`")),
    ("HashResource", Open("`snapshots`: nothing is put in")),
    ("HashSystem", Open("`snapshots`: nothing is put in")),
    ("HashTable", Open("`tables`: tables that leave parts out")),
    ("Hashable", Blanket),
    ("Implies", Blanket),
    ("IncludedIn", Open("only a name for the set")),
    ("InitialResource", Blanket),
    ("InitialState", Blanket),
    ("Index", Open("`indices`")),
    ("InnerParallelism", Open("`settings`")),
    ("Inputs", Marker),
    ("InsertedBy", Blanket),
    ("InsertedComponents", Open("as `Components`")),
    ("Integer", Sealed("its supertrait is in a private module")),
    ("Inserts", Marker),
    ("IsType", Blanket),
    ("Despawns", Marker),
    ("Draws", Marker),
    ("Key", Sealed("its table is of a private module")),
    ("KeyOfEvents", Blanket),
    ("KeysOf", Sealed("a required method takes a private type")),
    ("Links", Marker),
    ("Locate", Sealed("a private supertrait")),
    ("MemberFor", Marker),
    ("NotDebug", Open("only text: a constant that generated code asks for")),
    ("NoFieldBytes", Open("only a constant that derived code asks for")),
    ("OtherNumber", Sealed("it is in a private module")),
    ("OtherThan", Sealed("it is in a private module")),
    ("Ordered", Sealed("it is in a private module")),
    ("Output", Open("`outputs`")),
    ("Overrides", Sealed("a required method takes a type of a private module")),
    ("Predicate", Open("`overrides`: it matches one system only, or all but one")),
    ("Point", Sealed("a required method takes a private type")),
    ("Queries", Open("its type is a name: the table decides what is read of members")),
    ("QueryFor", Marker),
    ("QueryTerms", Sealed("`unsafe`")),
    ("Queue", Open("a signature with it asserts the type of the queue")),
    ("Ranked", Sealed("its supertrait `Key` is")),
    ("ReadAsEventBy", Blanket),
    ("ReceivedBy", Blanket),
    ("Reads", Marker),
    ("ReadsAny", Marker),
    ("ReadsEvents", Marker),
    ("ReadsLinks", Marker),
    ("ReadsOptional", Marker),
    ("ReadsResource", Marker),
    ("Resolve", Sealed("its supertrait is in a private module")),
    ("Receives", Marker),
    ("RemovedComponents", Open("as `Components`")),
    ("Removes", Marker),
    ("RunTerms", Sealed("`unsafe`")),
    ("Scheduler", Open("`scheduler`")),
    ("Sequence", Open("`outputs`: items that are not those of the output, and iterators that lie")),
    ("IsSequential", Marker),
    ("SentBy", Blanket),
    ("SetComponent", Open("only a name for a number, which messages rest on and nothing else")),
    ("SetIndex", Open("as `SetResource`")),
    (
        "SetResource",
        Open(
            "only read by what `set!` makes: a world that includes a set is validated as any other",
        ),
    ),
    (
        "SetCondition",
        Open(
            "only read by what `set!` makes: a condition, which is made of a function in any case",
        ),
    ),
    (
        "SetSystem",
        Open(
            "only read by what `set!` makes: a world that includes a set is validated as any other",
        ),
    ),
    ("Settings", Open("`settings`")),
    ("Shows", Marker),
    ("ShowsOptional", Marker),
    ("SliceDependent", Marker),
    ("Slot", Open("`executors`: slots that lie")),
    ("SpawnedBy", Open("`bundles`: positions that lie")),
    ("Spawns", Marker),
    ("Starts", Open("`settings`: starts that lie")),
    (
        "StateHash",
        Open(
            "`snapshots`: a hash that panics, and one that differs each time; `hash_bytes`: other bytes",
        ),
    ),
    ("StorageStrategy", Open("`storage`")),
    ("Stageable", Open("the library calls it for tuples only")),
    ("Stages", Sealed("a constant of a private type")),
    ("TemplateBundle", Open("it gives a template values by `insert` only")),
    ("Stored", Sealed("`unsafe`")),
    ("Strategy", Open("`settings`")),
    ("Streaming", Sealed("a private supertrait, or a method that gives a `Stream`")),
    ("System", Open("`overrides`: bodies that run nothing, or twice")),
    (
        "SystemName",
        Open(
            "`restart`: an initial state that differs, or panics; `tests/world/hostile`: indices of others",
        ),
    ),
    ("SystemVisitor", Open("`restart`: visitors that are asked for systems that there are not")),
    ("Table", Sealed("it is in a private module")),
    ("TakesEntries", Open("`indices`: a key is any key")),
    ("Targets", Sealed("a required method takes a type of a private module")),
    ("ThreadSafe", Blanket),
    ("UpdatedBy", Blanket),
    ("Updates", Marker),
    ("Writes", Marker),
    ("WritesMembers", Marker),
    ("WritesOptional", Marker),
    ("WritesResource", Marker),
    ("WrittenResources", Sealed("`unsafe`")),
    ("TextForm", Blanket),
    ("Test", Open("`tests/conditions/by_hand`: other resources than it reads, and none")),
    ("TestOf", Blanket),
    ("HasState", Open("`tests/states/trouble`: other enums, and values that are no variants")),
    ("SetsState", Marker),
    ("StateOf", Blanket),
    ("States", Open("`tests/states/trouble`: positions that no variant has")),
];

/// What the sources tell of a public trait.
#[derive(Default)]
struct Found {
    traits: BTreeMap<String, ItemTrait>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        if matches!(item.vis, Visibility::Public(_)) {
            self.traits.insert(item.ident.to_string(), item.clone());
        }
        visit::visit_item_trait(self, item);
    }

    /// Those of `snapshot::bounds` are written by a macro.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let text = called.tokens.to_string();
        if called.path.is_ident("hashed") {
            let names = text.split("# [").filter_map(|part| part.rsplit(']').next());
            for name in names.filter_map(|rest| rest.split('<').next()) {
                let name = name.trim();
                if name.starts_with("Hash") {
                    let made: ItemTrait =
                        syn::parse_str(&format!("pub trait {name} {{}}")).unwrap();
                    self.traits.insert(name.to_owned(), made);
                }
            }
        }
    }
}

#[test]
fn every_public_trait_has_its_line() {
    let mut found = Found::default();
    for source in source::files() {
        found.visit_file(&source.syntax);
    }
    let mut complaints = Vec::new();
    for name in found.traits.keys() {
        if !TRAITS.iter().any(|(listed, _)| listed == name) {
            complaints.push(format!(
                "`{name}` is a public trait without a line in `hostile/traits`: say who can implement it, and try a lie"
            ));
        }
    }
    for (name, standing) in TRAITS {
        let Some(item) = found.traits.get(*name) else {
            complaints.push(format!("there is no public trait `{name}` any more: remove its line"));
            continue;
        };
        let empty = item
            .items
            .iter()
            .all(|item| matches!(item, syn::TraitItem::Const(c) if c.default.is_some()));
        let is_right = match standing {
            Marker => empty && item.unsafety.is_none(),
            Sealed(reason) => {
                (*reason == "`unsafe`") == item.unsafety.is_some() && reason.len() > 7
            }
            Open(reason) => item.unsafety.is_none() && reason.len() > 7,
            Blanket => true,
        };
        if !is_right {
            complaints.push(format!("`{name}` is not what its line says: {standing:?}"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(found.traits.len() > 60, "{} traits only", found.traits.len());
}
