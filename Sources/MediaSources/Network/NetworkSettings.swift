import HoldfastFFmpeg
package import HoldfastMediaModel

/// How a network source is opened and read.
package struct NetworkSettings: Hashable, Sendable {
  package var address: SourceAddress
  /// The jitter buffer: media is passed on this long after its earliest possible arrival.
  package var latency = MediaTime.milliseconds(300)
  package var connectTimeout = MediaTime.seconds(5)
  /// The connection is given up after this time without media.
  package var stallTimeout = MediaTime.seconds(3)
  package var caFile: String?
  package var isVerified = true
  package var usesUDP = false

  package init(_ address: SourceAddress) { self.address = address }

  /// A live playlist is read again only once per segment.
  static let playlistTimeout = MediaTime.seconds(30)

  var input: NetworkInput.Settings {
    var input: NetworkInput.Settings
    switch address.scheme {
    case .rtmp, .rtmps:
      input = .init(
        url: address.text, protocols: ["rtmp", "rtmps", "tcp", "tls"], formats: ["flv", "live_flv"])
      input.format = "flv"
      input.options["rtmp_live"] = "live"
    case .rtsp, .rtsps:
      input = .init(
        url: address.text, protocols: ["rtsp", "rtsps", "rtp", "srtp", "udp", "tcp", "tls"],
        formats: ["rtsp", "rtp", "sdp", "mpegts"])
      input.format = "rtsp"
      input.options["rtsp_transport"] = usesUDP ? "udp" : "tcp"
      input.options["allowed_media_types"] = "video+audio"
    case .srt:
      let host = address.host.contains(":") ? "[\(address.host)]" : address.host
      input = .init(url: "srt://\(host):\(address.port)", protocols: ["srt"], formats: ["mpegts"])
      input.options = srtOptions
    case .http, .https:
      input = .init(
        url: address.text, protocols: ["http", "https", "tcp", "tls", "crypto", "httpproxy"],
        formats: [
          "flv", "live_flv", "mpegts", "hls", "mpjpeg", "mjpeg", "mov", "matroska", "webm", "aac", "mp3",
          "ogg", "wav",
        ])
      input.options["user_agent"] = "holdfast"
    }
    if address.isSecure || address.scheme == .http {
      input.options["tls_verify"] = isVerified ? "1" : "0"
      input.options["ca_file"] = caFile
    }
    return input
  }

  private var srtOptions: [String: String] {
    var options = ["transtype": "live"]
    for (key, value) in address.srt {
      switch key {
      case .mode, .passphrase, .pbkeylen, .streamid: options[key.rawValue] = value
      // libavformat counts microseconds.
      case .latency: options["latency"] = value + "000"
      }
    }
    // A caller that says nothing must not keep the listener busy.
    options["timeout"] = "\(stallTimeout.nanoseconds / 1000)"
    return options
  }
}
