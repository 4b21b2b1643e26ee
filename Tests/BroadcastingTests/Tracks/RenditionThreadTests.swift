import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import TestTraits
import Testing

@testable import HoldfastBroadcasting

/// Several encodes of the same pictures.
@Suite(.realTime) struct RenditionThreadTests {
  /// Keeps packets, and holds up its encoder while it is held itself.
  private final class Receiver: PacketReceiver {
    let packets = Locked<[MediaPacket]>([])
    let isHeld: Locked<Bool>

    init(isHeld: Bool = false) { self.isHeld = Locked(isHeld) }

    func offer(_ track: Track) {}
    func offer(_ packet: MediaPacket) {
      packets.withLock { $0.append(packet) }
      _ = eventually(every: 1000) { !isHeld.withLock { $0 } }
    }

    var times: [MediaTime] { packets.withLock { $0.map(\.decodeTime) } }
    var keyframes: [MediaTime] { packets.withLock { $0.filter(\.isKeyframe).map(\.decodeTime) } }
    /// Of the keyframes.
    var headers: [[UInt8]?] { packets.withLock { $0.filter(\.isKeyframe).map(\.headers) } }
  }

  private let reports = Locked<[LaneEvent]>([])
  /// Pictures that wait for a rendition.
  private let backlog = Locked(0)
  private let source = VideoProperties(
    format: VideoFormat(size: PictureSize(width: 128, height: 64), frameRate: .thirty), pixelFormat: .yuv420p)

  private func makeRenditions(_ receivers: [(RenditionID, Receiver)]) throws -> Renditions {
    let destination = try LaneDestination(noting: reports)
    return try makeRenditions(receivers.map { rendition($0, to: destination, $1) }, [:], destination)
  }

  private func rendition(
    _ id: RenditionID, to destination: LaneDestination, _ receiver: any PacketReceiver
  ) -> LaneRendition {
    LaneRendition(
      PlannedRendition(
        id: id, size: source.format.size, bitrate: 200_000, encoders: [.software], outputs: ["\(id) user"]),
      of: destination, to: [receiver])
  }

  private func makeRenditions(
    _ renditions: [LaneRendition], _ switches: [String: OutputSwitch], _ destination: LaneDestination,
    _ codec: Codec = .h264, viewed: @escaping @Sendable (RenditionID) -> LaneRendition? = { _ in nil }
  ) throws -> Renditions {
    try Renditions(
      PictureEncoding(
        properties: source,
        settings: .init(codec: codec, frameRate: .thirty, keyframeInterval: .milliseconds(333)),
        renditions: Locked(renditions), viewed: viewed, switches: switches, requests: EncoderRequests(),
        destination: destination, backlog: backlog))
  }

  private func encode(
    _ pictures: Range<Int64>, with renditions: inout Renditions,
    _ requested: EncoderRequests.Requested = .init(), until isReached: () -> Bool = { true }
  ) throws {
    for number in pictures {
      try renditions.encode(
        Frame(size: source.format.size, format: .yuv420p), at: Self.time(number),
        number == pictures.lowerBound ? requested : .init(), waiting: 0, dropped: 0)
      let hasReached = eventually(every: 1000, isReached)
      #expect(hasReached)
    }
  }

  /// Encodes the next picture, and waits until all `receivers` have it.
  private func encode(
    _ number: inout Int64, with renditions: inout Renditions, to receivers: Receiver...,
    requested: EncoderRequests.Requested = .init()
  ) throws {
    try encode(number..<number + 1, with: &renditions, requested) {
      receivers.allSatisfy { $0.times.count > number }
    }
    number += 1
  }

  private static func time(_ number: Int64) -> MediaTime { FrameRate.thirty.time(ofFrame: number) }
  private static func times(_ numbers: some Sequence<Int64>) -> [MediaTime] { numbers.map { time($0) } }

  private var losses: [TrackLoss] {
    reports.withLock { $0.compactMap { if case .lost(let loss) = $0 { loss } else { nil } } }
  }

  private var stops: Int { reports.withLock { $0.count { if case .stopped = $0 { true } else { false } } } }

  @Test func `all renditions have the same pictures, times and keyframes`() throws {
    let receivers = [Receiver(), Receiver()]
    var renditions = try makeRenditions([(.main, receivers[0]), (.named("low"), receivers[1])])
    for number in Int64(0)..<40 {
      try encode(number..<number + 1, with: &renditions, .init(keyframe: number == 25)) {
        receivers.allSatisfy { $0.times.count > number }
      }
    }
    try renditions.finish()
    for receiver in receivers {
      #expect(receiver.times == Self.times(0..<40))
      #expect(receiver.keyframes == Self.times([0, 10, 20, 25, 35]))
    }
  }

