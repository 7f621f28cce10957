//! The conflict rule: the accesses that two unordered systems must not both have.
//!
//! It mirrors the rule that `ecs-core` checks over the generated tables.

use std::collections::BTreeSet;

/// What a system accesses, by index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    /// Components read of own entities.
    pub(crate) reads: BTreeSet<usize>,
    /// Components read of own entities, whose new values are staged.
    pub(crate) updates: BTreeSet<usize>,
    /// Components written of own entities.
    pub(crate) writes: BTreeSet<usize>,
    /// Components read of any entity.
    pub(crate) reads_any: BTreeSet<usize>,
    /// Whether *own* means any entity, for all sets of this struct.
    pub(crate) exclusive: bool,
    /// Components that own entities have.
    pub(crate) required: BTreeSet<usize>,
    /// Components that own entities don't have.
    pub(crate) excluded: BTreeSet<usize>,
    /// Resources read.
    pub(crate) reads_resources: BTreeSet<usize>,
    /// Resources written.
    pub(crate) writes_resources: BTreeSet<usize>,
    /// The accesses of the queries that the system uses. The system reads their components of all members.
    pub(crate) through: Vec<Access>,
}

impl Access {
    /// The verb for how the system accesses a component, if it does.
    pub(crate) fn verb(&self, component: usize) -> Option<&'static str> {
        if self.writes.contains(&component) {
            Some("writes")
        } else if self.updates.contains(&component) {
            Some("updates")
        } else if self.reads.contains(&component)
            || self.reads_any.contains(&component)
            || self.through.iter().any(|query| query.reads.contains(&component))
        {
            Some("reads")
        } else {
            None
        }
    }

    /// The verb for how the system accesses a resource, if it does.
    pub(crate) fn resource_verb(&self, resource: usize) -> Option<&'static str> {
        if self.writes_resources.contains(&resource) {
            Some("writes")
        } else if self.reads_resources.contains(&resource) {
            Some("reads")
        } else {
            None
        }
    }

    /// Whether the system reaches entities other than its own when it accesses `component`.
    pub(crate) fn reaches_others(&self, component: usize) -> bool {
        self.exclusive || self.reads_any.contains(&component)
    }

    /// Whether the filters prove that no entity is subscribed to both systems.
    pub(crate) fn is_disjoint(&self, other: &Self) -> bool {
        !self.required.is_disjoint(&other.excluded) || !other.required.is_disjoint(&self.excluded)
    }

    /// The components over which the systems conflict if they are unordered.
    pub(crate) fn component_conflicts(&self, other: &Self) -> Vec<usize> {
        let disjoint = self.is_disjoint(other);
        let written = self.writes.union(&other.writes).copied();
        written
            .filter(|component| {
                let own = !self.reaches_others(*component) && !other.reaches_others(*component);
                let both = self.touches(*component) && other.touches(*component);
                (both && !(own && disjoint))
                    || self.shows(other, *component)
                    || other.shows(self, *component)
            })
            .collect()
    }

    /// Whether the system accesses the component, of own entities or of any.
    fn touches(&self, component: usize) -> bool {
        [&self.reads, &self.updates, &self.writes, &self.reads_any]
            .iter()
            .any(|set| set.contains(&component))
    }

    /// Whether a query of this system reads entities whose `component` the writer may be writing.
    fn shows(&self, writer: &Self, component: usize) -> bool {
        let meets = |query: &Self| {
            query.reads.contains(&component)
                && (writer.reaches_others(component) || !query.is_disjoint(writer))
        };
        writer.writes.contains(&component) && self.through.iter().any(meets)
    }

    /// The resources over which the systems conflict if they are unordered.
    pub(crate) fn resource_conflicts(&self, other: &Self) -> Vec<usize> {
        let all = self.reads_resources.union(&self.writes_resources);
        all.copied()
            .filter(|resource| {
                conflict((self.resource_verb(*resource), other.resource_verb(*resource)))
            })
            .collect()
    }
}

