package import HoldfastMediaModel

/// Decides who may publish and play. The closures run on the server's thread, for each attempt and again at a
/// revalidation, and must not block. `stream` is NAME, or APPLICATION/NAME if the application is not `live`; `key` is
/// the argument of that name of the stream or else of the application.
package struct MediaAdmission: Sendable {
  package enum PublishVerdict: Hashable, Sendable {
    /// With `takesOver` an older publish of the stream ends; without, it keeps the name.
    case admit(takesOver: Bool = false)
    case refuse
  }

  package enum Occasion: Hashable, Sendable {
    case start
    /// Of who was admitted before: a key that has expired since then may do.
    case revalidation
  }

  package typealias PublishJudgement =
    @Sendable (_ stream: String, _ key: String?, _ type: PublishType, _ occasion: Occasion) -> PublishVerdict
  package typealias PlayJudgement = @Sendable (_ stream: String, _ key: String?, _ occasion: Occasion) -> Bool

  /// Nil admits every publisher.
  let publish: PublishJudgement?
  /// Nil admits every player.
  let play: PlayJudgement?

  package init(publish: PublishJudgement?, play: PlayJudgement?) {
    self.publish = publish
    self.play = play
  }

  package static let everyone = MediaAdmission(publish: nil, play: nil)

  /// Anyone may play, and publish with one of `keys`.
  package static func keys(_ keys: Set<String>) -> MediaAdmission {
    MediaAdmission(
      publish: { _, key, _, _ in key.map(keys.contains) == true ? .admit() : .refuse }, play: nil)
  }
}
