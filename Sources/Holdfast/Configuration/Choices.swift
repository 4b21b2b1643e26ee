internal import HoldfastBroadcasting
internal import HoldfastMediaModel
internal import HoldfastRecording

// The raw values are the words that `holdfast publish` and its event lines use.

/// How much of a recording goes into one file.
public enum SegmentLength: Hashable, Sendable {
  case duration(Duration)
  case bytes(Int)

  var inner: HoldfastRecording.SegmentLength {
    switch self {
    case .duration(let length): .duration(MediaTime(length))
    case .bytes(let count): .size(count)
    }
  }
}

/// What a gate's silence means.
public enum SilentGatePolicy: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

/// What a start does about a broadcast that came to a sudden end, with its process or the machine.
public enum CrashPolicy: String, Hashable, Sendable, CaseIterable {
  /// Finish its recording, and begin a new broadcast.
  case new
  /// Resume it, however long ago it was.
  case resume
  /// Resume it inside the resume window, else begin a new one.
  case withinWindow = "within-window"
}

/// How the picture is encoded.
public enum VideoCodec: String, Hashable, Sendable, CaseIterable {
  case h264, hevc, av1
}

/// How the sound is encoded.
public enum AudioCodec: String, Hashable, Sendable, CaseIterable {
  case aac, opus
}

/// What encodes the picture.
public enum VideoEncoder: String, Hashable, Sendable, CaseIterable {
  /// The machine's, else software.
  case automatic = "auto"
  case x264, vaapi, qsv, nvenc, v4l2m2m
  /// None: the source gives encoded pictures.
  case copy
}

/// What a server is asked to do with a broadcast.
public enum PublishKind: String, Hashable, Sendable, CaseIterable {
  /// Pass it on, and record nothing.
  case live
  /// Record it, and continue that recording after an outage.
  case record
}

/// What happens after an outage to what was made meanwhile.
public enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// Leave it out, and go on with what is made now.
  case live
  /// Send it first, faster than it was made.
  case catchUp
}

/// How media goes to an RTSP server.
public enum RTSPTransport: String, Hashable, Sendable, CaseIterable {
  /// Within the connection.
  case tcp
  /// Beside it.
  case udp
}
