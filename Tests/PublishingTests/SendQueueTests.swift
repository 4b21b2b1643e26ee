import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastPublishing

@Suite struct SendQueueTests {
  private func queue(_ limits: SendQueue.Limits = .init(), hasVideo: Bool = true) throws -> SendQueue {
    SendQueue(limits: limits, hasVideo: hasVideo, wakeup: try Wakeup())
  }

  private func all(_ queue: SendQueue) -> [MediaPacket] { Array(AnyIterator { queue.take() }) }

  @Test func `a queue that has not begun keeps the newest keyframe and what follows`() throws {
    let queue = try queue()
    for number in 0..<70 { queue.offer(SamplePackets.picture(number)) }
    _ = queue.begin(isFresh: false, maxAge: .zero)
    #expect(all(queue) == (60..<70).map { SamplePackets.picture($0) })
    #expect(queue.takeLoss().pictures == 60)
  }

  @Test func `a fresh beginning drops what waits, and requests a keyframe`() throws {
    let queue = try queue()
    for number in 0..<20 { queue.offer(SamplePackets.picture(number)) }
    #expect(queue.begin(isFresh: true, maxAge: .milliseconds(250)))
    let keyframe = SamplePackets.picture(21, isKeyframe: true)
    queue.offer(SamplePackets.picture(20), SamplePackets.sound(33), keyframe, SamplePackets.sound(35))
    #expect(all(queue) == [keyframe, SamplePackets.sound(35)])
  }

  @Test(arguments: [false, true])
  func `sound that comes before its keyframe goes out behind it`(hasBegun: Bool) throws {
    let queue = try hasBegun ? SendQueue.begun() : queue()
    // A picture from before, which only a queue that has not begun still holds.
    queue.offer(SamplePackets.picture(0, isKeyframe: !hasBegun))
    for number in 45...52 { queue.offer(SamplePackets.sound(number)) }
    queue.offer(SamplePackets.picture(30, isKeyframe: true))
    if !hasBegun { _ = queue.begin(isFresh: false, maxAge: .zero) }
    let sound = (50...52).map { SamplePackets.sound($0) }
    #expect(all(queue) == [SamplePackets.picture(30, isKeyframe: true)] + sound)
    #expect(queue.takeLoss().audio == .milliseconds(100))
  }

  @Test func `a fresh beginning starts with a recent keyframe`() throws {
    let queue = try queue()
    for number in 0..<4 { queue.offer(SamplePackets.picture(number)) }
    #expect(!queue.begin(isFresh: true, maxAge: .milliseconds(250)))
    #expect(all(queue).count == 4)
  }

  @Test func `a full queue drops the oldest pictures up to the next keyframe, but no sound`() throws {
    let queue = try SendQueue.begun(.init(duration: .seconds(2), bytes: 1 << 30))
    for number in 0..<75 { queue.offer(SamplePackets.picture(number), SamplePackets.sound(number * 5 / 3)) }
    let left = all(queue)
    #expect(left.first { $0.track == .video } == SamplePackets.picture(30))
    #expect(left.filter { $0.track == .audio }.count == 75)
    let loss = queue.takeLoss()
    #expect((loss.pictures, loss.audio, loss.place?.lowerBound) == (30, .zero, .zero))
  }

  @Test func `sound is kept no longer than twice as long as pictures`() throws {
    let queue = try SendQueue.begun(.init(duration: .seconds(2), bytes: 1 << 30))
    for number in 0..<600 { queue.offer(SamplePackets.picture(number), SamplePackets.sound(number * 5 / 3)) }
    let left = all(queue)
    let times = left.filter { $0.track == .audio }.map(\.decodeTime)
    #expect((times.last ?? .zero) - (times.first ?? .zero) <= .seconds(4))
    #expect(left.contains { $0.track == .video } && queue.takeLoss().audio > .seconds(9))
  }

  @Test func `a queue is bounded by bytes, and drops all pictures if there is no later keyframe`() throws {
    let queue = try SendQueue.begun(.init(duration: .seconds(60), bytes: 10_000))
    for number in 0..<29 { queue.offer(SamplePackets.picture(number)) }
    #expect(queue.bytes <= 10_000)
    queue.offer(SamplePackets.picture(30))
    #expect(all(queue) == [SamplePackets.picture(30)])
    #expect(queue.takeLoss().pictures == 29)
  }

  @Test func `a queue of sound alone is bounded`() throws {
    let queue = try SendQueue.begun(.init(duration: .seconds(1), bytes: 1 << 30), hasVideo: false)
    for number in 0..<200 { queue.offer(SamplePackets.sound(number)) }
    #expect(queue.duration <= .seconds(1) && all(queue).last == SamplePackets.sound(199))
  }

  @Test func `waiting packets survive a pause when they are kept`() throws {
    let queue = try SendQueue.begun()
    for number in 0..<10 { queue.offer(SamplePackets.picture(number)) }
    queue.end(keepsWaiting: true)
    for number in 10..<40 { queue.offer(SamplePackets.picture(number)) }
    _ = queue.begin(isFresh: false, maxAge: .zero)
    #expect(all(queue).count == 40)
  }

  @Test func `what comes after an end in order is for the next connection`() throws {
    let queue = try SendQueue.begun()
    let before = (0..<4).map { SamplePackets.picture($0) }
    let after = (30..<34).map { SamplePackets.picture($0) }
    before.forEach(queue.offer)
    queue.beginDraining(keepsWaiting: false)
    after.forEach(queue.offer)
    #expect(queue.takeDraining() == before[0] && queue.isDraining)
    queue.dropDraining()
    #expect(!queue.isDraining && queue.takeLoss().pictures == 3)
    #expect(!queue.begin(isFresh: true, maxAge: .milliseconds(250)))
    #expect(all(queue) == after && queue.takeLoss().isEmpty)
  }

