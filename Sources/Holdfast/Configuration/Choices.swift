import HoldfastBroadcasting
import HoldfastMediaModel
import HoldfastRecording

// The raw values are those of the internal enumerations.

/// The maximum length of one recording file.
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

/// The verdict assumed when a gate does not answer in time.
public enum GateTimeoutPolicy: String, Hashable, Sendable, CaseIterable {
  case pass, refuse
}

/// What a start does about a broadcast that was cut off by a crash of the process or the machine.
public enum CrashPolicy: String, Hashable, Sendable, CaseIterable {
  /// Finish its recording and start a new broadcast.
  case new
  /// Resume it, regardless of how long ago it was.
  case resume
  /// Resume it within the resume window, otherwise start a new broadcast.
  case withinWindow = "within-window"
}

/// The codec of the picture.
public enum VideoCodec: String, Hashable, Sendable, CaseIterable {
  case h264, hevc, av1
}

/// The codec of the sound.
public enum AudioCodec: String, Hashable, Sendable, CaseIterable {
  case aac, opus
}

/// The encoder of the picture.
public enum VideoEncoder: String, Hashable, Sendable, CaseIterable {
  /// The hardware encoder if there is one, otherwise software.
  case automatic = "auto"
  case x264, vaapi, qsv, nvenc, v4l2m2m
  /// No encoder: the source delivers encoded pictures.
  case copy
}

/// What a server is asked to do with the stream.
public enum PublishType: String, Hashable, Sendable, CaseIterable {
  /// Distribute the stream without recording it.
  case live
  /// Record the stream, and append to that recording after an outage.
  case record
}

/// What happens to media produced during an outage.
public enum OutagePolicy: String, Hashable, Sendable, CaseIterable {
  /// Drop it and continue live.
  case live
  /// Send it first, faster than real time.
  case catchUp
}

/// Whether the encoder's bitrate is lowered for an output whose network can't keep up.
public enum BitrateAdaptation: String, Hashable, Sendable, CaseIterable {
  /// Only for the one output of a broadcast; one of several drops pictures instead.
  case automatic = "auto"
  /// Also for the other outputs.
  case always = "true"
  case never = "false"
}

/// The transport of media to an RTSP server.
public enum RTSPTransport: String, Hashable, Sendable, CaseIterable {
  /// Interleaved in the RTSP connection.
  case tcp
  /// Separate UDP packets.
  case udp
}
