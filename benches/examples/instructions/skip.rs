//! Steps in which conditions skip systems: the cost of a system that does not run.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ecs_core::SystemName;
use ecs_core::{Data, System, Threads, World, world};

use super::steadily;

/// Counts its executions, so that the compiler cannot remove them.
#[derive(Default)]
struct Tick(AtomicU64);

/// What conditions read.
#[derive(Default)]
struct Mode(u32);

fn is_elsewhere(mode: &Mode) -> bool {
    mode.0 == 1
}

/// A number for each of the names, from 1 on, so that no two conditions are one function.
const fn number(name: &str) -> u32 {
    let (digits, mut number, mut at) = (name.as_bytes(), 0, 1);
    while at < digits.len() {
        number = 10 * number + (digits[at] - b'0') as u32;
        at += 1;
    }
    number + 1
}

/// A world of ten systems that run and of some that are skipped, by one condition, each by one of its own, or by a state, and
/// a function that runs it.
macro_rules! skipping {
    ($case:ident: by_one, $on:tt [$($off:ident)*]) => {
        skipping!(@ $case $on [$($off)*] { $(system $off: Tick { run_if: is_elsewhere })* });
    };
    ($case:ident: each_by_its_own, $on:tt [$($off:ident)*]) => {
        skipping!(@ $case $on [$($off)*] {
            $(system $off: Tick { run_if: |mode: &Mode| mode.0 == const { number(stringify!($off)) } })*
        });
    };
    ($case:ident: by_state, $on:tt [$($off:ident)*]) => {
        skipping!(@ $case $on [$($off)*] {
            state Place { Here, Elsewhere }
            $(system $off: Tick { in: Place::Elsewhere })*
        });
    };
    (@ $case:ident [$($on:ident)*] [$($off:ident)*] { $($skipped:tt)* }) => {
        mod $case {
            use super::*;

            world! {
                pub(super) world Clock;
                resource Mode;
                $(system $on: Tick { run_if: |mode: &Mode| mode.0 == 0 })*
                $($skipped)*
            }

            impl<N: SystemName<Clock>> System<Clock, N> for Tick {
                fn process(&self, _: &mut Data<'_, Clock, N>) {
                    self.0.fetch_add(1, Relaxed);
                }
            }
        }

        pub(super) fn $case() {
            let mut world = World::<$case::Clock>::on(Threads::Inline);
            steadily(|| world.tick().expect("nothing is staged"));
            $(assert!(world.system::<$case::$on>().0.load(Relaxed) > 0);)*
            $(assert_eq!(world.system::<$case::$off>().0.load(Relaxed), 0);)*
        }
    };
}

/// As [`skipping`], for ten systems and 190 that are skipped.
macro_rules! of_two_hundred {
    ($case:ident: $conditions:ident) => {
        skipping!($case: $conditions, [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9] [
            B000 B001 B002 B003 B004 B005 B006 B007 B008 B009
            B010 B011 B012 B013 B014 B015 B016 B017 B018 B019
            B020 B021 B022 B023 B024 B025 B026 B027 B028 B029
            B030 B031 B032 B033 B034 B035 B036 B037 B038 B039
            B040 B041 B042 B043 B044 B045 B046 B047 B048 B049
            B050 B051 B052 B053 B054 B055 B056 B057 B058 B059
            B060 B061 B062 B063 B064 B065 B066 B067 B068 B069
            B070 B071 B072 B073 B074 B075 B076 B077 B078 B079
            B080 B081 B082 B083 B084 B085 B086 B087 B088 B089
            B090 B091 B092 B093 B094 B095 B096 B097 B098 B099
            B100 B101 B102 B103 B104 B105 B106 B107 B108 B109
            B110 B111 B112 B113 B114 B115 B116 B117 B118 B119
            B120 B121 B122 B123 B124 B125 B126 B127 B128 B129
            B130 B131 B132 B133 B134 B135 B136 B137 B138 B139
            B140 B141 B142 B143 B144 B145 B146 B147 B148 B149
            B150 B151 B152 B153 B154 B155 B156 B157 B158 B159
            B160 B161 B162 B163 B164 B165 B166 B167 B168 B169
            B170 B171 B172 B173 B174 B175 B176 B177 B178 B179
            B180 B181 B182 B183 B184 B185 B186 B187 B188 B189
        ]);
    };
}

skipping!(none_of_ten: by_one, [A0 A1 A2 A3 A4 A5 A6 A7 A8 A9] []);
of_two_hundred!(by_one_condition: by_one);
of_two_hundred!(each_by_its_own: each_by_its_own);
of_two_hundred!(by_state: by_state);
