//! The terminal: the field as characters, and the keys.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Write, stdout};
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::Print;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ecs_core::World;
use ecs_core::settings::Settings;

use crate::game::{
    Bullet, CELL, COLUMNS, Drone, Heading, Health, Keys, Position, ROWS, Score, Smoke, Tank, Tanks,
};

/// Terminals tell when a key goes down, and again while it is held, and not when it comes up.
const HELD: Duration = Duration::from_millis(250);

/// The keys of two players at one keyboard.
const KEYS: [[(KeyCode, Keys); 5]; 2] = [
    [
        (KeyCode::Up, Keys::UP),
        (KeyCode::Down, Keys::DOWN),
        (KeyCode::Left, Keys::LEFT),
        (KeyCode::Right, Keys::RIGHT),
        (KeyCode::Char(' '), Keys::FIRE),
    ],
    [
        (KeyCode::Char('w'), Keys::UP),
        (KeyCode::Char('s'), Keys::DOWN),
        (KeyCode::Char('a'), Keys::LEFT),
        (KeyCode::Char('d'), Keys::RIGHT),
        (KeyCode::Char('f'), Keys::FIRE),
    ],
];

/// The terminal while a game is on it. It is as before afterwards.
pub(crate) struct Screen {
    pressed: HashMap<KeyCode, Instant>,
}

impl Screen {
    pub(crate) fn open() -> Result<Self, Box<dyn Error>> {
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen, Hide, Clear(ClearType::All))?;
        Ok(Self { pressed: HashMap::new() })
    }

    /// Takes the keys that were pressed. `false` if one of them ends the game.
    pub(crate) fn read_keys(&mut self) -> Result<bool, Box<dyn Error>> {
        while poll(Duration::ZERO)? {
            let Event::Key(key) = read()? else { continue };
            let is_interrupt =
                key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
            if is_interrupt || matches!(key.code, KeyCode::Esc | KeyCode::Char('q')) {
                return Ok(false);
            }
            match key.kind {
                KeyEventKind::Release => self.pressed.remove(&key.code),
                _ => self.pressed.insert(key.code, Instant::now()),
            };
        }
        self.pressed.retain(|_, at| at.elapsed() < HELD);
        Ok(true)
    }

    /// The keys that one of two players at this keyboard holds.
    pub(crate) fn keys(&self, seat: usize) -> Keys {
        let held = KEYS[seat].iter().filter(|(code, _)| self.pressed.contains_key(code));
        held.fold(Keys(0), |keys, (_, key)| Keys(keys.0 | key.0))
    }
}

/// Draws the world, with a line of text below.
pub(crate) fn draw<S: Settings>(world: &World<Tanks, S>, status: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    for (row, line) in picture(world).into_iter().enumerate() {
        queue!(out, MoveTo(0, row as u16), Print(line))?;
    }
    queue!(out, MoveTo(0, ROWS as u16 + 3), Print(status), Clear(ClearType::UntilNewLine))?;
    out.flush()
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// The lines of the picture.
fn picture<S: Settings>(world: &World<Tanks, S>) -> Vec<String> {
    let mut field = vec![vec![' '; COLUMNS as usize]; ROWS as usize];
    let mut put = |at: &Position, sign| {
        let cell = |units: i32, cells: i32| (units / CELL).clamp(0, cells - 1) as usize;
        field[cell(at.y, ROWS)][cell(at.x, COLUMNS)] = sign;
    };
    world.iter::<(&Drone, &Position)>().for_each(|(_, at)| put(at, '.'));
    world.iter::<(&Smoke, &Position)>().for_each(|(_, at)| put(at, '%'));
    for (_, at, heading) in world.iter::<(&Bullet, &Position, &Heading)>() {
        put(at, if heading.x == 0 { '|' } else { '-' });
    }
    let mut tanks = Vec::new();
    for (tank, at, heading, health) in world.iter::<(&Tank, &Position, &Heading, &Health)>() {
        let front = Position { x: at.x + heading.x * CELL, y: at.y + heading.y * CELL };
        put(&front, if heading.x == 0 { '|' } else { '-' });
        put(at, (b'1' + tank.player as u8) as char);
        let score = world.resource::<Score>().0[tank.player];
        tanks.push(format!(
            "player {}: {score:3} {}",
            tank.player + 1,
            "♥".repeat(health.0.into())
        ));
    }
    let border = format!("+{}+", "-".repeat(COLUMNS as usize));
    let mut lines = vec![border.clone()];
    lines.extend(field.into_iter().map(|row| format!("|{}|", row.into_iter().collect::<String>())));
    lines.push(border);
    lines.push(tanks.join("   "));
    lines
}
