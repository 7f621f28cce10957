//! Tables of clones, hashes and saves written by hand that omit parts, name them twice, or name others.

use attacks::support::{caught, fresh};
use ecs_core::generated::ContiguousBuffer;
use ecs_core::generated::{
    CloneSystem, CloneTable, ComponentClone, ComponentHash, ComponentSave, HasNoSize, HashTable,
    ResourceClone, ResourceHash, ResourceSave, SaveForm, SaveTable, SystemClone, SystemHash,
    SystemSave,
};
use ecs_core::generated::{ResourceSink, SystemVisitor, no_such_system};
use ecs_core::inner_parallelism;
use ecs_core::settings::{Allow, AtomicCounter, Config, Dynamic};
use ecs_core::signature::{ComponentSignature, ResourceSignature, SystemSignature};
use ecs_core::{Data, Entity, Item, System, Threads, World};
use ecs_core::{Declaration, HasComponent, HasResource, SystemName};

macro_rules! TEXTS {
    () => {
        ComponentSave::of::<String, SaveForm<0>>()
    };
}

macro_rules! NUMBERS {
    () => {
        ComponentSave::of::<u64, SaveForm<1>>()
    };
}

macro_rules! ONLY {
    () => {
        SystemSave::of::<Only, SaveForm<0>>()
    };
}

/// A declaration whose tables of clones and hashes are those of `T`.
struct By<T>(std::marker::PhantomData<T>);

/// Tables written by hand.
trait Tables: Send + Sync + Sized + 'static {
    const TEXT_IS_COPY: bool = false;
    const COMPONENTS: &'static [ComponentClone<By<Self>>];
    const RESOURCES: &'static [Option<ResourceClone<By<Self>>>];
    const SYSTEMS: &'static [SystemClone<By<Self>>];
    const HASHES: &'static [ComponentHash<By<Self>>] = &[];
    const COMPONENT_SAVES: &'static [ComponentSave<By<Self>>] = &[TEXTS!(), NUMBERS!()];
    const RESOURCE_SAVES: &'static [Option<ResourceSave<By<Self>>>] = &[
        Some(ResourceSave::of::<String, SaveForm<0>>()),
        Some(ResourceSave::of::<u64, SaveForm<1>>()),
    ];
    const SYSTEM_SAVES: &'static [SystemSave<By<Self>>] = &[ONLY!(), ONLY!()];
}

impl<T: Tables> Declaration for By<T> {
    type Settings = Config<Dynamic<8>, Allow, AtomicCounter>;
    const NAME: &'static str = "By";
    const COMPONENTS: &'static [ComponentSignature] = &[
        ComponentSignature::new::<String>("Text", 0).copied(T::TEXT_IS_COPY),
        ComponentSignature::new::<u64>("Number", 1).copied(true),
    ];
    const RESOURCES: &'static [ResourceSignature] =
        &[ResourceSignature::new::<String>("Text"), ResourceSignature::new::<u64>("Number")];
    const SYSTEMS: &'static [SystemSignature] =
        &[SystemSignature::new::<Self, Only>("Only").read(&[0])];

    fn dispatch<V: SystemVisitor<Self>>(index: usize, visitor: V) -> V::Output {
        if index == 0 { visitor.visit::<Only>() } else { no_such_system(index) }
    }

    fn resources(sink: &mut ResourceSink<'_, Self>) {
        sink.put(String::from("resource"));
        sink.put(3_u64);
    }
}

macro_rules! parts {
    ($($ty:ty, $index:literal;)*) => {$(
        impl<T: Tables> HasComponent<$ty> for By<T> {
            const INDEX: usize = $index;
            type Number = ();
            type Strategy = ContiguousBuffer;
        }
        impl<T: Tables> HasResource<$ty> for By<T> {
            const INDEX: usize = $index;
        }
    )*};
}

parts! {
    String, 0;
    u64, 1;
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Only(String);

impl<T: Tables> SystemName<By<T>> for Only {
    const INDEX: usize = 0;
    type System = Self;
    type Output = Vec<String>;
    type Parallelism = inner_parallelism::None;
    type Terms = (Entity, &'static String);
    type Entry<'a> = &'a String;
    type CodegenUnit = ecs_core::generated::codegen_unit::U0;

    fn initial() -> Self {
        Self("initial".into())
    }

    fn entry<'a>((_, text): Item<'a, Self::Terms, By<T>>) -> Self::Entry<'a> {
        text
    }
}

