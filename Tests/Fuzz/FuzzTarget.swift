/// Something that takes bytes from outside and has to come through, whatever they are.
public struct FuzzTarget: Sendable {
  /// That of its folders in `Corpus` and `Findings`, too.
  public let name: String
  /// What a search begins with: conversations as they really go.
  public let seeds: @Sendable () -> [[UInt8]]
  /// Traps where what has to hold does not.
  public let run: @Sendable (_ input: borrowing Span<UInt8>) -> Void

  public static let all = [
    RTMPClientFuzz.target, RTMPServerFuzz.target, RTSPClientFuzz.target, RecordingFuzz.target,
  ]
}
