import HoldfastMarks
import TestSupport

/// What the marks say of a file's pictures.
struct Pictures: CustomStringConvertible {
  private let name: String
  private let media: ServerMedia

  init(_ name: String, _ path: String?) throws {
    guard let path else { throw WireClient.Failure(description: "there is no file of the \(name)") }
    self.name = name
    media = try ServerMedia(path: path)
  }

  var isWhole: Bool {
    media.missingPictures == 0 && media.report.repeated == 0 && media.report.goingBack == 0
      && media.report.unreadable == 0 && media.report.pictures > 0
  }

  var description: String {
    let report = media.report
    return
      "\(name): \(report.pictures) pictures, \(media.missingPictures) missing, \(report.repeated) doubled, "
      + "\(report.goingBack) back, \(report.unreadable) unreadable"
  }
}