impl<T: Tables> System<By<T>, Only> for Only {
    fn process(&self, data: &mut Data<'_, By<T>, Only>) {
        let texts: Vec<String> =
            data.own.query::<Entity>().into_iter().map(|e| format!("{e:?}")).collect();
        data.effects.output().extend(texts);
    }
}

impl<'a, T: Tables> CloneTable<'a> for By<T> {
    const COMPONENT_CLONES: &'static [&'static [ComponentClone<Self>]] = &[T::COMPONENTS];
    const RESOURCE_CLONES: &'static [&'static [Option<ResourceClone<Self>>]] = &[T::RESOURCES];
    const SYSTEM_CLONES: &'static [&'static [SystemClone<Self>]] = &[T::SYSTEMS];
}

impl<'a, T: Tables> HashTable<'a> for By<T> {
    const COMPONENT_HASHES: &'static [&'static [ComponentHash<Self>]] = &[T::HASHES];
    const RESOURCE_HASHES: &'static [&'static [Option<ResourceHash<Self>>]] = &[&[None]];
    const SYSTEM_HASHES: &'static [&'static [SystemHash<Self>]] = &[];
}

impl<'a, T: Tables> SaveTable<'a> for By<T> {
    const COMPONENT_SAVES: &'static [&'static [ComponentSave<Self>]] = &[T::COMPONENT_SAVES];
    const RESOURCE_SAVES: &'static [&'static [Option<ResourceSave<Self>>]] = &[T::RESOURCE_SAVES];
    const SYSTEM_SAVES: &'static [&'static [SystemSave<Self>]] = &[T::SYSTEM_SAVES];
}

/// A `CloneSystem` whose `make` returns `None`, and whose `copy` does not copy.
struct Another;

impl<'a> CloneSystem<'a, Only, Only> for Another {
    fn make(_: &Only) -> Option<Only> {
        None
    }

    fn copy(_: &Only, to: &mut Only) {
        to.0.push_str(" and copied");
    }
}

macro_rules! tables {
    ($($name:ident [$($component:expr),*] [$($resource:expr),*] [$($system:expr),*];)*) => {$(
        struct $name;
        impl Tables for $name {
            const COMPONENTS: &'static [ComponentClone<By<Self>>] = &[$($component),*];
            const RESOURCES: &'static [Option<ResourceClone<By<Self>>>] = &[$($resource),*];
            const SYSTEMS: &'static [SystemClone<By<Self>>] = &[$($system),*];
        }
    )*};
}

tables! {
    Nothing [] [] [];
    Right [ComponentClone::of::<String>(), ComponentClone::of::<u64>()]
        [Some(ResourceClone::of::<String>()), Some(ResourceClone::of::<u64>())]
        [SystemClone::of::<Only, HasNoSize<false>>()];
    Half [ComponentClone::of::<u64>()] [None, Some(ResourceClone::of::<u64>())] [];
    Twice [ComponentClone::of::<String>(), ComponentClone::of::<String>(), ComponentClone::of::<String>()]
        [Some(ResourceClone::of::<String>()), Some(ResourceClone::of::<String>())]
        [SystemClone::of::<Only, Another>(), SystemClone::of::<Only, Another>()];
    Backwards [ComponentClone::of::<u64>(), ComponentClone::of::<String>()]
        [Some(ResourceClone::of::<u64>()), Some(ResourceClone::of::<String>())]
        [SystemClone::of::<Only, Another>()];
}

/// The tables are right, but texts are said to be `Copy`.
struct Copied;

impl Tables for Copied {
    const TEXT_IS_COPY: bool = true;
    const COMPONENTS: &'static [ComponentClone<By<Self>>] =
        &[ComponentClone::of::<String>(), ComponentClone::of::<u64>()];
    const RESOURCES: &'static [Option<ResourceClone<By<Self>>>] =
        &[Some(ResourceClone::of::<String>()), Some(ResourceClone::of::<u64>())];
    const SYSTEMS: &'static [SystemClone<By<Self>>] =
        &[SystemClone::of::<Only, HasNoSize<false>>()];
}

