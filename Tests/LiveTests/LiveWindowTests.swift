import HoldfastMP4
import HoldfastMediaModel
import Testing

@testable import HoldfastLive

@Suite struct LiveWindowTests {
  private func add(
    _ kind: TrackKind = .video, of track: Int = 0, at milliseconds: Int64, isKeyframe: Bool = false,
    size: Int = 10, to window: inout LiveWindow
  ) {
    let time = MediaTime.milliseconds(milliseconds)
    window.add(
      MediaPacket(
        track: kind, decodeTime: time, presentationTime: time, duration: .milliseconds(20),
        isKeyframe: isKeyframe || kind == .audio, bytes: [UInt8](repeating: 1, count: size)),
      as: FragmentSample(
        size: size, decodeTime: milliseconds, delay: 0, duration: 20, isKeyframe: isKeyframe),
      of: track)
  }

  /// Groups of pictures 100 ms apart, with a keyframe each second.
  private func window(ofSeconds seconds: Int64) -> LiveWindow {
    var window = LiveWindow()
    for tenth in 0..<seconds * 10 { add(at: tenth * 100, isKeyframe: tenth % 10 == 0, to: &window) }
    return window
  }

  /// The decode times in milliseconds of what a viewer gets; a skip is its negative length.
  private func read(_ window: LiveWindow, _ cursor: inout LiveCursor, max: Int = .max) -> [Int64] {
    var times: [Int64] = []
    while times.count < max {
      switch window.step(&cursor) {
      case .entry(let entry): times.append(entry.sample.decodeTime)
      case .skipped(let skip): times.append(-skip.length.ticks(timescale: 1000))
      case .nothing: return times
      }
    }
    return times
  }

  @Test func `a viewer begins at the newest keyframe and gets all that follows, once`() {
    var window = window(ofSeconds: 3)
    var cursor = LiveCursor()
    #expect(read(window, &cursor) == Array(stride(from: 2000, through: 2900, by: 100)))
    #expect(read(window, &cursor) == [])
    add(at: 3000, isKeyframe: true, to: &window)
    add(.audio, of: 1, at: 2980, to: &window)
    #expect(read(window, &cursor) == [3000, 2980])
  }

  @Test func `without a keyframe a viewer waits for one, and is told of no skip`() {
    var window = LiveWindow()
    var cursor = LiveCursor()
    for time in [Int64(0), 100] { add(at: time, to: &window) }
    #expect(read(window, &cursor) == [])
    add(at: 200, isKeyframe: true, to: &window)
    #expect(read(window, &cursor) == [200])
  }

  @Test func `a viewer more than a second behind goes on with the newest keyframe, and is told`() {
    var window = window(ofSeconds: 2)
    var cursor = LiveCursor()
    #expect(read(window, &cursor, max: 2) == [1000, 1100])
    for tenth in 20..<Int64(23) { add(at: tenth * 100, isKeyframe: tenth == 20, to: &window) }
    #expect(window.lag(of: cursor) == .seconds(1))
    // Exactly a second behind is not too far.
    #expect(read(window, &cursor, max: 1) == [1200])
    for tenth in 23..<Int64(26) { add(at: tenth * 100, to: &window) }
    guard case .skipped(let skip) = window.step(&cursor) else {
      Issue.record("no skip")
      return
    }
    #expect(
      skip == LiveWindow.Skip(pictures: 7, from: .milliseconds(1200), length: .milliseconds(800)))
    #expect(read(window, &cursor) == [2000, 2100, 2200, 2300, 2400, 2500])
  }

  @Test func `a viewer far behind in the newest group stays in it`() {
    var window = LiveWindow()
    for tenth in 0..<Int64(100) { add(at: tenth * 100, isKeyframe: tenth == 0, to: &window) }
    var cursor = LiveCursor()
    #expect(read(window, &cursor).count == 100)
  }

  @Test func `old groups are forgotten, but not those that a viewer may be in`() {
    let window = window(ofSeconds: 60)
    var cursor = LiveCursor(next: 60 * 10 - 29)
    // The newest keyframe is at 59 s; what was before 57 s is gone.
    #expect(read(window, &cursor, max: 1) == [59000])
    cursor = LiveCursor(next: 60 * 10 - 10)
    #expect(read(window, &cursor, max: 1) == [59000])
    cursor = LiveCursor(next: 60 * 10 - 11)
    #expect(read(window, &cursor, max: 1) == [58900])
  }

  @Test func `a group without end is bounded by time, and then by bytes`() {
    var window = LiveWindow()
    for tenth in 0..<Int64(400) { add(at: tenth * 100, isKeyframe: tenth == 0, to: &window) }
    var cursor = LiveCursor(next: 0, last: (pictures: 1, time: .zero))
    // Its keyframe is gone, so there is nothing until the next one, which tells what was left out.
    #expect(read(window, &cursor) == [])
    add(at: 40000, isKeyframe: true, size: LiveWindow.maxBytes - 1, to: &window)
    #expect(read(window, &cursor) == [-40000, 40000])
    add(at: 40100, size: 2, to: &window)
    var next = LiveCursor()
    #expect(read(window, &next) == [])
  }

  @Test func `sound without pictures has a group each second`() {
    var window = LiveWindow()
    for tick in 0..<Int64(250) { add(.audio, at: tick * 20, isKeyframe: true, size: 1, to: &window) }
    var cursor = LiveCursor()
    #expect(read(window, &cursor).first == 4000)
  }
}
