/// Something that takes bytes from outside and has to come through, whatever they are.
package struct FuzzTarget: Sendable {
  /// That of its folders in `Corpus` and `Findings`, too.
  package let name: String
  /// What a search begins with: conversations as they really go.
  package let seeds: @Sendable () -> [[UInt8]]
  /// Traps where what has to hold does not.
  package let run: @Sendable (_ input: borrowing Span<UInt8>) -> Void

  package static let all = [
    RTMPClientFuzz.target, RTMPServerFuzz.target, RTSPClientFuzz.target, RecordingFuzz.target,
  ]
}
