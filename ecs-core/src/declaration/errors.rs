//! The catalogue of errors, for the documentation only.
#![doc = include_str!("../../docs/errors.md")]

/// One module for each page, so that each has an address of its own.
macro_rules! pages {
    ($($name:ident $file:literal;)*) => {$(
        #[doc = include_str!(concat!("../../docs/errors/", $file, ".md"))]
        pub mod $name {}
    )*};
}

pages! {
    ecs0001 "ECS0001";
    ecs0002 "ECS0002";
    ecs0003 "ECS0003";
    ecs0004 "ECS0004";
    ecs0005 "ECS0005";
    ecs0006 "ECS0006";
    ecs0007 "ECS0007";
    ecs0008 "ECS0008";
    ecs0009 "ECS0009";
    ecs0010 "ECS0010";
    ecs0011 "ECS0011";
    ecs0012 "ECS0012";
    ecs0013 "ECS0013";
    ecs0014 "ECS0014";
    ecs0015 "ECS0015";
    ecs0016 "ECS0016";
    ecs0017 "ECS0017";
    ecs0018 "ECS0018";
    ecs0019 "ECS0019";
    ecs0020 "ECS0020";
    ecs0021 "ECS0021";
    ecs0022 "ECS0022";
    ecs0023 "ECS0023";
    ecs0024 "ECS0024";
    ecs0025 "ECS0025";
    ecs0026 "ECS0026";
    ecs0027 "ECS0027";
    ecs0028 "ECS0028";
    ecs0029 "ECS0029";
    ecs0030 "ECS0030";
    ecs0031 "ECS0031";
    ecs0032 "ECS0032";
    ecs0033 "ECS0033";
    ecs0034 "ECS0034";
    ecs0035 "ECS0035";
    ecs0036 "ECS0036";
    ecs0037 "ECS0037";
    ecs0038 "ECS0038";
    ecs0039 "ECS0039";
    ecs0040 "ECS0040";
    ecs0041 "ECS0041";
    ecs0042 "ECS0042";
    ecs0043 "ECS0043";
    ecs0044 "ECS0044";
    ecs0045 "ECS0045";
    ecs0046 "ECS0046";
    ecs0047 "ECS0047";
    ecs0048 "ECS0048";
    ecs0049 "ECS0049";
    ecs0050 "ECS0050";
    ecs0051 "ECS0051";
    ecs0052 "ECS0052";
    ecs0053 "ECS0053";
    ecs0054 "ECS0054";
    ecs0055 "ECS0055";
    ecs0056 "ECS0056";
    ecs0057 "ECS0057";
    ecs0058 "ECS0058";
    ecs0059 "ECS0059";
    ecs0060 "ECS0060";
    ecs0061 "ECS0061";
    ecs0062 "ECS0062";
    ecs0063 "ECS0063";
    ecs0064 "ECS0064";
    ecs0065 "ECS0065";
    ecs0066 "ECS0066";
    ecs0067 "ECS0067";
    ecs0068 "ECS0068";
    ecs0069 "ECS0069";
    ecs0070 "ECS0070";
    ecs0071 "ECS0071";
    ecs0072 "ECS0072";
    ecs0073 "ECS0073";
    ecs0074 "ECS0074";
    ecs0075 "ECS0075";
    ecs0076 "ECS0076";
    ecs0077 "ECS0077";
    ecs0078 "ECS0078";
    ecs0079 "ECS0079";
    ecs0081 "ECS0081";
    ecs0082 "ECS0082";
    ecs0083 "ECS0083";
    ecs0084 "ECS0084";
    ecs0085 "ECS0085";
    ecs0086 "ECS0086";
    ecs0087 "ECS0087";
    ecs0088 "ECS0088";
    ecs0089 "ECS0089";
    ecs0096 "ECS0096";
    ecs0097 "ECS0097";
    ecs0098 "ECS0098";
    ecs0099 "ECS0099";
    ecs0100 "ECS0100";
    ecs0101 "ECS0101";
    ecs0102 "ECS0102";
    ecs0113 "ECS0113";
    ecs0114 "ECS0114";
    ecs0115 "ECS0115";
    ecs0116 "ECS0116";
    ecs0120 "ECS0120";
    ecs0121 "ECS0121";
    ecs0122 "ECS0122";
    ecs0123 "ECS0123";
    ecs0124 "ECS0124";
    ecs0140 "ECS0140";
    ecs0141 "ECS0141";
    ecs0142 "ECS0142";
    ecs0143 "ECS0143";
    ecs0150 "ECS0150";
    ecs0151 "ECS0151";
    ecs0152 "ECS0152";
    ecs0153 "ECS0153";
    ecs0154 "ECS0154";
    ecs0130 "ECS0130";
    ecs0131 "ECS0131";
}
