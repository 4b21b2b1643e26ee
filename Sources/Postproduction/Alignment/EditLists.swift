import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRecording

/// Writes the edit lists of an alignment: one for each recording, as the format has a single track.
package struct EditLists: Sendable {
  /// Path and content of each list.
  private let files: [(path: String, list: EditList)]
  /// What an editor has to be told.
  package let notes: [String]

  package var paths: [String] { files.map(\.path) }

  /// Writes nothing. With several lists, number and name are put before the end of `path`.
  package init(_ alignment: Alignment, to path: String) throws(RecordingFileError) {
    if let failure = alignment.failures.first { throw failure }
    let lanes = alignment.lanes
    let rates = lanes.map { $0.parts[0].timecodeRate }
    let rate = rates.compactMap(\.self).first ?? TimecodeRate(nearest: .thirty)
    let parts = lanes.flatMap(\.parts)
    let reels = Dictionary(
      zip(parts.map(\.path), EditList.reels(parts.map(\.name))), uniquingKeysWith: { first, _ in first })
    let titles = AlignedLane.titles(of: lanes)
    files = lanes.indices.map { index in
      let name = lanes.count == 1 ? path : Self.path(path, index + 1, lanes[index].name)
      let events = lanes[index].parts.flatMap { part in
        part.pieces.map { piece in
          EditList.Event(
            clip: fileName(of: part.path), reel: reels[part.path] ?? "REEL", source: piece.file,
            at: piece.wall - alignment.start, wall: piece.wall)
        }
      }
      let list = EditList(
        title: titles[index], channels: lanes[index].parts[0].channels, rate: rate, events: events)
      return (name, list)
    }
    for (path, list) in files {
      guard !isTaken(path) else { throw .taken(path) }
      guard list.fits else {
        throw RecordingFileError(
          .misuse, path, "the recordings reach over more than 23 hours, which timecode can't count",
          hint: "align fewer of them, or use --to")
      }
    }
    let others = Set(rates.compactMap(\.self)).subtracting([rate])
    notes =
      others.isEmpty
      ? [] : ["the recordings have different frame rates; all timecode counts \(rate) pictures a second"]
  }

  private static func path(_ path: String, _ number: Int, _ name: String) -> String {
    let file = fileName(of: path)
    let ending = file.lastIndex(of: ".").map { String(file[$0...]) } ?? ""
    return "\(path.dropLast(ending.count))-\(number)-\(name.replacing("/", with: "-"))\(ending)"
  }

  /// None of them replaces a file. One that can't be written removes none that were.
  package func write() throws(RecordingFileError) {
    for (path, list) in files { try writeNewFile(path, list.text) }
  }
}

extension AlignedRecording {
  /// Nil without pictures.
  fileprivate var timecodeRate: TimecodeRate? {
    guard case .video(let format)? = part.tracks[.video]?.format else { return nil }
    return TimecodeRate(nearest: format.frameRate)
  }

  /// As edit lists name tracks.
  fileprivate var channels: String {
    var sound: String?
    if case .audio(let format)? = part.tracks[.audio]?.format { sound = format.channels == 1 ? "A" : "AA" }
    return switch (part.tracks[.video] != nil, sound) {
    case (true, "A"): "B"
    case (true, let sound?): "\(sound)/V"
    case (true, nil): "V"
    case (false, let sound): sound ?? "A"
    }
  }
}
