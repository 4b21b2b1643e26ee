/// Whether an output may lower the bitrate of the encoder for its network.
package enum BitrateAdaptation: String, Hashable, Sendable, CaseIterable {
  /// While no other output gets the encoder's packets.
  case automatic = "auto"
  /// Also for the other outputs.
  case always = "true"
  case never = "false"
}