  @Test func `a rendition that is too slow loses pictures of its own, for its own users`() throws {
    let (fast, slow) = (Receiver(), Receiver(isHeld: true))
    var renditions = try makeRenditions([(.main, fast), (.named("low"), slow)])
    var number: Int64 = 0
    while number < 30 { try encode(&number, with: &renditions, to: fast) }
    renditions.stop(at: Self.time(30))
    #expect(stops == 0)
    slow.isHeld.withLock { $0 = false }
    #expect(eventually(every: 1000) { stops == 1 })
    try renditions.finish()
    #expect(fast.times == Self.times(0..<30))
    #expect(losses.map(\.output) == ["low user"] && losses.map(\.cause) == [.encoderTooSlow])
    #expect(losses.first?.pictures == 30 - slow.times.count && slow.times.count <= 10)
  }

  @Test func `one that nobody uses any more ends, and the other one goes on alone`() throws {
    let (kept, ended) = (Receiver(), Receiver())
    var renditions = try makeRenditions([(.main, kept), (.named("low"), ended)])
    try encode(0..<5, with: &renditions) { ended.times.count == kept.times.count }
    try encode(5..<12, with: &renditions, .init(inUse: [.main])) { kept.times.count > 5 }
    renditions.stop(at: Self.time(12))
    #expect(eventually(every: 1000) { stops == 1 })
    try renditions.finish()
    #expect(kept.times == Self.times(0..<12) && kept.keyframes == Self.times([0, 10]))
    #expect(ended.times == Self.times(0..<5))
  }

  /// An output that may have an encode of its own, and a recording that shares with it; and who shares.
  private func makeSwitched(
    _ output: Receiver, _ recording: Receiver, _ codec: Codec
  ) throws -> (Renditions, users: Locked<[String]>) {
    let destination = try LaneDestination(noting: reports)
    let packets = PacketSwitch(to: output, from: .main)
    let users = Locked(["a", "recording"])
    var main = LaneRendition(
      PlannedRendition(
        id: .main, size: source.format.size, bitrate: 2_000_000, encoders: [.software], isRecorded: true,
        outputs: ["a"]), of: destination, to: [packets.port(for: .main), recording])
    main.destination.users = users
    let change = OutputSwitch(output: "a", shared: main, packets: packets)
    return (try makeRenditions([main], ["a": change], destination, codec), users)
  }

  @Test func `pictures that are lost while an output shares again are reported for who lacks them`() throws {
    let (output, recording) = (Receiver(), Receiver())
    var (renditions, users) = try makeSwitched(output, recording, .h264)
    func isOwn() -> Bool { users.withLock { $0 } == ["recording"] }
    var number: Int64 = 0
    try encode(&number, with: &renditions, to: output, recording, requested: .init(owns: ["a": 100_000]))
    while !isOwn(), number < 3000 { try encode(&number, with: &renditions, to: output, recording) }
    // Faster than both can be encoded, until no more fit in.
    while backlog.withLock({ $0 }) < 12 {
      try encode(number..<number + 1, with: &renditions)
      number += 1
    }
    // With keyframes.
    try encode(number..<number + 40, with: &renditions, .init(owns: ["a": Int?.none]))
    number += 40
    for _ in 0..<10 {
      try encode(number..<number + 1, with: &renditions) { backlog.withLock { $0 } == 0 }
      number += 1
    }
    #expect(!isOwn())
    try renditions.finish()
    for (receiver, user) in [(output, "a"), (recording, "recording")] {
      let lost = losses.filter { $0.output == user }.map(\.pictures).reduce(0, +)
      #expect(receiver.times.count + lost == number, "\(user): \(losses)")
    }
    #expect(!losses.isEmpty)
  }

