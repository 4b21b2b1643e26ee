import HoldfastHTTP
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastSession

/// Sends the hub the speech scores of the box's sound while somebody speaks. A report that can't be sent at once is dropped.
final class SoundReports: Sendable {
  private let place: HubRequests.Place
  private let requests: HubRequests
  private let listen: @Sendable () -> [Double]
  /// Nil before the first beat, and after a refusal.
  private let lease = Locked<String?>(nil)
  private let stopSignal: Wakeup
  private let thread = ThreadSlot()

  private static let interval = MediaTime.milliseconds(300)
  /// After a hub that did not answer.
  private static let pause = MediaTime.seconds(5)

  /// `listen` returns the loudness of each 20 ms since its last call, in dB of full scale.
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
      // One more report tells the hub that the speech is over.
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

  /// The next beat finds out why, and brings the lease that counts.
  private func forget(_ refused: String) { lease.withLock { lease in if lease == refused { lease = nil } } }
}
