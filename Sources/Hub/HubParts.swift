import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastStores

/// What the routes of a hub share.
final class HubParts: Sendable {
  let service: HubService
  let stores: StorePool
  let feeds: SessionFeeds
  let guesses = PasswordGuesses()
  private let upkeep: Upkeep

  init(_ service: HubService, _ stores: StorePool, _ feeds: SessionFeeds, _ upkeep: Upkeep) {
    self.service = service
    self.stores = stores
    self.feeds = feeds
    self.upkeep = upkeep
  }

  /// A change may have been made here: readers are not to wait for the next look.
  func noteChange() { upkeep.noteChange() }

  var trouble: StoreError? { upkeep.trouble }

  var metrics: PrometheusText {
    var page = PrometheusText()
    page.add(
      "holdfast_hub_store_up", .gauge, "Whether the store answers.", trouble == nil ? 1 : 0)
    page.add(
      "holdfast_hub_read_sessions", .gauge, "Sessions whose events somebody reads here.",
      Double(feeds.all.count))
    page.add(
      "holdfast_hub_wrong_passwords_total", .counter, "Joins with a wrong password.", Double(guesses.count))
    return page
  }
}
