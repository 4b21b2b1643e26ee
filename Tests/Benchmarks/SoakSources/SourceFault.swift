import HoldfastMediaModel
import TestRandomness

/// What happens to a source.
enum SourceFault: Hashable {
  /// Its server is killed, and started again after this time.
  case pulled(MediaTime)
  /// Its server is ended in good order, and started again.
  case restarted
  /// Its server is frozen for this time.
  case frozen(MediaTime)
  /// It goes on with a larger picture.
  case enlarged

  static let names = ["pulled", "restarted", "frozen", "enlarged"]

  var name: String { Self.names.first { "\(self)".hasPrefix($0) } ?? "" }

  /// Shorter and longer than a source may be silent before its connection is given up.
  private static let freezes = [MediaTime.milliseconds(1800), .seconds(5)]

  static func plan(pulls: Int, using random: inout SplitMix64) -> [SourceFault] {
    let pulled = (0..<pulls).map { _ in
      SourceFault.pulled(.milliseconds(.random(in: 100...2500, using: &random)))
    }
    return pulled + [.restarted] + freezes.map(SourceFault.frozen) + [.enlarged]
  }
}
