import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// Tells the hub how much like speech the box's sound is, while it is. What can't be told at once is never told.
final class SoundReports: Sendable {
  private let place: HubRequests.Place
  private let requests: HubRequests
  private let listen: @Sendable () -> [Double]
  /// Nil while no hub takes reports.
  private let lease = Locked<String?>(nil)
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  private static let interval = MediaTime.milliseconds(300)
  /// Sound is no reason to keep a hub busy that doesn't answer.
  private static let pause = MediaTime.seconds(5)

  /// `listen` returns how loud each 20 ms were since it was asked last, in dB of full scale.
  init(
    to place: HubRequests.Place, _ requests: HubRequests, listen: @escaping @Sendable () -> [Double]
  ) throws(SystemError) {
    (self.place, self.requests, self.listen) = (place, requests, listen)
    stopSignal = try Wakeup()
    try thread.start(name: "session-sound") { [self] in run() }
  }

  func use(_ lease: String?) { self.lease.withLock { $0 = lease } }

  func stop() {
    stopSignal.signal()
    thread.join()
  }

  private func run() {
    var client = HTTPClient(place.address.origin, tls: place.tls, stop: stopSignal)
    var meter = Session.SpeechMeter()
    var wasHeard = false
    var next = MonotonicTime.now
    while !stopSignal.wait(until: next) {
      next = .now + Self.interval
      for loudness in listen() { meter.add(loudness) }
      let sound = meter.sound
      // The last one says that there is nothing more.
      guard let lease = lease.withLock({ $0 }), sound.isHeard || wasHeard else { continue }
      wasHeard = sound.isHeard
      let request = requests.request("POST", "levels", lease: lease, sound.json)
      do throws(HTTPClientError) {
        let response = try client.send(request, within: .seconds(1))
        if !response.isSuccess { forget(lease) }
      } catch {
        next = .now + Self.pause
      }
    }
  }

  /// Whether it is over is for the next beat to find out.
  private func forget(_ refused: String) {
    lease.withLock { lease in if lease == refused { lease = nil } }
  }
}
