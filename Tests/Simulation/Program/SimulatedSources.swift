import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastMediaSources
import TestVirtualTime

/// Opens and closes the camera and the microphone, one request after another, with a delay.
final class SimulatedSources {
  private unowned let process: SimulatedProcess
  /// The pending requests: an open with its number, or nil for a close.
  private var requests: [Int?] = []
  private(set) var areNeeded = false
  private(set) var isOpen = false
  /// Whether the devices have been open before, so that the program waits for their return.
  private var haveBeenOpen = false
  private var lost: Set<TrackKind> = []

  init(_ process: SimulatedProcess) { self.process = process }

  private var missing: Set<TrackKind> { Set(TrackKind.allCases).subtracting(process.devices.present) }

  func open(_ number: Int) {
    process.world.expect(!areNeeded, "opens devices twice")
    areNeeded = true
    add(number)
  }

  func close() {
    process.world.expect(areNeeded, "closes devices that are not open")
    areNeeded = false
    add(nil)
  }

  private func add(_ request: Int?) {
    requests.append(request)
    if requests.count == 1 { next() }
  }

  private func next() {
    guard let request = requests.first else { return }
    process.after(process.randomness.length(.ms(50), .ms(600))) { [self] in
      if let request { carryOutOpening(request) } else { carryOutClosing() }
      requests.removeFirst()
      next()
    }
  }

  private func carryOutOpening(_ number: Int) {
    if let track = missing.min(by: { $0.rawValue < $1.rawValue }),
      !haveBeenOpen || missing.count == TrackKind.allCases.count
    {
      if requests.count == 1 { areNeeded = false }
      return process.post(.failed(number, error(track)))
    }
    (isOpen, haveBeenOpen, lost) = (true, true, [])
    process.post(.opened(number, OpenTracks(Set(TrackKind.allCases))))
    reportChanges()
  }

  private func carryOutClosing() {
    isOpen = false
    process.post(.closed)
  }

  /// Reports a loss after half a second of silence, and a return slightly sooner.
  func deviceChanged(_ track: TrackKind) {
    guard isOpen else { return }
    process.newest?.deviceChanged(track)
    process.after(missing.contains(track) ? .ms(500) : .ms(300)) { [self] in reportChanges() }
  }

  private func reportChanges() {
    guard isOpen else { return }
    for track in TrackKind.allCases where lost.contains(track) != missing.contains(track) {
      if lost.remove(track) == nil {
        lost.insert(track)
        process.post(.source(.lost(error(track))))
      } else {
        process.post(.source(.back(track, summary: "back")))
      }
    }
  }

  private func error(_ track: TrackKind) -> CaptureError {
    CaptureError(.lost, track, device: track.rawValue, what: "gone", hint: "wait")
  }
}
