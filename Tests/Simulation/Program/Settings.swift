import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import TestRandomness
import TestVirtualTime

/// The random configuration of a simulated program.
struct Settings {
  enum Gate: Hashable { case none, passes, refuses, silent }

  var records = true
  var outputs = 1
  var publishType = PublishType.record
  var catchesUp = false
  var gate = Gate.none
  var passesOnGateTimeout = true
  var asksGateOnResume = false
  var hasPreview = false
  /// In media time.
  var duration: Int64?
  var window: Int64 = .s(120)
  var maxDuration: Int64?

  init(_ randomness: inout SplitMix64) {
    outputs = randomness.below(4)
    records = outputs == 0 || randomness.chance(85)
    publishType = randomness.chance(10) ? .live : .record
    catchesUp = randomness.chance(30)
    gate = randomness.pick([.none, .none, .passes, .passes, .silent, .refuses])
    passesOnGateTimeout = randomness.chance(70)
    hasPreview = randomness.chance(20)
    duration = randomness.chance(15) ? randomness.length(.minutes(10), .hours(8)) : nil
    window = randomness.pick([.s(120), .s(120), .s(120), .s(1), .s(10), .minutes(30)])
    asksGateOnResume = randomness.chance(20)
    maxDuration = randomness.chance(30) ? randomness.length(.minutes(5), .hours(6)) : nil
  }

  var configuration: Configuration {
    var configuration = Configuration()
    configuration.session.preview = hasPreview
    configuration.session.resumeWindow = MediaTime(nanoseconds: window)
    configuration.session.timer.maxDuration = maxDuration.map(MediaTime.init)
    configuration.session.gate.onTimeout = passesOnGateTimeout ? .pass : .refuse
    configuration.session.gate.onResume = asksGateOnResume
    return configuration
  }

  func output(id: String, wasAccepted: Bool) -> Output.Settings {
    guard let address = try? OutputAddress("rtmp://server/live/key") else {
      preconditionFailure("no address")
    }
    var settings = Output.Settings(id: id, address: address)
    settings.publishType = publishType
    settings.hasPublished = wasAccepted
    settings.outage = catchesUp ? .catchUp : .live
    return settings
  }
}
