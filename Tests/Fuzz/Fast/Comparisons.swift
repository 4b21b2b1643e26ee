// Discards libFuzzer's comparison hooks in a fast run: they cost a third of the time, and
// swiftc has no option to omit them.

@c(__wrap___sanitizer_cov_trace_cmp1) package func compared1(_ left: UInt8, _ right: UInt8) {}
@c(__wrap___sanitizer_cov_trace_cmp2) package func compared2(_ left: UInt16, _ right: UInt16) {}
@c(__wrap___sanitizer_cov_trace_cmp4) package func compared4(_ left: UInt32, _ right: UInt32) {}
@c(__wrap___sanitizer_cov_trace_cmp8) package func compared8(_ left: UInt64, _ right: UInt64) {}
@c(__wrap___sanitizer_cov_trace_const_cmp1) package func comparedConstant1(_ left: UInt8, _ right: UInt8) {}
@c(__wrap___sanitizer_cov_trace_const_cmp2) package func comparedConstant2(_ left: UInt16, _ right: UInt16) {}
@c(__wrap___sanitizer_cov_trace_const_cmp4) package func comparedConstant4(_ left: UInt32, _ right: UInt32) {}
@c(__wrap___sanitizer_cov_trace_const_cmp8) package func comparedConstant8(_ left: UInt64, _ right: UInt64) {}
