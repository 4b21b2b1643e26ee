import HoldfastLifecycle
import HoldfastMediaModel
import Testing

@testable import HoldfastBroadcasting

private func snapshot(drift: Double? = nil, bytes: Int64 = 0) -> Snapshot {
  var snapshot = Snapshot()
  snapshot.state = .live
  snapshot.mediaTime = .milliseconds(83_999)
  snapshot.framesPerSecond = 29.97
  snapshot.bitsPerSecond = 2_480_000
  snapshot.audioLevel = -18.2
  snapshot.audioPeak = -6
  snapshot.driftPPM = drift
  snapshot.recordedBytes = bytes
  return snapshot
}

@Suite struct StatusLineTests {
  @Test(arguments: [
    (
      200,
      "● live 0:01:23  30.0 fps  2.48 Mb/s  dropped 0  xruns 0  26 MB  drift +12 ppm  ▕███████████▏  │ ▏ -18 dB"
    ),
    (82, "● live 0:01:23  30.0 fps  2.48 Mb/s  dropped 0  xruns 0  26 MB  ▕██████▎ │▏ -18 dB"),
    (72, "● live 0:01:23  30.0 fps  2.48 Mb/s  dropped 0  xruns 0  ▕████▏│▏ -18 dB"),
    (63, "● live 0:01:23  30.0 fps  2.48 Mb/s  dropped 0  ▕████▏│▏ -18 dB"),
    (40, "● live 0:01:23  30.0 fps  2.48 Mb/s"), (24, "● live 0:01:23  30.0 fps"), (14, "● live 0:01:23"),
    (6, "● live"), (0, ""), (-5, ""),
  ])
  func `a narrow status line leaves out what matters least`(columns: Int, line: String) {
    let text = StatusLine.text(for: snapshot(drift: 12.3, bytes: 26_000_000), columns: columns)
    #expect(text == line)
  }

  @Test func `a status line is never wider than the window`() throws {
    for columns in -1...160 {
      for drift in [nil, -300.0] {
        let text = StatusLine.text(for: snapshot(drift: drift, bytes: 1_234_000_000), columns: columns)
        try #require(text.count <= max(0, columns), "\(text)")
      }
    }
  }

  @Test func `losses stay in a narrow status line`() {
    var snapshot = snapshot()
    snapshot.droppedPictures = 7
    snapshot.xruns = 2
    #expect(StatusLine.text(for: snapshot, columns: 36) == "● live 0:01:23  dropped 7  xruns 2")
  }

  @Test func `a status line without sound has no level meter`() {
    var snapshot = Snapshot()
    snapshot.audioLevel = nil
    #expect(
      StatusLine.text(for: snapshot, columns: 80) == "○ starting 0:00:00  0.0 fps  0 kb/s  dropped 0  xruns 0"
    )
  }

  @Test func `a log line gives the status in words`() {
    #expect(
      StatusLine.plainText(for: snapshot(drift: -0.2, bytes: 26_000_000))
        == "live 0:01:23: 30.0 fps, 2.48 Mb/s, dropped 0, xruns 0, 26 MB, drift 0 ppm, audio -18 dB (peak -6 dB)"
    )
  }
}

@Suite struct LevelMeterTests {
  @Test(
    arguments: [
      (0, nil, "▕████████▏"), (6, nil, "▕████████▏"), (-60, nil, "▕        ▏"), (-200, -200, "▕        ▏"),
      (-30, nil, "▕████    ▏"), (-30, -30, "▕████│   ▏"), (-30, 0, "▕████   │▏"), (-30, 12, "▕████   │▏"),
      (-29, nil, "▕████▏   ▏"), (-Double.infinity, nil, "▕        ▏"), (.nan, .nan, "▕        ▏"),
      (-59.1, nil, "▕▏       ▏"), (-3, -2, "▕███████▋▏"),
    ] as [(Double, Double?, String)])
  func `a level bar fills in eighths and marks the peak`(level: Double, peak: Double?, bar: String) {
    #expect(LevelMeter.bar(level: level, peak: peak, cells: 8) == bar)
  }

  @Test(arguments: [
    (-18.4, "-18 dB"), (-5.6, " -6 dB"), (0, "  0 dB"), (-0.3, "  0 dB"), (-.infinity, " -∞ dB"),
    (.nan, " -∞ dB"), (1e300, " 99 dB"),
  ])
  func `a decibel value always has the same width`(value: Double, text: String) {
    #expect(LevelMeter.decibels(value) == text)
  }
}

@Suite struct FiguresTests {
  @Test(arguments: [
    (2.48, 2, "2.48"), (0.005, 2, "0.01"), (0, 3, "0.000"), (-0.001, 2, "0.00"), (-1.5, 1, "-1.5"),
    (9.96, 1, "10.0"), (1e300, 1, "–"), (.nan, 0, "–"), (12.5, 0, "13"),
  ])
  func `decimals in the status line are rounded`(value: Double, places: Int, text: String) {
    #expect(Figures.decimal(value, places: places) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
    (9_900_000, "9.9 MB"), (9_950_000, "10 MB"), (187_400_000, "187 MB"), (999_600_000, "1.00 GB"),
    (1_234_000_000, "1.23 GB"),
  ])
  func `byte counts are formatted with fitting units`(count: Int64, text: String) {
    #expect(Figures.bytes(count) == text)
  }

  @Test(arguments: [(0, "0 kb/s"), (128_000, "128 kb/s"), (999_600, "1.00 Mb/s"), (2_480_000, "2.48 Mb/s")])
  func `bit rates are formatted with units`(rate: Double, text: String) {
    #expect(Figures.rate(rate) == text)
  }
}

@Suite struct TimerStatusTests {
  private func timer() -> SessionTimer {
    var settings = SessionTimer.Settings()
    settings.maxDuration = .seconds(100)
    settings.maxTotal = .seconds(150)
    var timer = SessionTimer(settings)
    _ = timer.handle(.wentLive, at: .seconds(1000))
    return timer
  }

  private func wall(_ seconds: Int64) -> WallTime { WallTime(nanoseconds: seconds * 1_000_000_000) }

  @Test(arguments: [50_000, 90_000] as [Int64])
  func `a session's start and end are shown by the wall clock, which moves them but not the time left`(
    start: Int64
  ) {
    let status = TimerStatus(timer(), at: .seconds(1030), wall: wall(start + 30))
    #expect(status.startedAt == wall(start) && status.endsAt == wall(start + 100))
    #expect(status.secondsLeft == 70 && status.length == .seconds(100) && status.most == .seconds(150))
  }

  @Test func `a timer that has not started has no start, end or remaining time`() {
    let status = TimerStatus(SessionTimer(), at: .seconds(1), wall: wall(1))
    #expect(
      status.state == .off && status.startedAt == nil && status.endsAt == nil && status.secondsLeft == nil)
  }
}
