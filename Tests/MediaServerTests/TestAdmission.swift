import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

/// What an embedder decides, changed by the test: a key for each stream to publish, and one for all to play.
final class TestAdmission: Sendable {
  struct Rules: Sendable {
    /// By stream.
    var keys = ["cam": "cam-1", "other": "other-1"]
    var playKey: String? = "play-1"
    var takesOver = false
  }

  private let rules = Locked(Rules())
  private let judgedPublishes = Locked<[String]>([])

  func change(_ body: (inout Rules) -> Void) { rules.withLock(body) }

  /// Each publish judged: stream, key and type.
  var judged: [String] { judgedPublishes.withLock { $0 } }

  var admission: MediaAdmission {
    MediaAdmission(
      publish: { [self] stream, key, type, _ in
        judgedPublishes.withLock { $0.append("\(stream) \(key ?? "-") \(type.rawValue)") }
        let rules = rules.withLock { $0 }
        return key != nil && rules.keys[stream] == key ? .admit(takesOver: rules.takesOver) : .refuse
      },
      play: { [self] _, key, _ in
        let playKey = rules.withLock { $0.playKey }
        return key != nil && key == playKey
      })
  }
}
