public import MediaModel

/// What a broadcast came to: the line that it leaves behind.
public struct Report: Hashable, Sendable {
  public var duration: MediaTime
  public var recordingPath: String
  public var recordedBytes: Int64
  public var interruptions: Int
  public var gaps: [Gap]

  public init(
    duration: MediaTime, recordingPath: String, recordedBytes: Int64, interruptions: Int = 0, gaps: [Gap] = []
  ) {
    self.duration = duration
    self.recordingPath = recordingPath
    self.recordedBytes = recordedBytes
    self.interruptions = interruptions
    self.gaps = gaps
  }
}

extension Report: CustomStringConvertible {
  /// `recorded 0:10:00.0 to recordings/x.mp4 (187 MB): nothing lost`
  public var description: String {
    let pauses = interruptions == 0 ? "" : ", " + Figures.count(interruptions, "interruption")
    let losses = videoLosses + audioLosses
    let lost = losses.isEmpty ? "nothing lost" : "lost: " + losses.joined(separator: "; ")
    return "recorded \(duration.description.dropLast(2)) to \(recordingPath) "
      + "(\(Figures.bytes(recordedBytes)))\(pauses): \(lost)"
  }

  private var videoLosses: [String] {
    causes { $0.lostVideo > .zero || $0.lostPictures > 0 }.map { cause, gaps in
      let lost = gaps.reduce(MediaTime.zero) { $0 + $1.lostVideo }
      let pictures = Figures.count(gaps.reduce(0) { $0 + $1.lostPictures }, "frame")
      return "video \(pictures) (\(Figures.decimal(lost.seconds, places: 3)) s) \(cause)"
    }
  }

  private var audioLosses: [String] {
    causes { $0.lostAudio > .zero }.map { cause, gaps in
      let lost = gaps.reduce(MediaTime.zero) { $0 + $1.lostAudio }
      return "audio \(Figures.decimal(lost.seconds, places: 3)) s \(cause)"
    }
  }

  /// The gaps that count, by cause.
  private func causes(where counts: (Gap) -> Bool) -> [(Gap.Cause, [Gap])] {
    let counted = gaps.filter(counts)
    return Gap.Cause.allCases.compactMap { cause in
      let caused = counted.filter { $0.cause == cause }
      return caused.isEmpty ? nil : (cause, caused)
    }
  }
}
