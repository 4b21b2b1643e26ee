import Foundation
import HoldfastMediaModel
import HoldfastPlatform

/// The artifacts of a run, evaluated into measurements.
struct Findings<Kind: Subject> {
  let fault: Fault
  let subject: Kind
  let outages: [Outage]
  let attempts: Int
  let ports: (faulty: UInt16, healthy: UInt16)
  let tags: [RecordedTag]
  let recordings: (faulty: String, healthy: String)
  let otherTags: [RecordedTag]

  private static var pictureLength: MediaTime { MediaTime(ticks: 1, timescale: MarkedFile.rate) }

  var measured: Measured {
    get throws {
      let media = tags.contains { $0.isKeyframe } ? try ServerMedia(path: recordings.faulty, tags: tags) : nil
      let other = try ServerMedia(path: recordings.healthy, tags: otherTags)
      let begin = outages.first?.begin ?? .now
      let changes = changes(ofOutputTo: ports.faulty, since: begin)
      let elsewhere = fault.isForGood ? [] : self.changes(ofOutputTo: ports.healthy, since: begin)
      let pictures = media.map(onOneClock) ?? []
      return Measured(
        fault: fault, subject: Kind.title, noticed: noticed(changes).map { $0.at - begin }, changes: changes,
        attempts: attempts, outage: outages.reduce(.zero) { $0 + $1.length },
        firstMedia: longest { outage in
          pictures.compactMap(\.arrival).filter { $0 > outage.end }.min().map { $0 - outage.end }
        },
        live: longest { outage in
          pictures.filter { $0.captureTime >= outage.end }.compactMap(\.arrival).min().map { $0 - outage.end }
        },
        latest: pictures.compactMap { picture in picture.arrival.map { $0 - picture.captureTime } }.max(),
        missing: MediaTime(nanoseconds: Int64(media?.missingPictures ?? 0) * Self.pictureLength.nanoseconds),
        lostElsewhere: max(0, other.missingPictures - subject.uncapturedPictures),
        lostLocally: try lostLocally(), changesElsewhere: elsewhere, media: media, log: subject.log)
    }
  }

  /// The changes since `begin`, without the requested end. Publishers report whole milliseconds, hence the
  /// tolerance.
  private func changes(ofOutputTo port: UInt16, since begin: MonotonicTime) -> [OutputChange] {
    subject.changes(ofOutputTo: port).filter { $0.at >= begin - .milliseconds(2) && $0.state != "closed" }
  }

  /// The first change that indicates a fault. Connecting does not, if the publisher can never connect.
  private func noticed(_ changes: [OutputChange]) -> OutputChange? {
    changes.first { $0.state != "publishing" && !(fault.isForGood && $0.state == "connecting") }
  }

  private func lostLocally() throws -> Int {
    guard let path = subject.recording else { return .max }
    return max(0, try RecordingMarks(path: path).missingPictures - subject.uncapturedPictures)
  }

  /// Converts marks relative to the start of the run to the monotonic clock, assuming that the least delay
  /// before the fault was zero.
  private func onOneClock(_ media: ServerMedia) -> [ServerMedia.Picture] {
    guard !Kind.marksCarryClock, let begin = outages.first?.begin else { return media.pictures }
    let delays = media.pictures.compactMap { picture in
      picture.arrival.flatMap { $0 < begin ? $0 - picture.captureTime : nil }
    }
    guard let least = delays.min() else { return media.pictures }
    return media.pictures.map {
      ServerMedia.Picture(number: $0.number, captureTime: $0.captureTime + least, arrival: $0.arrival)
    }
  }

  private func longest(_ delay: (Outage) -> MediaTime?) -> MediaTime? {
    let delays = outages.map(delay)
    return delays.contains { $0 == nil } ? nil : delays.compactMap(\.self).max()
  }
}
