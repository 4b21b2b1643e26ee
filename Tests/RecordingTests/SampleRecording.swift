import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import TestSupport
import Testing

@testable import HoldfastMP4
@testable import HoldfastRecording

/// Pictures and sound of no meaning, and files of them.
enum SampleRecording {
  static let video = SampleTracks.video
  static let audio = SampleTracks.audio
  static let tracks = [video, audio]

  /// A picture is 3000 ticks of 90 kHz long, a packet of sound 1024 of 48 kHz; a keyframe each half second.
  static func picture(_ number: Int64, size: Int = 20, isKeyframe: Bool? = nil) -> MediaPacket {
    let time = MediaTime(ticks: number * 3000, timescale: 90_000)
    let content = [0, 0, UInt8(size >> 8), UInt8(size & 0xFF), 0x65, UInt8(truncatingIfNeeded: number)]
    return MediaPacket(
      track: .video, decodeTime: time, presentationTime: time, duration: FrameRate.thirty.frameDuration,
      isKeyframe: isKeyframe ?? (number % 15 == 0), bytes: content + [UInt8](repeating: 7, count: size - 2))
  }

  static func sound(_ number: Int64) -> MediaPacket {
    let time = MediaTime(ticks: number * 1024, timescale: 48_000)
    return MediaPacket(
      track: .audio, decodeTime: time, presentationTime: time,
      duration: MediaTime(ticks: 1024, timescale: 48_000), isKeyframe: true,
      bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 9))
  }

  /// All of it between two times in seconds, in the order in which it is decoded.
  static func packets(_ seconds: Range<Double>, pictureSize: Int = 20) -> [MediaPacket] {
    let times = MediaTime(seconds: seconds.lowerBound)..<MediaTime(seconds: seconds.upperBound)
    let pictures = (0..<Int64(seconds.upperBound * 30) + 1).map { picture($0, size: pictureSize) }
    let sounds = (0..<Int64(seconds.upperBound * 47) + 1).map(sound)
    return (pictures + sounds).filter { times.contains($0.decodeTime) }
      .sorted { $0.decodeTime < $1.decodeTime }
  }

  /// A recording whose process was killed, or that was finished.
  static func write(
    _ packets: [MediaPacket], to path: String, tracks: [Track] = tracks, isFinished: Bool = false
  ) throws {
    var writer = try FragmentWriter(path: path, tracks: tracks, expected: .seconds(4))
    for packet in packets { try writer.write(packet) }
    if isFinished { try writer.finish() }
  }

  /// Continues the recording of another process with what it lacks.
  static func append(_ packets: [MediaPacket], to path: String, isFinished: Bool = true) throws {
    let known = try FragmentedFile(path: path)
    var writer = try FragmentWriter(continuing: path, known, tracks: tracks)
    for packet in packets where packet.decodeTime >= known.end(of: packet.track) ?? .zero {
      try writer.write(packet)
    }
    if isFinished { try writer.finish() }
  }

  /// Writes a recording of `seconds`; returns its bytes.
  @discardableResult
  static func record(
    _ seconds: Range<Double>, to path: String, pictureSize: Int = 20, isFinished: Bool = false
  ) throws -> [UInt8] {
    try write(packets(seconds, pictureSize: pictureSize), to: path, isFinished: isFinished)
    return try bytes(path)
  }

  /// All but the room for the index, which may change while the rest stays.
  static func media(_ path: String) throws -> [UInt8] {
    let bytes = try bytes(path)
    let head = try known(bytes).headLength
    var end = head
    while let box = RecordingBytes(bytes).boxHead(at: end), ["free", "sidx"].contains(box.type) {
      end += try #require(box.length)
    }
    return Array(bytes[..<head] + bytes[end...])
  }

  /// Makes the file's content `bytes`.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try FileDescriptor.openForUpdating(path)
    try file.truncate(to: 0)
    try file.write(bytes, at: 0)
  }

  /// The packets of a track, as FFmpeg reads them.
  static func packets(of path: String, _ kind: TrackKind) throws -> [MediaPacket] {
    var reader = try PacketReader(path: path, kind: kind)
    var packets: [MediaPacket] = []
    while let packet = try reader.next() { packets.append(packet) }
    return packets
  }

  /// Their decode times in ticks.
  static func times(_ path: String, _ kind: TrackKind = .video) throws -> [Int64] {
    try packets(of: path, kind).map(ticks)
  }

  static func ticks(_ packet: MediaPacket) -> Int64 {
    packet.decodeTime.ticks(timescale: packet.track == .video ? 90_000 : 48_000)
  }

  /// Expects that a file holds `packets`, by their times.
  static func expectTimes(of packets: [MediaPacket], in path: String) throws {
    for kind in TrackKind.allCases {
      #expect(try times(path, kind) == packets.filter { $0.track == kind }.map(ticks))
    }
  }

  static func fragments(_ bytes: [UInt8]) throws -> [Fragment] {
    var fragments: [Fragment] = []
    _ = try FragmentedFile(RecordingBytes(bytes)) { fragments.append($0) }
    return fragments
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    try FileDescriptor.contents(of: path, limit: 1 << 24)
  }

  static func known(_ bytes: [UInt8]) throws(FragmentedFileError) -> FragmentedFile {
    try FragmentedFile(RecordingBytes(bytes))
  }
}

extension MediaPacket {
  func shifted(by time: MediaTime) -> MediaPacket {
    var packet = self
    packet.decodeTime += time
    packet.presentationTime += time
    return packet
  }

  func moved(to time: MediaTime) -> MediaPacket { shifted(by: time - decodeTime) }
}
