//! Which systems stage what, by component. So 1024 systems need not be compared in pairs.

use super::super::bits::{SystemBits, WORDS, add, intersect, pop, remove, unite};
use super::super::{MAX_SYSTEMS, SystemSignature};
use super::sees_spawns;
use crate::component::MAX_COMPONENTS;

/// A set of systems for each component.
type ByComponent = [SystemBits; MAX_COMPONENTS];

/// Which systems stage what.
pub(super) struct Staging {
    /// The systems that insert or remove the component, staged or at once.
    changers: ByComponent,
    /// The systems that update the component.
    updaters: ByComponent,
    /// The systems that insert the component at once.
    inserters_at_once: ByComponent,
    /// The systems that change entities at once.
    sequential: SystemBits,
    /// The systems with known bundles, one of which has the component.
    spawners_of: ByComponent,
    despawners: SystemBits,
    /// The systems with known bundles.
    spawners: SystemBits,
    /// The systems whose bundles may have any components.
    spawners_of_any: SystemBits,
    deferrers: SystemBits,
}

impl Staging {
    #[expect(clippy::large_stack_arrays, reason = "it runs in the compiler")]
    pub(super) const fn of(systems: &[SystemSignature]) -> Self {
        let mut this = Self {
            changers: [[0; WORDS]; MAX_COMPONENTS],
            updaters: [[0; WORDS]; MAX_COMPONENTS],
            inserters_at_once: [[0; WORDS]; MAX_COMPONENTS],
            sequential: [0; WORDS],
            spawners_of: [[0; WORDS]; MAX_COMPONENTS],
            despawners: [0; WORDS],
            spawners: [0; WORDS],
            spawners_of_any: [0; WORDS],
            deferrers: [0; WORDS],
        };
        let mut s = 0;
        assert!(systems.len() <= MAX_SYSTEMS, "[E0018] a world has at most 1024 systems");
        while s < systems.len() {
            let system = &systems[s];
            note(&mut this.changers, system.insert, s);
            note(&mut this.changers, system.remove, s);
            note(&mut this.updaters, system.update, s);
            if system.sequential {
                note(&mut this.inserters_at_once, system.insert, s);
                add(&mut this.sequential, s);
            } else if system.despawn {
                add(&mut this.despawners, s);
            }
            match system.bundles {
                Some(bundles) => {
                    add(&mut this.spawners, s);
                    let mut i = 0;
                    while i < bundles.len() {
                        note(&mut this.spawners_of, bundles[i], s);
                        i += 1;
                    }
                }
                None if system.spawn => add(&mut this.spawners_of_any, s),
                None => {}
            }
            if system.defer {
                add(&mut this.deferrers, s);
            }
            s += 1;
        }
        this
    }

    /// The lowest system in `among` that can change at the refresh what the system `later` sees, by itself or
    /// through its queries.
    pub(super) const fn source(
        &self,
        systems: &[SystemSignature],
        among: &SystemBits,
        later: usize,
    ) -> Option<usize> {
        let later = &systems[later];
        let mut found = self.source_of(systems, among, later);
        let mut i = 0;
        while i < later.queries.len() {
            let query = &systems[later.queries[i]];
            found = lower(found, self.source_of(systems, among, query));
            i += 1;
        }
        found
    }

    /// The lowest system in `among` that can change at the refresh what `system` sees of its own entities.
    const fn source_of(
        &self,
        systems: &[SystemSignature],
        among: &SystemBits,
        system: &SystemSignature,
    ) -> Option<usize> {
        let mut found = [0; WORDS];
        let read = [
            system.read,
            system.write,
            system.read_optional,
            system.write_optional,
            system.read_any,
            system.update,
        ];
        gather(&mut found, &self.changers, &read);
        gather(&mut found, &self.changers, &[system.with]);
        // Immediate changes are seen at once, except that new matches wait for the refresh.
        remove(&mut found, &self.sequential);
        gather(&mut found, &self.updaters, &read);
        let required = [system.read, system.write, system.update, system.with];
        gather(&mut found, &self.inserters_at_once, &required);
        gather(&mut found, &self.changers, &[system.without]);
        unite(&mut found, &self.deferrers);
        if system.has_entities() {
            unite(&mut found, &self.spawners_of_any);
        }
        if system.has_entities() || !system.read_any.is_empty() {
            unite(&mut found, &self.despawners);
        }
        intersect(&mut found, among);
        let found = pop(&mut found);
        lower(found, self.parent(systems, among, system))
    }

    /// The lowest system in `among` with known bundles, one of which `later` would be subscribed to.
    const fn parent(
        &self,
        systems: &[SystemSignature],
        among: &SystemBits,
        later: &SystemSignature,
    ) -> Option<usize> {
        let mut candidates = self.spawners;
        intersect(&mut candidates, among);
        let required = [later.read, later.write, later.with, later.update];
        let mut list = 0;
        while list < required.len() {
            let mut i = 0;
            while i < required[list].len() {
                intersect(&mut candidates, &self.spawners_of[required[list][i]]);
                i += 1;
            }
            list += 1;
        }
        while let Some(parent) = pop(&mut candidates) {
            if sees_spawns(&systems[parent], later) {
                return Some(parent);
            }
        }
        None
    }
}

/// Adds the systems of every component in the lists.
const fn gather(found: &mut SystemBits, by_component: &ByComponent, lists: &[&[usize]]) {
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            unite(found, &by_component[lists[list][i]]);
            i += 1;
        }
        list += 1;
    }
}

const fn note(by_component: &mut ByComponent, components: &[usize], system: usize) {
    let mut i = 0;
    while i < components.len() {
        add(&mut by_component[components[i]], system);
        i += 1;
    }
}

const fn lower(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(one), Some(other)) => Some(if one < other { one } else { other }),
        (None, other) => other,
        (one, None) => one,
    }
}