  @Test func `sound whose keyframe never came is lost when its connection ends`() throws {
    let queue = try SendQueue.begun()
    queue.offer(SamplePackets.sound(3))
    queue.beginDraining(keepsWaiting: false)
    #expect(!queue.isDraining && queue.takeLoss().audio == .milliseconds(20))
  }

  @Test(arguments: [false, true])
  func `an output that is to catch up keeps everything for the next connection`(hasVideo: Bool) throws {
    let queue = try SendQueue.begun(hasVideo: hasVideo)
    queue.beginDraining(keepsWaiting: true)
    let packets = (0..<70).map { hasVideo ? SamplePackets.picture($0) : SamplePackets.sound($0) }
    packets.forEach(queue.offer)
    _ = queue.begin(isFresh: false, maxAge: .zero)
    #expect(all(queue) == packets && queue.takeLoss().isEmpty)
  }

  @Test(arguments: [(5, 5), (40, 0)])
  func `sound alone begins with what is recent, or afresh`(count: Int, kept: Int) throws {
    let queue = try queue(hasVideo: false)
    for number in 0..<count { queue.offer(SamplePackets.sound(number)) }
    _ = queue.begin(isFresh: true, maxAge: .milliseconds(count == 5 ? 250 : 100))
    #expect(all(queue).count == kept && queue.takeLoss().audio == .milliseconds(Int64(20 * (count - kept))))
  }

  @Test func `every packet is either delivered or counted as lost`() throws {
    let queue = try queue(SendQueue.Limits(duration: .seconds(1), bytes: 50_000))
    var given = 0
    var seed = SystemRandomNumberGenerator()
    for number in 0..<3000 {
      switch Int.random(in: 0..<40, using: &seed) {
      case 0: _ = queue.begin(isFresh: Bool.random(), maxAge: .milliseconds(200))
      case 1: queue.end(keepsWaiting: Bool.random())
      case 2: given += all(queue).filter { $0.track == .video }.count
      case 3:
        queue.beginDraining(keepsWaiting: false)
        if queue.takeDraining() != nil { given += 1 }
        queue.dropDraining()
      default: break
      }
      queue.offer(SamplePackets.picture(number))
    }
    given += all(queue).count
    #expect(given + queue.takeLoss().pictures == 3000)
  }

  // MARK: - Other headers

  private func announced(hasBegun: Bool = true) throws -> SendQueue {
    let queue = try queue()
    queue.offer(SampleTracks.video)
    queue.offer(SampleTracks.audio)
    if hasBegun { _ = queue.begin(isFresh: false, maxAge: .zero, tracks: Self.old) }
    return queue
  }

  private static let old = [SampleTracks.video, SampleTracks.audio]
  private static let new = [SamplePackets.otherVideo, SampleTracks.audio]

  @Test func `what comes before other headers is left to the old connection, the rest to the new one`() throws
  {
    let queue = try announced()
    let before = [SamplePackets.picture(0), SamplePackets.sound(0), SamplePackets.picture(1)]
    let after = [SamplePackets.picture(30), SamplePackets.sound(50), SamplePackets.picture(31)]
    for packet in before { queue.offer(packet) }
    queue.offer(SamplePackets.otherVideo)
    for packet in after { queue.offer(packet) }
    #expect(queue.take() == nil)
    queue.beginDraining(keepsWaiting: false)
    #expect(Array(AnyIterator { queue.takeDraining() }) == before && queue.take() == nil)
    #expect(!queue.begin(isFresh: false, maxAge: .zero, tracks: Self.new))
    #expect(all(queue) == after && queue.takeLoss().isEmpty)
  }

  @Test func `a connection that has begun with the old headers gets nothing that needs the new ones`() throws
  {
    let queue = try announced(hasBegun: false)
    queue.offer(SamplePackets.otherVideo)
    queue.offer(SamplePackets.picture(30))
    _ = queue.begin(isFresh: false, maxAge: .zero, tracks: Self.old)
    #expect(queue.take() == nil)
    _ = queue.begin(isFresh: false, maxAge: .zero, tracks: Self.new)
    #expect(all(queue) == [SamplePackets.picture(30)])
  }

  @Test func `pictures wait for a keyframe with the new headers`() throws {
    let queue = try announced()
    queue.offer(SamplePackets.picture(0))
    queue.offer(SamplePackets.otherVideo)
    queue.offer(SamplePackets.picture(1))
    _ = queue.begin(isFresh: false, maxAge: .zero, tracks: Self.new)
    queue.offer(SamplePackets.picture(30))
    #expect(all(queue) == [SamplePackets.picture(30)])
    #expect(queue.takeLoss().pictures == 2, "nobody has drained the one before")
  }

  @Test func `a second change before the connection drops only what it makes useless`() throws {
    let queue = try announced()
    queue.offer(SamplePackets.otherVideo)
    queue.offer(SamplePackets.picture(30))
    queue.offer(SamplePackets.sound(51))
    queue.offer(SamplePackets.otherAudio)
    queue.offer(SamplePackets.sound(52))
    let tracks = [SamplePackets.otherVideo, SamplePackets.otherAudio]
    _ = queue.begin(isFresh: false, maxAge: .zero, tracks: tracks)
    #expect(all(queue) == [SamplePackets.picture(30), SamplePackets.sound(52)])
    #expect(queue.takeLoss().audio == .milliseconds(20))
  }

  @Test func `the same headers again cut nothing`() throws {
    let queue = try announced()
    queue.offer(SamplePackets.picture(0))
    queue.offer(SampleTracks.video)
    #expect(all(queue) == [SamplePackets.picture(0)])
  }
}
