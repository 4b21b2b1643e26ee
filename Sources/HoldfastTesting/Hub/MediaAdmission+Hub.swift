import HoldfastHub
import HoldfastMediaModel
import HoldfastMediaServer
import HoldfastPlatform

extension MediaAdmission {
  /// Members publish and play by what the hub of `keys` has given them.
  static func keys(of keys: HubKeys) -> MediaAdmission {
    MediaAdmission(
      publish: { stream, key, _, occasion in
        keys.publishGrant(key ?? "", stream: stream, at: occasion == .start ? .now : nil) == nil
          ? .refuse : .admit(takesOver: true)
      },
      play: { stream, key, occasion in
        keys.playGrant(key ?? "", stream: stream, at: occasion == .start ? .now : nil) != nil
      })
  }
}
