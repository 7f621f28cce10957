//! The inputs of the players, as a resource that systems read.

use core::ops::Index;

use ecs_core::{StateHash, StateHasher};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What one player does in one frame: the keys that are held, the direction of a stick, or the orders of a turn.
///
/// It is all that peers send to each other, so it should be small. Every value must have the same encoded length, so it
/// has no `Vec`, `String` or `Option`, and no `enum` whose variants have fields. [`Default`] is the input of a player who
/// does nothing, and of one who has left.
///
/// ```
/// use ecs_core::StateHash;
/// use ecs_rollback::Input;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
/// struct Keys {
///     held: u8,
///     chat: u8,
/// }
///
/// impl Input for Keys {
///     // Keys stay held; a line of chat is said once.
///     fn predict(previous: Self) -> Self {
///         Self { chat: 0, ..previous }
///     }
/// }
/// assert!(Keys::predict(Keys { held: 3, chat: 1 }) == Keys { held: 3, chat: 0 });
/// ```
pub trait Input:
    Copy + Default + PartialEq + StateHash + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// What a player will do in the next frame, whose input has not arrived yet: the same as before. A prediction that
    /// proves right costs nothing; a wrong one costs a rollback.
    #[must_use]
    fn predict(previous: Self) -> Self {
        previous
    }
}

/// The input of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry<I> {
    input: I,
    connected: bool,
}

/// The inputs of all players in a frame: a resource, which the session sets before each step.
///
/// The declaration has `resource Inputs<Keys>;`, and systems read `&Inputs<Keys>`. A new world has no players; the session
/// sets their number when it starts.
///
/// Whether an input is predicted is not among what it tells. That differs from machine to machine, so a system must not
/// depend on it; [`Session::status`](crate::Session::status) has it, for what is drawn.
///
/// ```
/// use ecs_core::{StateHash, World, world};
/// use ecs_rollback::{Input, Inputs};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Copy, Default, PartialEq, StateHash, Serialize, Deserialize)]
/// struct Thrust(i8);
/// impl Input for Thrust {}
///
/// #[derive(Clone, StateHash)]
/// struct Player(usize);
/// #[derive(Clone, StateHash)]
/// struct Height(i32);
///
/// world! {
///     world Duel;
///     component Player, Height;
///     resource Inputs<Thrust>;
///     system Fly {
///         each: |height: &mut Height, player: &Player, inputs: &Inputs<Thrust>| {
///             height.0 += i32::from(inputs[player.0].0);
///         },
///     }
/// }
///
/// // Without a session, as in a game for one:
/// let mut world = World::<Duel>::new();
/// let ship = world.spawn((Player(0), Height(0)));
/// world.resource_mut::<Inputs<Thrust>>().set([Thrust(3)]);
/// world.tick()?;
/// assert_eq!(world.get::<Height>(ship).unwrap().0, 3);
/// # Ok::<_, ecs_core::StepError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Inputs<I> {
    players: Vec<Entry<I>>,
}

impl<I> Inputs<I> {
    /// The number of players, also of those who have left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether there are no players, as in a world without a session.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// The input of a player; `None` if there is no such player. `inputs[player]` is the same, and panics.
    #[must_use]
    pub fn get(&self, player: usize) -> Option<&I> {
        self.players.get(player).map(|entry| &entry.input)
    }

    /// Whether the player takes part. The peers agree on the frame in which a player has left. `false` for players that
    /// there are not.
    #[must_use]
    pub fn is_connected(&self, player: usize) -> bool {
        self.players.get(player).is_some_and(|entry| entry.connected)
    }

    /// The inputs of all players, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &I> {
        self.players.iter().map(|entry| &entry.input)
    }

    /// Sets the inputs of all players, who all take part. A session does this by itself; this is for games without one.
    pub fn set(&mut self, inputs: impl IntoIterator<Item = I>) {
        self.assign(inputs.into_iter().map(|input| (input, true)));
    }

    /// Sets the inputs of all players, and whether each is connected.
    pub(crate) fn assign(&mut self, inputs: impl Iterator<Item = (I, bool)>) {
        self.players.clear();
        self.players.extend(inputs.map(|(input, connected)| Entry { input, connected }));
    }
}

impl<I> Default for Inputs<I> {
    fn default() -> Self {
        Self { players: Vec::new() }
    }
}

/// Snapshots reuse the memory of the older one.
impl<I: Clone> Clone for Inputs<I> {
    fn clone(&self) -> Self {
        Self { players: self.players.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.players.clone_from(&source.players);
    }
}

impl<I: StateHash> StateHash for Inputs<I> {
    fn state_hash(&self, hasher: &mut StateHasher) {
        self.players.len().state_hash(hasher);
        for entry in &self.players {
            entry.input.state_hash(hasher);
            entry.connected.state_hash(hasher);
        }
    }
}

/// # Panics
/// If there is no such player.
impl<I> Index<usize> for Inputs<I> {
    type Output = I;

    fn index(&self, player: usize) -> &I {
        let count = self.len();
        self.get(player).unwrap_or_else(|| {
            panic!("there is no player {player}: the session has {count} players, from 0 on")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(inputs: &Inputs<u8>) -> u64 {
        let mut hasher = StateHasher::new();
        inputs.state_hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn a_player_who_has_left_counts_in_the_hash() {
        let (mut one, mut other) = (Inputs::default(), Inputs::default());
        one.assign([(0, true), (0, true)].into_iter());
        other.assign([(0, true), (0, false)].into_iter());
        assert_ne!(hash(&one), hash(&other));
        assert!(one.is_connected(1) && !other.is_connected(1) && !other.is_connected(2));
        other.set([0, 0]);
        assert_eq!(hash(&one), hash(&other));
        assert_eq!(one, other);
    }

    #[test]
    fn a_copy_reuses_memory() {
        let (mut copy, mut source) = (Inputs::default(), Inputs::default());
        copy.set([1, 2, 3]);
        source.set([4, 5]);
        let memory = copy.players.as_ptr();
        copy.clone_from(&source);
        assert_eq!((copy.players.as_ptr(), copy.iter().copied().collect()), (memory, vec![4, 5]));
    }

    #[test]
    #[should_panic(expected = "there is no player 2: the session has 2 players")]
    fn a_player_too_many() {
        let mut inputs = Inputs::default();
        inputs.set([1_u8, 2]);
        let _ = inputs[2];
    }
}
