//! Pushing apart the discs that touch.

use super::merge::Merge;
use super::search::Contacts;

/// Solves all contacts, one after the other.
pub(super) fn solve(
    contacts: &[Contacts<u32>],
    merge: &mut Merge<u32>,
    positions: &mut [[f32; 2]],
    velocities: &mut [[f32; 2]],
) {
    merge.for_each(&contacts.iter(), |contact| {
        let (one, other) = (contact.e0 as usize, contact.e1 as usize);
        velocities.swap(one, other);
        let (p0, p1) = (positions[one], positions[other]);
        let (dx, dy) = (p1[0] - p0[0], p1[1] - p0[1]);
        let distance = (dx * dx + dy * dy).sqrt();
        let normal = if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
        let push = normal.map(|n| n * contact.overlap * 0.6);
        positions[one] = [p0[0] - push[0], p0[1] - push[1]];
        positions[other] = [p1[0] + push[0], p1[1] + push[1]];
    });
}
