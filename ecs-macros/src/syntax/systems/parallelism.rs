//! Inner-parallelism strategies: `none_below_threshold(10_000, split_evenly(cores))`.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Result};
use syn::{Expr, ExprLit, Ident, Lit, LitBool, LitInt, Path, Token, UnOp, parenthesized, token};

use crate::error::{Errors, Fault};
use crate::similar::meant;
use crate::syntax::reading::named::name_of;
use crate::syntax::reading::recover;

/// How a system's entities are split into subtasks.
pub(crate) enum Strategy {
    None,
    SplitEvenly(Count),
    SplitEvenlyCores,
    SplitEvery(Count),
    NoneBelowThreshold(Count, Box<Strategy>),
    FixedThreshold(Count, Box<Strategy>, Box<Strategy>),
    /// A user-defined strategy, and the arguments of its composer, if any.
    User(Path, Vec<Argument>),
}

impl Strategy {
    /// Whether the strategy never makes several subtasks. For a user-defined strategy, `const` evaluation checks
    /// that.
    pub(crate) fn is_single(&self) -> bool {
        match self {
            Self::None | Self::User(..) => true,
            Self::SplitEvenly(_) | Self::SplitEvenlyCores | Self::SplitEvery(_) => false,
            Self::NoneBelowThreshold(_, from) => from.is_single(),
            Self::FixedThreshold(_, below, from) => below.is_single() && from.is_single(),
        }
    }

    /// Adds the numbers that are at least 1, and what each is. The meaning of a number for a user-defined composer is not
    /// known, and a threshold may be 0.
    pub(crate) fn counts<'a>(&'a self, counts: &mut Vec<(&'a Count, &'static str)>) {
        match self {
            Self::SplitEvenly(count) => counts.push((count, "the number of subtasks")),
            Self::SplitEvery(count) => counts.push((count, "the number of entities of a subtask")),
            Self::NoneBelowThreshold(_, from) => from.counts(counts),
            Self::FixedThreshold(_, below, from) => {
                below.counts(counts);
                from.counts(counts);
            }
            Self::User(_, arguments) => {
                for argument in arguments {
                    if let Argument::Strategy(strategy) = argument {
                        strategy.counts(counts);
                    }
                }
            }
            Self::None | Self::SplitEvenlyCores => {}
        }
    }
}

/// An argument of a user-defined composer.
pub(crate) enum Argument {
    Count(Count),
    Strategy(Strategy),
}

/// A number: a literal, or an expression that `const` evaluation computes.
pub(crate) struct Count(pub(crate) Expr);

impl Count {
    /// The value, if it is a literal.
    pub(crate) fn literal(&self) -> Option<u128> {
        match &self.0 {
            Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
            _ => None,
        }
    }
}

impl Parse for Count {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let value: Expr =
            input.parse().map_err(|error| syn::Error::new(error.span(), "expected a number"))?;
        let whole = match &value {
            Expr::Unary(unary) => !matches!(unary.op, UnOp::Neg(_)),
            Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
            _ => true,
        };
        if whole {
            Ok(Self(value))
        } else {
            let message = "expected a whole number that is not negative\nhelp: write `1` or more";
            Err(syn::Error::new_spanned(value, message))
        }
    }
}

const NAMES: [&str; 5] =
    ["none", "split_evenly", "split_every", "none_below_threshold", "fixed_threshold"];

/// The same in the same order, with arguments.
const WITH_ARGUMENTS: [&str; 5] = [
    "none",
    "split_evenly(cores)",
    "split_every(1_000)",
    "none_below_threshold(1_000, split_evenly(cores))",
    "fixed_threshold(1_000, none, split_evenly(cores))",
];

