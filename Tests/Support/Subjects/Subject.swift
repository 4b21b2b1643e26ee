import Foundation

/// A publisher under fault tests. It sends a marked picture and sound to several servers and records them.
package protocol Subject: AnyObject, Sendable {
  static var title: String { get }
  static var application: String { get }
  /// Whether marks carry the machine's clock rather than the time since the start.
  static var marksCarryClock: Bool { get }

  init(to addresses: [String], environment: [String: String], in folder: ScratchFolder) throws

  func changes(ofOutputTo port: UInt16) -> [OutputChange]
  /// Ends the publisher, gracefully if possible.
  func finish()
  /// The publisher's own recording, once it has ended.
  var recording: String? { get }
  var uncapturedPictures: Int { get }
  var log: String { get }
}
