import HoldfastMediaModel
import HoldfastMediaSources
package import HoldfastPlatform
import HoldfastSession

/// Where and how a hub plays what members publish.
package struct TilePuller: Sendable {
  private let addresses: MediaAddresses
  private let tls: TLSSettings

  /// `addresses` says where members are played from.
  package init(_ addresses: MediaAddresses, tls: TLSSettings = TLSSettings()) {
    self.addresses = addresses
    self.tls = tls
  }

  var canPlay: Bool { addresses.canPlay }

  /// With a fresh key; nil where members can't be played.
  func settings(
    of member: Session.Member.ID, _ rendition: Session.Rendition, in name: Session.Name, epoch: UInt64,
    _ keys: HubKeys, at now: WallTime
  ) -> NetworkSettings? {
    let text = addresses.play(member, rendition, in: HubKeys.digest(of: name), keys, epoch: epoch, at: now)
    guard let address = text.flatMap({ try? SourceAddress($0) }) else { return nil }
    var settings = NetworkSettings(address)
    settings.caFile = tls.caFile
    settings.isVerified = tls.isVerified
    return settings
  }
}
