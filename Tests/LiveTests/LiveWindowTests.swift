import HoldfastMP4
import HoldfastMediaModel
import Testing

@testable import HoldfastLive

@Suite struct LiveWindowTests {
  private var window = LiveWindow()
  private var cursor = LiveCursor()

  private mutating func add(
    _ kind: TrackKind = .video, of track: Int = 0, at milliseconds: Int64, isKeyframe: Bool = false,
    size: Int = 10
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
  private mutating func add(seconds: Int64) {
    for tenth in 0..<seconds * 10 { add(at: tenth * 100, isKeyframe: tenth % 10 == 0) }
  }

  /// The decode times in milliseconds of what a viewer gets; a skip is its negative length.
  private mutating func read(max: Int = .max) -> [Int64] {
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

  @Test mutating func `a viewer begins at the newest keyframe and gets all that follows, once`() {
    add(seconds: 3)
    #expect(read() == Array(stride(from: 2000, through: 2900, by: 100)))
    #expect(read() == [])
    add(at: 3000, isKeyframe: true)
    add(.audio, of: 1, at: 2980)
    #expect(read() == [3000, 2980])
  }

  @Test mutating func `without a keyframe a viewer waits for one, and is told of no skip`() {
    for time in [Int64(0), 100] { add(at: time) }
    #expect(read() == [])
    add(at: 200, isKeyframe: true)
    #expect(read() == [200])
  }

  @Test mutating func `a viewer more than a second behind goes on with the newest keyframe, and is told`() {
    add(seconds: 2)
    #expect(read(max: 2) == [1000, 1100])
    for tenth in 20..<Int64(23) { add(at: tenth * 100, isKeyframe: tenth == 20) }
    #expect(window.lag(of: cursor) == .seconds(1))
    // Exactly a second behind is not too far.
    #expect(read(max: 1) == [1200])
    for tenth in 23..<Int64(26) { add(at: tenth * 100) }
    guard case .skipped(let skip) = window.step(&cursor) else {
      Issue.record("no skip")
      return
    }
    #expect(skip == .init(pictures: 7, from: .milliseconds(1200), length: .milliseconds(800)))
    #expect(read() == [2000, 2100, 2200, 2300, 2400, 2500])
  }

  @Test mutating func `a viewer far behind in the newest group stays in it`() {
    for tenth in 0..<Int64(100) { add(at: tenth * 100, isKeyframe: tenth == 0) }
    #expect(read().count == 100)
  }

  @Test mutating func `old groups are forgotten, but not those that a viewer may be in`() {
    add(seconds: 60)
    // The newest keyframe is at 59 s; what was before 57 s is gone.
    for (behind, time) in [(29, 59000), (10, 59000), (11, 58900)] as [(Int, Int64)] {
      cursor = LiveCursor(next: 60 * 10 - behind)
      #expect(read(max: 1) == [time])
    }
  }

  @Test mutating func `a group without end is bounded by time, and then by bytes`() {
    for tenth in 0..<Int64(400) { add(at: tenth * 100, isKeyframe: tenth == 0) }
    cursor = LiveCursor(next: 0, last: (pictures: 1, time: .zero))
    // Its keyframe is gone, so there is nothing until the next one, which tells what was left out.
    #expect(read() == [])
    add(at: 40000, isKeyframe: true, size: LiveWindow.maxBytes - 1)
    #expect(read() == [-40000, 40000])
    add(at: 40100, size: 2)
    cursor = LiveCursor()
    #expect(read() == [])
  }

  @Test mutating func `sound without pictures has a group each second`() {
    for tick in 0..<Int64(250) { add(.audio, at: tick * 20, isKeyframe: true, size: 1) }
    #expect(read().first == 4000)
  }
}
