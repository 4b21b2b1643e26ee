import HoldfastFFmpeg
package import HoldfastMediaModel
import HoldfastPlatform
package import HoldfastRecording

/// Recordings of the same event, side by side on the wall clock.
package struct Alignment: Sendable {
  package struct Request: Sendable {
    package var recordings: [String]
    /// Paths of journals; those not named here are searched for.
    package var journals: [String] = []
    package var environment: [String: String]

    package init(_ recordings: [String], environment: [String: String] = [:]) {
      self.recordings = recordings
      self.environment = environment
    }
  }

  /// In the order of the request.
  package let recordings: [AlignedRecording]
  /// Why the others have no place.
  package let failures: [RecordingFileError]
  /// The earliest instant.
  package let start: WallTime

  /// Reads the recordings and their journals; writes nothing.
  package init(_ request: Request) throws(RecordingFileError) {
    silenceFFmpeg()
    var named: [RecordingJournal] = []
    for path in request.journals { named.append(try .named(path)) }
    var found: [(ExportPlan, RecordingJournal)] = []
    var failures: [RecordingFileError] = []
    for path in request.recordings {
      do throws(RecordingFileError) {
        found.append(try Self.read(path, named, request.environment))
      } catch {
        failures.append(error)
      }
    }
    let clocks = BootClocks(found.map(\.1.journal))
    var recordings: [AlignedRecording] = []
    for (plan, journal) in found {
      do throws(RecordingFileError) {
        recordings.append(try AlignedRecording(plan, journal, clocks))
      } catch {
        failures.append(error)
      }
    }
    self.recordings = recordings
    self.failures = failures
    start = recordings.map(\.start).min() ?? WallTime(nanoseconds: 0)
  }

  private static func read(
    _ path: String, _ named: [RecordingJournal], _ environment: [String: String]
  ) throws(RecordingFileError) -> (ExportPlan, RecordingJournal) {
    let part = try RecordingPart(path: path)
    let journal =
      named.first { $0.span(of: path) != nil } ?? RecordingJournal.find(for: path, environment: environment)
    guard let journal else { throw .unplaced(path, "no journal names it") }
    return (try ExportPlan([part], origins: [nil]), journal)
  }

  package var length: MediaTime { (recordings.map(\.end).max() ?? start) - start }

  /// How much later than the earliest recording it begins.
  package func offset(of recording: AlignedRecording) -> MediaTime { recording.start - start }

  /// Whether an instant of it is in another recording, too.
  package func overlapsAnother(_ recording: AlignedRecording) -> Bool {
    recordings.contains { $0.path != recording.path && recording.overlaps($0) }
  }

  /// How many clocks gave the times. Those of different machines agree only as far as they were set right.
  package var clockCount: Int { recordings.reduce(into: Set<String?>()) { $0.formUnion($1.boots) }.count }

  /// Recordings of one broadcast with the same tracks, which follow each other; the earliest broadcast first.
  var lanes: [AlignedLane] {
    var lanes: [AlignedLane] = []
    for recording in recordings.sorted(by: { $0.start < $1.start }) {
      if let index = lanes.firstIndex(where: { $0.isContinued(by: recording) }) {
        lanes[index].parts.append(recording)
      } else {
        lanes.append(AlignedLane(parts: [recording]))
      }
    }
    let order = recordings.map(\.path)
    return lanes.sorted {
      (order.firstIndex(of: $0.parts[0].path) ?? 0) < (order.firstIndex(of: $1.parts[0].path) ?? 0)
    }
  }
}

/// What lies on one line: a file, or the files of one broadcast.
struct AlignedLane: Sendable {
  /// At least one, in the order of time.
  var parts: [AlignedRecording]

  var name: String { parts[0].name }

  func isContinued(by other: AlignedRecording) -> Bool {
    guard let last = parts.last, last.broadcast == other.broadcast, other.start >= last.end - .seconds(1)
    else { return false }
    return TrackKind.allCases.allSatisfy {
      Export.difference(last.part.tracks[$0], other.part.tracks[$0], $0) == nil
    }
  }

  /// A title for each of `lanes`: the broadcast's name, with the time at which it began where that alone is
  /// not unique.
  static func titles(of lanes: [AlignedLane]) -> [String] {
    lanes.map { lane in
      let isUnique = lanes.count { $0.name == lane.name } == 1
      return isUnique ? lane.name : "\(lane.name) \(lane.parts[0].start.rfc3339)"
    }
  }
}
