//! The thesis's part I (chapter 3): the same entities, encoded in three ways.
//!
//! It has the thesis's two designs, a role-playing game ([`rpg`], 3.2.1) and a GUI ([`gui`], 3.2.2), each
//!
//! 1. by *object-oriented inheritance* (3.3): a trait object for each entity, and a type for each kind of
//!    entity, which contains its base;
//! 2. by *object-oriented composition* (3.4): an entity is a list of behaviors, which are trait objects
//!    with data and logic;
//! 3. by *data-oriented composition* (3.5): components have the data, systems have the logic, and a world of
//!    this library combines them.
//!
//! Entities communicate by messages in each (3.3.2.3, 3.4.2.2): through a queue, which is handed out to virtual functions, or as
//! events to entities, which a system reads.
//!
//! The behavior of a skeleton or a button is written once, in `parts.rs` of each design. The other three files
//! only show how the parts are combined, and all three end in the same state, bit
//! for bit.

pub mod gui;
pub mod rpg;

/// A program in one of the three encodings.
pub trait Encoding {
    /// The kinds of entities.
    type Kind: Copy;
    /// The visible state of an entity.
    type Seen;

    /// Creates entities, in this order.
    fn new(kinds: &[Self::Kind]) -> Self
    where
        Self: Sized;

    /// Advances by one frame.
    fn update(&mut self);

    /// The visible state of every entity, in the order of creation.
    fn draw(&mut self) -> Vec<Self::Seen>;
}

/// `count` kinds, which cycle through the given ones.
pub fn by_turns<K: Copy>(kinds: &[K], count: usize) -> Vec<K> {
    kinds.iter().copied().cycle().take(count).collect()
}

/// The visible state after this many frames.
pub fn after<E: Encoding>(kinds: &[E::Kind], frames: u32) -> Vec<E::Seen> {
    let mut program = E::new(kinds);
    (0..frames).for_each(|_| program.update());
    program.draw()
}

#[cfg(test)]
mod tests {
    use super::{after, by_turns, gui, rpg};

    #[test]
    fn all_encodings_of_the_game_end_in_the_same_state() {
        let cast = by_turns(&rpg::Kind::ALL, 100);
        for frames in [0, 1, 2, 60] {
            let seen = after::<rpg::ecs::Game>(&cast, frames);
            assert_eq!(seen, after::<rpg::inheritance::Game>(&cast, frames));
            assert_eq!(seen, after::<rpg::composition::Game>(&cast, frames));
            assert_eq!(seen.len(), cast.len());
        }
        let seen = after::<rpg::ecs::Game>(&rpg::Kind::ALL, 60);
        let [skeleton, dragon, unarmed, sword, bow, both] = seen[..] else { panic!("six kinds") };
        assert!(dragon.altitude > 0.0 && skeleton.altitude == 0.0);
        assert_eq!((unarmed.swings, unarmed.arrows), (0, 0));
        assert!(sword.swings > 0 && bow.arrows > 0);
        assert_eq!((both.swings, both.arrows), (sword.swings, bow.arrows));
        assert!(skeleton.position[1] > 0.0);
        // The one with a sword strikes the unarmed one; the last one is not struck.
        let wounds = [skeleton, dragon, unarmed, sword, bow, both].map(|sprite| sprite.wounds);
        assert_eq!(wounds, [0, 0, 40, 12, 40 + 12, 0]);
    }

    #[test]
    fn all_encodings_of_the_gui_end_in_the_same_state() {
        let form = by_turns(&gui::Kind::ALL, 40);
        for frames in [0, 1, 2, 200] {
            let seen = after::<gui::ecs::Gui>(&form, frames);
            assert_eq!(seen, after::<gui::inheritance::Gui>(&form, frames));
            assert_eq!(seen, after::<gui::composition::Gui>(&form, frames));
            assert_eq!(seen.len(), form.len());
        }
        let seen = after::<gui::ecs::Gui>(&gui::Kind::ALL, 200);
        let [textbox, moving_textbox, button, moving_button, window, maximize, close] = seen[..]
        else {
            panic!("seven kinds")
        };
        assert!(maximize.clicks > 0 && close.clicks > 0);
        assert_eq!(window.size, 0, "the window is closed");
        let seen = after::<gui::ecs::Gui>(&gui::Kind::ALL, 6);
        assert_eq!(seen[4].size, 2, "it was enlarged before");
        assert!(textbox.typed > 0 && textbox.clicks == 0 && textbox.phase == 0);
        assert!(button.clicks > 0 && button.typed == 0 && button.phase == 0);
        assert!(moving_textbox.phase > 0 && moving_button.phase > 0);
    }
}
