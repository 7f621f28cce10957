//! Contacts in order, and how they are solved.

use super::collision::{Contact, Finder, ROWS};

/// The contacts of [`ROWS`] rows.
#[derive(Debug, Default)]
pub(super) struct Batch {
    contacts: Vec<Contact>,
    ends: Vec<u32>,
}

impl Batch {
    /// Gathers the contacts of batch `number` from all strips and sorts them by row.
    pub(super) fn gather(&mut self, finders: &[Finder], number: usize) {
        self.ends.clear();
        self.ends.resize(ROWS, 0);
        let mut total = 0;
        let lists = || finders.iter().flat_map(|finder| finder.contacts(number));
        for list in lists() {
            total += list.len();
            for contact in list {
                self.ends[contact.row as usize % ROWS] += 1;
            }
        }
        let mut next = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = next;
            next += count;
        }
        self.contacts.resize(total, Contact::default());
        for list in lists() {
            for contact in list {
                let end = &mut self.ends[contact.row as usize % ROWS];
                self.contacts[*end as usize] = *contact;
                *end += 1;
            }
        }
    }

    /// Solves all contacts in order.
    pub(super) fn solve(&self, positions: &mut [[f32; 2]], velocities: &mut [[f32; 2]]) {
        for contact in &self.contacts {
            let (one, other) = (contact.row as usize, contact.other as usize);
            velocities.swap(one, other);
            let (p0, p1) = (positions[one], positions[other]);
            let (dx, dy) = (p1[0] - p0[0], p1[1] - p0[1]);
            let distance = (dx * dx + dy * dy).sqrt();
            let normal =
                if distance == 0.0 { [1.0, 0.0] } else { [dx / distance, dy / distance] };
            let push = normal.map(|n| n * contact.depth * 0.6);
            positions[one] = [p0[0] - push[0], p0[1] - push[1]];
            positions[other] = [p1[0] + push[0], p1[1] + push[1]];
        }
    }
}
