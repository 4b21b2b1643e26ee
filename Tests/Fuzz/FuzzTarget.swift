/// Code that must withstand any bytes from outside.
package struct FuzzTarget: Sendable {
  /// Also the name of its folders in `Corpus` and `Findings`.
  package let name: String
  /// Realistic conversations that a search starts from.
  package let seeds: @Sendable () -> [[UInt8]]
  /// Traps if a claim does not hold.
  package let run: @Sendable (_ input: borrowing Span<UInt8>) -> Void

  package static let all = [
    RTMPClientFuzz.target, RTMPServerFuzz.target, RTSPClientFuzz.target, RecordingFuzz.target,
  ]
}
