import Foundation
import HoldfastMediaModel
import TestSupport

/// The outcomes of all cuts, also those of earlier runs if they are kept in a file.
struct PowerResults {
  struct Cut: Codable {
    let system: String
    let kind: String
    var problems: [String] = []
    var isMounted = true
    /// What the cut took of a broadcast that was resumed, and how much it may take.
    var lostNs: Int64?
    let limitNs: Int64
  }

  private(set) var cuts: [Cut] = []
  private let file: FileHandle?

  /// With `path` each cut is kept in that file, which is read first.
  init(keptIn path: String?) throws {
    guard let path else {
      file = nil
      return
    }
    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    cuts = try lines.map { try JSONDecoder().decode(Cut.self, from: Data($0.utf8)) }
    file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file?.seekToEnd()
  }

  var problems: [String] {
    let excesses = cuts.filter { ($0.lostNs ?? 0) > $0.limitNs }.map {
      "\($0.system): a cut took \(MediaTime(nanoseconds: $0.lostNs ?? 0)), more than the limit"
    }
    return cuts.flatMap(\.problems) + excesses
  }

  func count(on system: LoggedDisk.FileSystem) -> Int { cuts.count { $0.system == system.rawValue } }

  mutating func add(_ cut: Cut) throws {
    cuts.append(cut)
    try file?.write(contentsOf: try JSONEncoder().encode(cut) + Data("\n".utf8))
  }

  func summary(of system: LoggedDisk.FileSystem) -> String {
    let cuts = cuts.filter { $0.system == system.rawValue }
    var lines = ["\(system.rawValue): \(cuts.count) cuts, \(cuts.flatMap(\.problems).count) problems"]
    for kind in PowerWorkload.Phase.Kind.allCases {
      let those = cuts.filter { $0.kind == kind.rawValue }
      var line = "  \(kind.rawValue): \(those.count) cuts"
      let lost = those.filter { $0.lostNs != nil }
      if let most = lost.max(by: { ($0.lostNs ?? 0) < ($1.lostNs ?? 0) }) {
        line +=
          ", \(lost.count) of a broadcast that was resumed, \(MediaTime(nanoseconds: most.lostNs ?? 0)) lost "
          + "at most (limit \(MediaTime(nanoseconds: most.limitNs)))"
      }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }
}
