import HoldfastMediaModel
import HoldfastMediaSources
import Testing

@testable import HoldfastBroadcasting

private let lost = CaptureError(.lost, .video, device: "it", what: "lost", hint: "none")
private let busy = CaptureError(.busy, .video, device: "it", what: "busy", hint: "none")

private func delivered(_ number: Int) -> SourceMachine.Event { .delivered(number, summary: "s") }

/// Which source of a track counts: devices, files, and what takes their place.
@Suite struct SourceMachineTests {
  /// A track whose source has gone through `events`.
  private func machine(outlivesBroadcasts: Bool = true, _ events: [SourceMachine.Event]) -> SourceMachine {
    var machine = SourceMachine(.video, outlivesBroadcasts: outlivesBroadcasts)
    for event in events { _ = machine.handle(event) }
    return machine
  }

  @Test func `a device runs once it delivers its first item, and the opening is answered`() {
    var device = machine([.opened(1)])
    #expect(!device.isExpected(despite: lost))
    #expect(device.handle(delivered(1)) == [.report(.opened(.video, summary: "s")), .answer(1, nil)])
    #expect(device.state == .open(.running(1)) && device.isExpected(despite: lost))
  }

  @Test func `a device that fails before its first item is not reported lost`() {
    var device = machine([.opened(1)])
    #expect(device.handle(.failed(1, lost)) == [.answer(1, lost)])
    #expect(!device.isSearching(for: 1))
  }

  @Test func `a stand-in replaces a lost device until the device delivers again`() {
    var device = machine([.opened(1), delivered(1)])
    #expect(device.handle(.failed(1, lost)) == [.report(.lost(lost)), .standIn(1)])
    #expect(device.isSearching(for: 1))
    #expect(device.handle(.failed(1, lost)) == [] && device.isSearching(for: 1))
    #expect(device.handle(delivered(1)) == [.stopStandIn(1), .report(.back(.video, summary: "s"))])
    #expect(device.state == .open(.running(1)))
  }

  @Test func `a busy device is reported once, until its failure changes`() {
    var device = machine([.opened(1), delivered(1), .failed(1, lost)])
    let errors = [busy, busy, lost, busy]
    let told = errors.map { device.handle(.couldNotOpen(1, $0)) }
    #expect(told == [[.report(.busy(busy))], [], [], [.report(.busy(busy))]])
    #expect(device.handle(.failed(1, lost)) == [])
    #expect(device.handle(.couldNotOpen(1, busy)) == [])
  }

  @Test func `a known device that is missing at opening is searched for from the start`() {
    var device = machine([.opened(1), delivered(1), .closed, .opened(2)])
    #expect(device.handle(.deviceMissing(2, lost)) == [.report(.lost(lost)), .standIn(2)])
    #expect(device.isSearching(for: 2) && device.isExpected(despite: lost))
  }

  @Test func `a file starts with each broadcast, and its end is reported`() {
    var file = machine(outlivesBroadcasts: false, [.prepared])
    #expect(file.number == nil)
    for (number, end) in [
      (1, SourceMachine.Event.finished(1)), (2, .failed(2, lost)), (3, .couldNotOpen(3, lost)),
    ] {
      _ = file.handle(.started(number))
      if number < 3 { _ = file.handle(delivered(number)) }
      #expect(file.handle(end) == [.end(number == 1 ? nil : lost)])
      #expect(file.hasEnded && !file.isExpected(despite: lost))
    }
  }

  @Test func `a broadcast that no longer needs its source stops a file but not a device`() {
    var file = machine(outlivesBroadcasts: false, [.prepared, .started(1), delivered(1)])
    #expect(file.handle(.released) == [.stop(1)])
    var device = machine([.opened(1), delivered(1)])
    #expect(device.handle(.released) == [] && device.handle(.started(2)) == [])
    #expect(device.number == 1)
  }

  @Test(
    arguments: [
      (.opening(1), [.opened(1)]), (.running(1), [.opened(1), delivered(1)]),
      (.lost(1, isBusy: false), [.opened(1), delivered(1), .failed(1, lost)]), (.ready, [.prepared]),
      (.ended(1), [.prepared, .started(1), .finished(1)]),
    ] as [(SourceMachine.Current, [SourceMachine.Event])])
  func `a new source replaces the current one with its first item`(
    current: SourceMachine.Current, before: [SourceMachine.Event]
  ) {
    var track = machine(outlivesBroadcasts: before.first != .prepared, before)
    #expect(track.state == .open(current))
    #expect(track.handle(.switchRequested(to: 2)) == [])
    #expect(track.state == .switching(current, to: 2))
    let stop: [SourceMachine.Action] = current == .ready ? [] : [.stop(1)]
    #expect(track.handle(delivered(2)) == stop + [.report(.changed(.video, summary: "s")), .answer(2, nil)])
    #expect(track.state == .open(.running(2)) && track.isExpected(despite: lost))
    // What becomes of the old one is of no interest.
    #expect(track.handle(.failed(1, lost)) == [] && track.handle(.couldNotOpen(1, busy)) == [])
    #expect(track.state == .open(.running(2)))
  }

  @Test func `the old source can be lost and return while a switch is pending`() {
    var track = machine([.opened(1), delivered(1), .switchRequested(to: 2)])
    #expect(track.handle(.failed(1, lost)) == [.report(.lost(lost)), .standIn(1)])
    #expect(track.state == .switching(.lost(1, isBusy: false), to: 2))
    #expect(track.handle(delivered(1)) == [.stopStandIn(1), .report(.back(.video, summary: "s"))])
    #expect(track.number == 1 && track.isSwitching(to: 2))
  }

  @Test func `a switch that fails or is abandoned changes nothing`() {
    let running = machine([.opened(1), delivered(1)])
    for event in [SourceMachine.Event.failed(2, lost), .couldNotOpen(2, lost), .switchAbandoned(lost)] {
      var track = running
      _ = track.handle(.switchRequested(to: 2))
      #expect(track.handle(event) == [.answer(2, lost)])
      #expect(track == running)
      // Too late.
      #expect(track.handle(delivered(2)) == [] && track.handle(.switchAbandoned(lost)) == [])
      #expect(track == running)
    }
  }

  @Test func `a source that replaces a closed one counts as a new device`() {
    var file = machine(outlivesBroadcasts: false, [.prepared, .started(1), delivered(1), .closed])
    #expect(file.handle(.switchRequested(to: 2)) == [])
    #expect(file.state == .closed && file.outlivesBroadcasts && !file.isExpected(despite: lost))
  }

  @Test func `closing stops the current source and the one being switched to`() {
    var track = machine([.opened(1), delivered(1), .switchRequested(to: 2)])
    #expect(track.handle(.closed) == [.stop(1), .stop(2)])
    for event in [delivered(1), delivered(2), .failed(1, lost), .couldNotOpen(1, busy)] {
      #expect(track.handle(event) == [])
    }
    #expect(track.state == .closed)
  }

  @Test(arguments: [CaptureError.Kind.notPermitted, .unsuitable])
  func `a network source that says no is not waited for before it has delivered`(kind: CaptureError.Kind) {
    let no = CaptureError(kind, .video, device: "rtsp://h/***", what: "no", hint: "none", isRemote: true)
    var source = SourceMachine(.video, outlivesBroadcasts: true, isAwaited: true)
    #expect(source.isExpected(despite: lost) && !source.isExpected(despite: no))
    for event in [.opened(1), delivered(1)] { _ = source.handle(event) }
    #expect(source.isExpected(despite: no))
  }
}