/// Reads a strategy. An unknown one is reported and counts as `none`.
pub(crate) fn parse(input: ParseStream<'_>, errors: &mut Errors) -> Result<Strategy> {
    // Parsed as a type path, the parentheses would be part of the path.
    let ahead = input.fork();
    if ahead.call(Path::parse_mod_style).is_ok() && ahead.peek(token::Paren) {
        let path = input.call(Path::parse_mod_style)?;
        let arguments;
        parenthesized!(arguments in input);
        let strategy = if is_users(&path) {
            Strategy::User(path, composed(&arguments, errors)?)
        } else {
            call(name_of(&path), &arguments, errors)?
        };
        if !arguments.is_empty() {
            return Err(arguments.error("expected `)`"));
        }
        return Ok(strategy);
    }
    if input.peek(LitBool) {
        unknown(&input.call(Ident::parse_any)?, &WITH_ARGUMENTS, errors);
        return Ok(Strategy::None);
    }
    if let Ok(number) = input.fork().parse::<LitInt>() {
        let help = format!("expected a strategy\nhelp: write `split_evenly({number})`");
        return Err(syn::Error::new(number.span(), help));
    }
    let path: Path = input.parse()?;
    let name = name_of(&path);
    if is_users(&path) {
        Ok(Strategy::User(path, Vec::new()))
    } else if name == "none" {
        Ok(Strategy::None)
    } else if let Some(at) = NAMES.iter().position(|known| name == known) {
        let help = format!("`{name}` needs arguments\nhelp: write `{}`", WITH_ARGUMENTS[at]);
        Err(syn::Error::new(name.span(), help))
    } else {
        unknown(name, &WITH_ARGUMENTS, errors);
        Ok(Strategy::None)
    }
}

/// Names of built-in strategies are single lower-case words. Other paths are types.
fn is_users(path: &Path) -> bool {
    path.segments.len() > 1 || !name_of(path).to_string().starts_with(char::is_lowercase)
}

/// Reads the arguments of a user-defined composer: numbers and strategies. A number that is not
/// a literal is in braces, as in types.
fn composed(arguments: ParseStream<'_>, errors: &mut Errors) -> Result<Vec<Argument>> {
    let mut all = Vec::new();
    while !arguments.is_empty() {
        all.push(if arguments.peek(Lit) || arguments.peek(token::Brace) {
            Argument::Count(arguments.parse()?)
        } else {
            Argument::Strategy(parse(arguments, errors)?)
        });
        if !arguments.is_empty() {
            arguments.parse::<Token![,]>()?;
        }
    }
    Ok(all)
}

fn call(name: &Ident, arguments: ParseStream<'_>, errors: &mut Errors) -> Result<Strategy> {
    let strategy = match name.to_string().as_str() {
        "split_evenly" => {
            let count: Count = arguments.parse()?;
            match &count.0 {
                Expr::Path(path) if path.path.is_ident("cores") => Strategy::SplitEvenlyCores,
                Expr::Path(path) if path.path.is_ident("core") => {
                    let message = "expected a number or `cores`\nhelp: did you mean `cores`?";
                    errors.syntax(&syn::Error::new_spanned(path, message));
                    Strategy::SplitEvenlyCores
                }
                _ => Strategy::SplitEvenly(count),
            }
        }
        "split_every" => Strategy::SplitEvery(arguments.parse()?),
        "none_below_threshold" => {
            let threshold = arguments.parse()?;
            arguments.parse::<Token![,]>()?;
            Strategy::NoneBelowThreshold(threshold, Box::new(parse(arguments, errors)?))
        }
        "fixed_threshold" => {
            let threshold = arguments.parse()?;
            arguments.parse::<Token![,]>()?;
            let below = parse(arguments, errors)?;
            arguments.parse::<Token![,]>()?;
            let from = parse(arguments, errors)?;
            Strategy::FixedThreshold(threshold, Box::new(below), Box::new(from))
        }
        "none" => {
            return Err(syn::Error::new(
                name.span(),
                "`none` has no arguments\nhelp: write `none`",
            ));
        }
        _ => {
            unknown(name, &NAMES, errors);
            while !arguments.is_empty() {
                recover::skip_token(arguments)?;
            }
            return Ok(Strategy::None);
        }
    };
    arguments.parse::<Option<Token![,]>>()?;
    Ok(strategy)
}

/// Reports an unknown strategy. A similar one is shown in its form, which has arguments unless the user wrote some.
fn unknown(name: &Ident, forms: &[&str; 5], errors: &mut Errors) {
    let word = name.to_string();
    let similar = meant(&word, &NAMES).and_then(|similar| {
        let at = NAMES.iter().position(|known| *known == similar)?;
        Some(forms[at].to_owned())
    });
    errors.report(name.span(), Fault::UnknownStrategy { word, similar });
}
