import HoldfastHub
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

extension MediaAdmission {
  /// Members publish and play by what the hub of `keys` has given them.
  static func keys(of keys: HubKeys) -> MediaAdmission {
    MediaAdmission(
      publish: { stream, key, _ in
        keys.publishGrant(key ?? "", stream: stream, at: .now) == nil ? .refuse : .admit(takesOver: true)
      }, play: { stream, key in keys.playGrant(key ?? "", stream: stream, at: .now) != nil })
  }
}
