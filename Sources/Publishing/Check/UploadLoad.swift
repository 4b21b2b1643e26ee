import HoldfastMediaModel
import HoldfastPlatform
import HoldfastRTMP

/// A publish of a grey picture and silence in real time. Filler makes the pictures as large as the connection takes.
final class UploadLoad {
  private let conversation: RTMPConversation
  private let url: RTMPURL
  private let media: SampleMedia
  private let began: MonotonicTime
  private let takenBefore: Int64
  /// The backlog that each picture fills up to.
  private var room = 32 << 10

  /// Servers limit a message to a megabyte or more.
  private static let maxRoom = 512 << 10

  /// Sends the headers; the publish has been accepted.
  init(on conversation: RTMPConversation, at url: RTMPURL) throws(SinkError) {
    do {
      media = try SampleMedia()
      let bitrate = media.tracks.reduce(0) { $0 + $1.bitrate }
      conversation.client.requestAcknowledgements(every: RTMPLiveness.window(bitrate: bitrate))
      try conversation.client.start(media.tracks)
    } catch {
      throw SinkError(error, at: url.redacted)
    }
    self.conversation = conversation
    self.url = url
    began = .now
    takenBefore = conversation.bytesTaken
  }

  /// Sends the next picture and its sound if it is time.
  func sendDue() throws(SinkError) {
    guard .now - began >= media.time else { return }
    if conversation.backlog == 0 { room = min(2 * room, Self.maxRoom) }
    do {
      for packet in try media.next(filler: room - conversation.backlog) {
        try conversation.client.send(packet, at: packet.decodeTime)
      }
    } catch {
      throw SinkError(error, at: url.redacted)
    }
  }

  var bitsPerSecond: Double {
    Double(conversation.bytesTaken - takenBefore) * 8 / (MonotonicTime.now - began).seconds
  }
}
