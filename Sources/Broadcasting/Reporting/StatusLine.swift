import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

/// A snapshot as one line of text.
package enum StatusLine {
  /// For a terminal of `columns`: what matters least goes first when there is no room for all of it.
  ///
  /// `● live 0:01:23  30.0 fps  2.48 Mb/s  dropped 0  xruns 0  ▕█████▎   │  ▏ -18 dB`
  package static func text(for snapshot: Snapshot, columns: Int) -> String {
    let bullet = snapshot.state == .live ? "●" : "○"
    var parts = [Part("\(bullet) \(head(of: snapshot))", importance: .max)] + figures(of: snapshot)
    if snapshot.audioLevel != nil {
      parts.append(Part(meter(of: snapshot, cells: LevelMeter.minCells), importance: Part.meter))
    }
    while width(of: parts) > columns, parts.count > 1,
      let least = parts.indices.min(by: { parts[$0].importance < parts[$1].importance })
    {
      parts.remove(at: least)
    }
    if let last = parts.last, last.importance == Part.meter {
      let cells = min(LevelMeter.maxCells, LevelMeter.minCells + columns - width(of: parts))
      parts[parts.count - 1] = Part(meter(of: snapshot, cells: cells), importance: Part.meter)
    }
    return String(parts.map(\.text).joined(separator: separator).prefix(max(0, columns)))
  }

  package static func plainText(for snapshot: Snapshot) -> String {
    var words = figures(of: snapshot).map(\.text)
    if let level = snapshot.audioLevel {
      let peak = snapshot.audioPeak.map { " (peak \(LevelMeter.decibels($0, width: 0)))" } ?? ""
      words.append("audio \(LevelMeter.decibels(level, width: 0))\(peak)")
    }
    return "\(head(of: snapshot)): \(words.joined(separator: ", "))"
  }

  /// A figure; the least important are dropped first.
  private struct Part {
    let text: String
    let importance: Int
    static let meter = 3

    init(_ text: String, importance: Int) {
      self.text = text
      self.importance = importance
    }
  }

  private static let separator = "  "

  private static func head(of snapshot: Snapshot) -> String {
    "\(snapshot.state.rawValue) \(snapshot.mediaTime.description.dropLast(4))"
  }

  private static func figures(of snapshot: Snapshot) -> [Part] {
    var parts = [
      Part(Figures.decimal(snapshot.framesPerSecond, places: 1) + " fps", importance: 6),
      Part(Figures.rate(snapshot.bitsPerSecond), importance: 5),
      Part("dropped \(snapshot.droppedPictures)", importance: snapshot.droppedPictures == 0 ? 2 : 8),
      Part("xruns \(snapshot.xruns)", importance: snapshot.xruns == 0 ? 1 : 7),
    ]
    for output in snapshot.outputs {
      let isFine = output.figures.condition.state == .publishing
      let cause = output.figures.condition.cause.map { " (\($0.name))" } ?? ""
      parts.append(
        Part(
          "\(output.id) \(isFine ? "up" : output.figures.condition.state.rawValue + cause)",
          importance: isFine ? 4 : 9))
    }
    if snapshot.recordedBytes > 0 { parts.append(Part(Figures.bytes(snapshot.recordedBytes), importance: 0)) }
    if let disk = snapshot.disk, disk != .writing { parts.append(Part("disk \(disk.name)", importance: 9)) }
    if snapshot.recordQueue > .seconds(1) {
      parts.append(
        Part("\(Figures.decimal(snapshot.recordQueue.seconds, places: 0)) s queued", importance: 8))
    }
    if let drift = snapshot.driftPPM {
      let sign = drift.rounded() > 0 ? "+" : ""
      parts.append(Part("drift \(sign)\(Figures.decimal(drift, places: 0)) ppm", importance: -1))
    }
    return parts
  }

  private static func meter(of snapshot: Snapshot, cells: Int) -> String {
    guard let level = snapshot.audioLevel else { return "" }
    return LevelMeter.bar(level: level, peak: snapshot.audioPeak, cells: cells) + " "
      + LevelMeter.decibels(level)
  }

  private static func width(of parts: [Part]) -> Int {
    parts.reduce(0) { $0 + $1.text.count } + separator.count * max(0, parts.count - 1)
  }
}
