//! Tests of the bytes of values.
