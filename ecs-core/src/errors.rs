//! The catalogue of errors, for the documentation only.
#![doc = include_str!("../docs/errors.md")]

/// One module for each page, so that each has an address of its own.
macro_rules! pages {
    ($($name:ident $file:literal;)*) => {$(
        #[doc = include_str!(concat!("../docs/errors/", $file, ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    e0001 "E0001";
    e0002 "E0002";
    e0003 "E0003";
    e0004 "E0004";
    e0005 "E0005";
    e0006 "E0006";
    e0007 "E0007";
    e0008 "E0008";
    e0010 "E0010";
    e0011 "E0011";
    e0012 "E0012";
    e0013 "E0013";
    e0014 "E0014";
    e0015 "E0015";
    e0016 "E0016";
    e0017 "E0017";
    e0018 "E0018";
    e0019 "E0019";
    e0020 "E0020";
    e0021 "E0021";
    e0022 "E0022";
    e0023 "E0023";
    e0024 "E0024";
    e0025 "E0025";
    e0030 "E0030";
    e0031 "E0031";
    e0032 "E0032";
    e0033 "E0033";
    e0034 "E0034";
    e0035 "E0035";
    e0050 "E0050";
    e0051 "E0051";
    e0052 "E0052";
    e0053 "E0053";
    e0054 "E0054";
    e0055 "E0055";
    e0056 "E0056";
    e0057 "E0057";
    e0058 "E0058";
    e0059 "E0059";
    e0060 "E0060";
    e0061 "E0061";
    e0062 "E0062";
    e0063 "E0063";
    e0064 "E0064";
    e0065 "E0065";
    e0066 "E0066";
    e0067 "E0067";
    e0068 "E0068";
    e0069 "E0069";
    e0070 "E0070";
    e0071 "E0071";
    e0072 "E0072";
    e0073 "E0073";
    e0074 "E0074";
    e0075 "E0075";
    e0076 "E0076";
    e0077 "E0077";
    e0078 "E0078";
    e0079 "E0079";
    e0081 "E0081";
}
