package import HoldfastMediaModel

/// The summary line of a broadcast.
package struct Report: Hashable, Sendable, CustomStringConvertible {
  package var duration: MediaTime
  package var recordingPath: String?
  package var recordedBytes: Int64
  package var outputs: Int
  package var interruptions: Int
  package var interrupted: MediaTime
  package var gaps: [Gap]
  package var endReason: BroadcastEvent.EndReason

  package init(
    duration: MediaTime, recordingPath: String? = nil, recordedBytes: Int64, outputs: Int = 0,
    interruptions: Int = 0, interrupted: MediaTime = .zero, gaps: [Gap] = [],
    endReason: BroadcastEvent.EndReason = .stopped
  ) {
    (self.duration, self.interruptions, self.interrupted) = (duration, interruptions, interrupted)
    (self.recordingPath, self.recordedBytes, self.outputs) = (recordingPath, recordedBytes, outputs)
    (self.gaps, self.endReason) = (gaps, endReason)
  }

  /// `published 0:10:00.0 to 2 outputs, recorded to recordings/x.mp4 (187 MB): nothing lost`
  package var description: String {
    let length = duration.description.dropLast(2)
    let recorded = recordingPath.map { "to \($0) (\(Figures.bytes(recordedBytes)))" }
    let head =
      switch (outputs, recorded) {
      case (0, let recorded?): "recorded \(length) \(recorded)"
      case (_, let recorded?):
        "published \(length) to \(Figures.count(outputs, "output")), recorded \(recorded)"
      case (_, nil): "published \(length) to \(Figures.count(outputs, "output"))"
      }
    let pauses =
      interruptions == 0
      ? ""
      : ", \(Figures.count(interruptions, "interruption")) of \(interrupted.description.dropLast(2)) in all"
    let losses = videoLosses + audioLosses
    return "\(head)\(pauses): "
      + (losses.isEmpty ? "nothing lost" : "lost: " + losses.joined(separator: "; "))
  }

  private var videoLosses: [String] {
    causes { $0.lostVideo > .zero || $0.lostPictures > 0 }.map { cause, gaps in
      let lost = gaps.reduce(MediaTime.zero) { $0 + $1.lostVideo }
      let pictures = gaps.reduce(0) { $0 + $1.lostPictures }
      let seconds = "\(Figures.decimal(lost.seconds, places: 3)) s"
      // Nobody counted the pictures of a crash.
      return pictures == 0
        ? "video \(seconds) \(cause)" : "video \(Figures.count(pictures, "frame")) (\(seconds)) \(cause)"
    }
  }

  private var audioLosses: [String] {
    causes { $0.lostAudio > .zero }.map { cause, gaps in
      let lost = gaps.reduce(MediaTime.zero) { $0 + $1.lostAudio }
      return "audio \(Figures.decimal(lost.seconds, places: 3)) s \(cause)"
    }
  }

  private func causes(where counts: (Gap) -> Bool) -> [(String, [Gap])] {
    let counted = gaps.filter(counts)
    // What is missing everywhere is missing in the recording, too.
    func place(_ gap: Gap) -> String {
      if let member = gap.member { return " in tile \(member)" }
      return gap.isOfRecording ? "" : " at \(gap.output ?? "")"
    }
    return Set(counted.map(place)).sorted().flatMap { name in
      Gap.Cause.allCases.compactMap { cause in
        let caused = counted.filter { $0.cause == cause && place($0) == name }
        return caused.first.map { ("\($0.reason)\(name)", caused) }
      }
    }
  }
}