impl Clone for Only {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Fills, clones, snapshots and restores a world. All texts stay texts, and the original is unchanged.
fn attack<T: Tables>(threads: &Threads) -> (usize, usize) {
    let mut world = World::<By<T>>::on(threads.clone());
    let entity = |n: u64| (format!("a text that lies on the heap {n}"), n);
    world
        .step(|step| {
            step.spawn_batch((0..100).map(entity));
        })
        .unwrap();
    world.tick().unwrap();
    let check = |world: &World<By<T>>| {
        let (mut texts, mut numbers) = (0, 0);
        for text in world.iter::<&String>() {
            assert!(text.starts_with("a text"));
            texts += 1;
        }
        for (n, text) in world.iter::<(&u64, Option<&String>)>() {
            assert!(*n < 200 && text.is_none_or(|text| text.ends_with(&n.to_string())));
            numbers += 1;
        }
        assert!(
            world.resource::<String>().starts_with("resource") && *world.resource::<u64>() == 3
        );
        assert!(world.system::<Only>().0.starts_with("initial"));
        (texts, numbers)
    };
    let counts = |other: Option<World<By<T>>>| other.map_or((0, 0), |other| check(&other));
    let mut cloned = None;
    let _ = caught(|| cloned = Some(world.clone()));
    let of_clone = counts(cloned);
    let _ = caught(|| {
        let mut other = World::<By<T>>::on(threads.clone());
        other
            .step(|step| {
                step.spawn_batch((100..130).map(entity));
            })
            .unwrap();
        let snapshot = world.snapshot();
        let panic = caught(|| other.restore(&snapshot).unwrap());
        check(&other);
        drop(panic);
        let panic = caught(|| other.tick().unwrap());
        drop(panic);
        check(&other);
    });
    let _ = caught(|| world.state_hash());
    assert_eq!(check(&world), (100, 100));
    world.tick().unwrap();
    of_clone
}

#[test]
fn tables_of_clones_that_lie() {
    for threads in [&Threads::Inline, &fresh(2)] {
        assert_eq!(attack::<Right>(threads), (100, 100));
        assert_eq!(attack::<Copied>(threads), (100, 100));
        lie(threads);
    }
}

fn lie(threads: &Threads) {
    for (texts, numbers) in [
        attack::<Nothing>(threads),
        attack::<Half>(threads),
        attack::<Twice>(threads),
        attack::<Backwards>(threads),
    ] {
        assert!(
            [0, 100].contains(&texts) && [0, 100].contains(&numbers),
            "{texts} texts, {numbers} numbers"
        );
    }
}

macro_rules! saves {
    ($($name:ident [$($component:expr),*] [$($resource:expr),*];)*) => {$(
        struct $name;
        impl Tables for $name {
            const COMPONENTS: &'static [ComponentClone<By<Self>>] = &[];
            const RESOURCES: &'static [Option<ResourceClone<By<Self>>>] = &[];
            const SYSTEMS: &'static [SystemClone<By<Self>>] = &[];
            const COMPONENT_SAVES: &'static [ComponentSave<By<Self>>] = &[$($component),*];
            const RESOURCE_SAVES: &'static [Option<ResourceSave<By<Self>>>] = &[$($resource),*];
        }
    )*};
}

saves! {
    NoSaves [] [];
    HalfSaved [NUMBERS!()] [None, None];
    SavedTwice [TEXTS!(), NUMBERS!(), NUMBERS!()] [None, None];
    SavedBackwards [NUMBERS!(), TEXTS!()] [None, None];
    OtherResources [TEXTS!(), NUMBERS!()] [None];
    ManyResources [TEXTS!(), NUMBERS!()] [None, None, None];
}

/// A world with a text, and what it saves, unless it panics.
fn saved<T: Tables>() -> (World<By<T>>, Option<Vec<u8>>) {
    let mut world = World::<By<T>>::on(Threads::Inline);
    world.spawn((String::from("a text that lies on the heap"), 7_u64));
    let mut save = None;
    let _ = caught(|| {
        let mut bytes = Vec::new();
        world.save(&mut bytes).unwrap();
        save = Some(bytes);
    });
    (world, save)
}

fn attack_saves<T: Tables>(right: &[u8]) {
    let (mut world, save) = saved::<T>();
    assert!(save.is_none());
    assert!(caught(|| drop(world.load(right))).is_some());
    assert_eq!(world.iter::<&u64>().count(), 1, "the world is as it was");
    world.tick().unwrap();
}

#[test]
fn tables_of_saves_that_lie() {
    let (mut world, save) = saved::<Right>();
    let save = save.unwrap();
    // The state of its system is there twice, which damages the save.
    assert!(matches!(world.load(&save), Err(ecs_core::LoadError::Damaged { .. })));
    world.tick().unwrap();
    attack_saves::<NoSaves>(&save);
    attack_saves::<HalfSaved>(&save);
    attack_saves::<SavedTwice>(&save);
    attack_saves::<SavedBackwards>(&save);
    attack_saves::<OtherResources>(&save);
    attack_saves::<ManyResources>(&save);
}