  /// HEVC's encoder can't change its bitrate, and its headers differ with that.
  @Test(arguments: [Codec.h264, .hevc])
  func `an output changes to an encode of its own, whose rate follows, and back, and misses nothing`(
    codec: Codec
  ) throws {
    let (output, other) = (Receiver(), Receiver())
    var (renditions, users) = try makeSwitched(output, other, codec)
    let own = RenditionID.own(output: "a")
    var number: Int64 = 0
    func encode(_ requested: EncoderRequests.Requested = .init()) throws {
      try self.encode(&number, with: &renditions, to: output, other, requested: requested)
    }
    func isOwn() -> Bool { users.withLock { $0 } == ["recording"] }
    for _ in 0..<5 { try encode() }
    try encode(.init(owns: ["a": 100_000]))
    while !isOwn(), number < 3000 { try encode() }
    #expect(isOwn())
    let begin = number - 1
    for _ in 0..<15 { try encode() }
    if number % 10 == 0 { try encode() }
    let lowered = number
    for bitrate in [60_000, 1_700_000] {
      try encode(.init(bitrates: [own: BitrateChange(bitsPerSecond: bitrate, reason: "", rendition: own)]))
      for _ in 0..<15 { try encode() }
    }
    try encode(.init(owns: ["a": Int?.none]))
    while isOwn(), number < 6000 { try encode() }
    let end = number - 1
    for _ in 0..<15 { try encode() }
    try renditions.finish()
    for receiver in [output, other] { #expect(receiver.times == Self.times(0..<number)) }
    #expect(other.keyframes == Self.times((0..<number).filter { $0 % 10 == 0 }))
    let further = codec == .hevc ? [begin, lowered] : [begin]
    #expect(output.keyframes == Self.times((0..<number).filter { $0 % 10 == 0 || further.contains($0) }))
    #expect(end % 10 == 0)
    let differ = zip(output.packets.withLock { $0 }, other.packets.withLock { $0 }).filter { $0 != $1 }
    #expect(differ.allSatisfy { Self.times(begin..<end).contains($0.0.decodeTime) } && !differ.isEmpty)
    let rates = reports.withLock {
      $0.compactMap { if case .bitrateChanged(let change) = $0 { change.bitsPerSecond } else { nil } }
    }
    #expect(rates == [60_000, 1_700_000])
    let headers = output.headers
    #expect(Set(other.headers).count == 1 && headers.first == headers.last)
    #expect((Set(headers).count > 1) == (codec == .hevc))
  }

  /// The main rendition, and what viewers get in another size; `ended` counts its ends.
  private func makeRenditions(
    _ main: Receiver, viewed low: Receiver, encoders: [EncoderImplementation] = [.software],
    ended: Locked<Int>
  ) throws -> Renditions {
    let destination = try LaneDestination(noting: reports)
    return try makeRenditions([rendition(.main, to: destination, main)], [:], destination) { id in
      let planned = PlannedRendition(
        id: id, size: PictureSize(width: 64, height: 32), bitrate: 100_000, encoders: encoders)
      var rendition = LaneRendition(planned, of: destination, to: [low])
      rendition.ended = { ended.withLock { $0 += 1 } }
      return rendition
    }
  }

  @Test func `one for viewers begins beside the others and ends again, and the others miss nothing`() throws {
    let (main, low, ended) = (Receiver(), Receiver(), Locked(0))
    var renditions = try makeRenditions(main, viewed: low, ended: ended)
    var number: Int64 = 0
    for _ in 0..<5 { try encode(&number, with: &renditions, to: main) }
    try encode(&number, with: &renditions, to: main, requested: .init(inUse: [.main, .named("low")]))
    while low.times.isEmpty, number < 3000 { try encode(&number, with: &renditions, to: main) }
    for _ in 0..<20 { try encode(&number, with: &renditions, to: main) }
    #expect(ended.withLock { $0 } == 0)
    try encode(&number, with: &renditions, to: main, requested: .init(inUse: [.main]))
    #expect(ended.withLock { $0 } == 1)
    let end = number
    for _ in 0..<5 { try encode(&number, with: &renditions, to: main) }
    try renditions.finish()
    #expect(main.times == Self.times(0..<number))
    #expect(main.keyframes == Self.times((0..<number).filter { $0 % 10 == 0 }))
    let begin = try #require(low.times.first)
    #expect(low.keyframes.first == begin)
    let common = main.keyframes.filter { $0 >= begin && $0 < Self.time(end - 7) }
    #expect(Set(low.keyframes).isSuperset(of: common) && common.count >= 1)
    #expect(low.times.last.map { $0 < Self.time(end) } == true)
  }

  @Test func `one for viewers that can't be opened is told, and costs the others nothing`() throws {
    let (main, ended) = (Receiver(), Locked(0))
    var renditions = try makeRenditions(main, viewed: Receiver(), encoders: [], ended: ended)
    func failures() -> Int {
      reports.withLock { $0.count { if case .encodeFailed(.named("low"), _) = $0 { true } else { false } } }
    }
    var number: Int64 = 0
    while failures() == 0, number < 3000 {
      let requested = number == 0 ? EncoderRequests.Requested(inUse: [.main, .named("low")]) : .init()
      try encode(number..<number + 1, with: &renditions, requested) { main.times.count > number }
      number += 1
    }
    try renditions.finish()
    #expect(failures() == 1 && ended.withLock { $0 } == 1 && main.times == Self.times(0..<number))
  }

  @Test func `one for viewers that is too slow loses pictures that nobody misses, and delays no stop`() throws
  {
    let (main, low, ended) = (Receiver(), Receiver(isHeld: true), Locked(0))
    var renditions = try makeRenditions(main, viewed: low, ended: ended)
    var number: Int64 = 0
    try encode(&number, with: &renditions, to: main, requested: .init(inUse: [.main, .named("low")]))
    while low.times.isEmpty, number < 3000 { try encode(&number, with: &renditions, to: main) }
    for _ in 0..<20 { try encode(&number, with: &renditions, to: main) }
    renditions.stop(at: Self.time(number))
    #expect(eventually(every: 1000) { stops == 1 } && low.isHeld.withLock { $0 })
    low.isHeld.withLock { $0 = false }
    try renditions.finish()
    #expect(low.times.count <= 8 && main.times == Self.times(0..<number))
    #expect(losses.isEmpty)
  }

  @Test func `keyframes come at the interval, counted from the last one that was requested`() {
    var keyframes = KeyframeInterval(pictures: 3)
    let requested = [false, false, false, false, true, false, false, false]
    let found = requested.map { keyframes.next(isRequested: $0) }
    #expect(found == [true, false, false, true, true, false, false, true])
  }
}
