//! Tokens that are written in many places.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens in a `Vec`. The compiler holds a `TokenStream`, and each interpolation of one in `quote!` is a call into it;
/// these are copied.
#[derive(Clone, Default)]
pub(crate) struct Tokens(Vec<TokenTree>);

impl Tokens {
    /// The same tokens, located at the user's token.
    pub(crate) fn located(&self, span: Span) -> Self {
        let located = |token: &TokenTree| {
            let mut token = token.clone();
            token.set_span(token.span().located_at(span));
            token
        };
        Self(self.0.iter().map(located).collect())
    }

    pub(crate) fn push(&mut self, token: TokenTree) {
        self.0.push(token);
    }
}

impl<const N: usize> From<[TokenTree; N]> for Tokens {
    fn from(tokens: [TokenTree; N]) -> Self {
        Self(tokens.into())
    }
}

impl From<TokenStream> for Tokens {
    fn from(tokens: TokenStream) -> Self {
        Self(tokens.into_iter().collect())
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}