/// Whether both access, and at least one of them writes.
fn conflict(verbs: (Option<&str>, Option<&str>)) -> bool {
    match verbs {
        (Some(a), Some(b)) => a == "writes" || b == "writes",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: usize = 0;
    const FROZEN: usize = 1;

    fn own(reads: &[usize], writes: &[usize], with: &[usize], without: &[usize]) -> Access {
        let set = |indices: &[usize]| indices.iter().copied().collect::<BTreeSet<_>>();
        let required = set(reads).union(&set(writes)).copied().collect::<BTreeSet<_>>();
        Access {
            reads: set(reads),
            writes: set(writes),
            required: required.union(&set(with)).copied().collect(),
            excluded: set(without),
            ..Access::default()
        }
    }

    fn any(components: &[usize]) -> Access {
        Access { reads_any: components.iter().copied().collect(), ..Access::default() }
    }

    #[test]
    fn the_rule_as_a_table() {
        let read = own(&[POSITION], &[], &[], &[]);
        let write = own(&[], &[POSITION], &[], &[]);
        let write_frozen = own(&[], &[POSITION], &[FROZEN], &[]);
        let write_unfrozen = own(&[], &[POSITION], &[], &[FROZEN]);
        let read_unfrozen = own(&[POSITION], &[], &[], &[FROZEN]);
        let only_frozen = own(&[], &[FROZEN], &[], &[]);
        let write_exclusive = Access { exclusive: true, ..write_unfrozen.clone() };
        let mut any_unfrozen = any(&[POSITION]);
        any_unfrozen.excluded.insert(FROZEN);
        for (a, b, conflict) in [
            (&read, &read, false),
            (&read, &write, true),
            (&write, &write, true),
            (&write, &only_frozen, false),
            (&any(&[POSITION]), &read, false),
            (&any(&[POSITION]), &any(&[POSITION]), false),
            (&any(&[POSITION]), &write, true),
            // Filters exempt accesses to own entities …
            (&write_frozen, &write_unfrozen, false),
            (&write_frozen, &read_unfrozen, false),
            (&write_frozen, &write_frozen, true),
            (&write_unfrozen, &write_unfrozen, true),
            (&write, &write_unfrozen, true),
            // … but no other accesses.
            (&write_frozen, &any_unfrozen, true),
            (&write_frozen, &write_exclusive, true),
        ] {
            let expected = if conflict { vec![POSITION] } else { vec![] };
            assert_eq!(a.component_conflicts(b), expected, "{a:?} {b:?}");
            assert_eq!(b.component_conflicts(a), expected, "{b:?} {a:?}");
        }
    }

    #[test]
    fn an_access_is_a_requirement_too() {
        let moves_frozen = own(&[FROZEN], &[POSITION], &[], &[]);
        let moves_others = own(&[], &[POSITION], &[], &[FROZEN]);
        assert!(moves_frozen.is_disjoint(&moves_others));
        assert!(moves_others.is_disjoint(&moves_frozen));
    }

    #[test]
    fn optional_access_is_no_requirement() {
        let mut optional = own(&[], &[POSITION], &[], &[]);
        optional.reads.insert(FROZEN);
        let others = own(&[], &[POSITION], &[], &[FROZEN]);
        assert_eq!(optional.component_conflicts(&others), [POSITION]);
    }

    #[test]
    fn resources_know_no_filters() {
        let mut reader = own(&[], &[], &[FROZEN], &[]);
        reader.reads_resources.insert(7);
        let mut writer = own(&[], &[], &[], &[FROZEN]);
        writer.writes_resources.insert(7);
        assert_eq!(reader.resource_conflicts(&writer), [7]);
        assert_eq!(writer.resource_conflicts(&reader), [7]);
        assert_eq!(writer.resource_conflicts(&writer), [7]);
        assert!(reader.resource_conflicts(&reader).is_empty());
    }
}
