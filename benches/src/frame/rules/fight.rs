//! Weapons, hits, health, and what is collected.

use super::{SIDE, difference, dot, fraction, mix};
use crate::frame::components::{
    Armor, Brain, Burning, Cooldown, Damage, Health, Heat, Id, Lifetime, Pickup, Position,
    Regeneration, Score, Shield, State, Weapon,
};
use crate::frame::events::{Death, Hit, Shot, Spot, Taken};

/// `CoolWeapons`.
#[inline]
pub fn cool_weapon(cooldown: &mut Cooldown) {
    cooldown.0 = cooldown.0.saturating_sub(1);
}

/// `Regenerate`.
#[inline]
pub fn regenerate(health: &mut Health, regeneration: &mut Regeneration) {
    regeneration.timer = regeneration.timer.saturating_sub(1);
    if regeneration.timer == 0 {
        regeneration.timer = regeneration.period;
        health.now = (health.now + 1).min(health.max);
    }
}

/// `RechargeShields`.
#[inline]
pub fn recharge(shield: &mut Shield) {
    shield.now = (shield.now + 1).min(shield.max);
}

/// `CoolHeat`.
#[inline]
pub fn cool_heat(heat: &mut Heat) {
    heat.0 = (heat.0 - 1).max(0);
}

/// `Burn`.
#[inline]
pub fn burn(burning: &mut Burning, health: &mut Health) {
    burning.0 = burning.0.saturating_sub(1);
    health.now -= 1;
}

/// `Fire`: the shot of a unit that attacks with a weapon that is ready.
#[inline]
pub fn fire<H: Copy>(
    id: Id,
    brain: &Brain,
    cooldown: &mut Cooldown,
    weapon: &Weapon,
    position: &Position,
    (target, owner): (H, H),
) -> Option<Shot<H>> {
    if brain.state != State::Attack || cooldown.0 > 0 {
        return None;
    }
    cooldown.0 = weapon.period;
    let Weapon { damage, speed, .. } = *weapon;
    let id = mix(id.0 ^ brain.timer << 8);
    Some(Shot { id, from: *position, speed, damage, target, owner })
}

/// `Strike`: the hit of a projectile that has reached its target, after which it is despawned.
#[inline]
pub fn strike<H: Copy>(
    lifetime: &mut Lifetime,
    damage: &Damage,
    position: &Position,
    target_position: Option<&Position>,
    (target, owner): (H, H),
) -> Option<Hit<H>> {
    let way = difference(target_position?.0, position.0);
    if lifetime.0 == 0 || dot(way, way) > 9.0 {
        return None;
    }
    lifetime.0 = 0;
    Some(Hit { target, owner, damage: damage.0 })
}

/// `ApplyHits`. Hits of one frame can be applied in any order.
pub fn apply_hit(
    damage: i32,
    health: &mut Health,
    heat: &mut Heat,
    armor: &Armor,
    shield: Option<&mut Shield>,
) {
    let damage = (damage - armor.0).max(1);
    let absorbed = shield.map_or(0, |shield| {
        let absorbed = shield.now.min(damage);
        shield.now -= absorbed;
        absorbed
    });
    health.now -= damage - absorbed;
    heat.0 += damage;
}

/// `ScoreHits`.
pub fn score_hit(damage: i32, score: &mut Score) {
    score.0 += damage as u32;
}

/// `PickUp`: what is near the player is collected, and appears elsewhere.
#[inline]
pub fn pick_up(id: Id, pickup: &mut Pickup, position: &mut Position, spot: Spot) -> Option<Taken> {
    let way = difference(position.0, spot.0);
    if dot(way, way) > 16.0 {
        return None;
    }
    pickup.taken += 1;
    let place = mix(id.0 ^ pickup.taken << 16);
    position.0 = [fraction(place) * SIDE, fraction(place ^ 1) * SIDE, position.0[2]];
    Some(Taken(1 + place % 4))
}

/// `ScorePickups`.
pub fn score_pickup(taken: Taken, score: &mut Score) {
    score.0 += taken.0;
}

/// `Reap`: the death of a unit.
#[inline]
pub fn reap<H: Copy>(id: Id, health: &Health, target: H) -> Option<Death<H>> {
    (health.now <= 0).then_some(Death { id: id.0, target })
}

/// `Ignite`: the fire of a unit that is hot.
#[inline]
pub fn ignite(heat: &mut Heat, health: &Health) -> Option<Burning> {
    if heat.0 < 20 || health.now <= 0 {
        return None;
    }
    heat.0 = 0;
    Some(Burning(30))
}

/// `Quench`: whether the fire of a living unit is out.
#[inline]
#[must_use]
pub fn is_quenched(burning: &Burning, health: &Health) -> bool {
    burning.0 == 0 && health.now > 0
}
