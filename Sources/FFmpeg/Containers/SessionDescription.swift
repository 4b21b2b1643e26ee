internal import HoldfastCFFmpeg
package import HoldfastMediaModel

/// What is published, as SDP for RTSP: the tracks' codecs with their headers, under the payload types from 96 on and
/// the names `streamid=0`, `streamid=1`, …
///
/// `host` is where it is going to.
package func sessionDescription(of tracks: [Track], title: String, host: String) throws(FFmpegError) -> String
{
  var context: UnsafeMutablePointer<AVFormatContext>?
  try check(avformat_alloc_output_context2(&context, nil, "rtp", nil), "container rtp")
  defer { avformat_free_context(context) }
  guard let context else { throw .outOfMemory("avformat_alloc_output_context2") }
  // The writer is FFmpeg's, the stream is not: without its name and version.
  context.pointee.flags |= AVFMT_FLAG_BITEXACT
  context.pointee.url = av_strdup(host.contains(":") ? "rtsp://[\(host)]" : "rtsp://\(host)")
  av_dict_set(&context.pointee.metadata, "title", title, 0)
  for track in tracks {
    guard RTPPacketizer.canCarry(track.codec) else {
      throw FFmpegError(operation: "\(track.codec.name) over RTP", code: cff_AVERROR_ENCODER_NOT_FOUND)
    }
    guard let stream = avformat_new_stream(context, nil) else { throw .outOfMemory("avformat_new_stream") }
    try stream.describe(track)
  }
  var contexts: [UnsafeMutablePointer<AVFormatContext>?] = [context]
  // The headers stand in it as text: twice their size is enough for Base64 and hexadecimal.
  let room = 4096 + tracks.reduce(0) { $0 + 2 * $1.headers.count }
  var text = [CChar](repeating: 0, count: room)
  try check(av_sdp_create(&contexts, 1, &text, Int32(room)), "av_sdp_create")
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
