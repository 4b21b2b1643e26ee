import Foundation
import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRecording
import TestSupport

/// A recorder fed with a repeated clip as fast as it writes.
final class SimulatedRecording {
  private let recorder: Recorder
  private let packets: [MediaPacket]
  private let tracks: [Track]
  private let length: MediaTime
  private let path: String
  private var rounds = 0
  private let finishedBytes = Locked<Int?>(nil)

  init(_ clip: String, to path: String) throws {
    silenceFFmpeg()
    let media = try EncodedFile(clip)
    // The last audio packet extends beyond the end of the clip.
    let length = MediaTime.seconds(
      Int64((media.packets.filter { $0.track == .video }.map(\.decodeTime).max() ?? .zero).seconds) + 1)
    packets = media.packets.filter { $0.decodeTime >= .zero && $0.decodeTime + $0.duration <= length }
    (tracks, self.length, self.path) = (media.tracks, length, path)
    recorder = try Recorder(.new(path), tracks: [.video, .audio]) { [finishedBytes] event in
      if case .finished(_, let bytes) = event { finishedBytes.withLock { $0 = bytes } }
    }
  }

  func offer(times: Int) {
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

  /// Returns the size of the file.
  func finish() throws -> Int {
    recorder.finish()
    guard let bytes = finishedBytes.withLock({ $0 }) else {
      throw TestFailure("the recording was not finished")
    }
    return bytes
  }

  /// The space that is reserved for the index: everything before the first fragment except the short header.
  var room: Int {
    get throws {
      let front =
        try FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 1 << 20) ?? Data()
      return front.range(of: Data("moof".utf8))?.lowerBound ?? 0
    }
  }
}
