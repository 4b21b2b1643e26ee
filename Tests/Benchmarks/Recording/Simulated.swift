import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestSupport

/// A recorder fed with a repeated clip as fast as it writes.
enum Simulated {
  struct Made {
    let bytes: Int
    /// From the last packet until the file was finished, in seconds.
    let finishing: Double
    let memory: String
  }

  static func make(_ clip: String, minutes: Int, to path: String) throws -> Made {
    let run = try Run(clip, to: path)
    try run.offer(times: 1)
    let first = resident()
    try run.offer(times: minutes - 1)
    let last = resident()
    var bytes = 0
    let taken = try ContinuousClock().measure { bytes = try run.finish() }
    return Made(
      bytes: bytes, finishing: taken / .seconds(1),
      memory: "\(first) MB, \(last) MB")
  }

  /// The size of the file, and the space in it reserved for the index.
  static func record(_ clip: String, times: Int, to path: String) throws -> (bytes: Int, room: Int) {
    let run = try Run(clip, to: path)
    try run.offer(times: times)
    let bytes = try run.finish()
    // Everything before the first fragment except the short header.
    let front = try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 1 << 20) ?? Data()
    return (bytes, front.range(of: Data("moof".utf8))?.lowerBound ?? 0)
  }

  private static func resident() -> Int {
    (ProcessFigures(of: getpid())?.memoryKilobytes ?? 0) / 1024
  }

  private final class Run {
    private let recorder: Recorder
    private let packets: [MediaPacket]
    private let tracks: [Track]
    private let length: MediaTime
    private var rounds = 0
    private let finishedBytes = Locked<Int?>(nil)

    init(_ clip: String, to path: String) throws {
      silenceFFmpeg()
      var tracks: [Track] = []
      var packets: [MediaPacket] = []
      for kind in [TrackKind.video, .audio] {
        var reader = try PacketReader(path: clip, kind: kind)
        tracks.append(reader.track)
        while let packet = try reader.next() { packets.append(packet) }
      }
      // The last audio packet extends beyond the end of the clip.
      let length = MediaTime.seconds(
        Int64((packets.filter { $0.track == .video }.map(\.decodeTime).max() ?? .zero).seconds) + 1)
      self.packets = packets.filter { $0.decodeTime >= .zero && $0.decodeTime + $0.duration <= length }
        .sorted { $0.decodeTime < $1.decodeTime }
      self.tracks = tracks
      self.length = length
      recorder = try Recorder(.new(path), tracks: [.video, .audio]) { [finishedBytes] event in
        if case .finished(_, let bytes) = event { finishedBytes.withLock { $0 = bytes } }
      }
    }

    func offer(times: Int) throws {
      if rounds == 0 { for track in tracks { recorder.offer(track) } }
      for _ in 0..<times {
        let offset = MediaTime(nanoseconds: length.nanoseconds * Int64(rounds))
        for packet in packets {
          var packet = packet
          packet.decodeTime += offset
          packet.presentationTime += offset
          while recorder.queued > .seconds(10) { usleep(500) }
          recorder.offer(packet)
        }
        rounds += 1
      }
      while recorder.queued > .zero { usleep(500) }
    }

    func finish() throws -> Int {
      recorder.finish()
      guard let bytes = finishedBytes.withLock({ $0 }) else {
        throw TestFailure("the recording was not finished")
      }
      return bytes
    }
  }
}
