internal import Foundation

/// A publisher that faults are tried on. It publishes a marked picture and a sound to several servers and records
/// them too.
package protocol Subject: AnyObject, Sendable {
  static var title: String { get }
  /// The server's application that takes what it publishes.
  static var application: String { get }
  /// The marks tell the time of this machine's clock; else only the time since the beginning.
  static var marksTellClock: Bool { get }

  init(to addresses: [String], environment: [String: String], in folder: ScratchFolder) throws

  /// Everything that it has said so far of the output to `port`.
  func changes(ofOutputTo port: UInt16) -> [OutputChange]
  /// Ends it, cleanly where it lets that happen.
  func finish()
  /// What it recorded by itself, once it has ended.
  var recording: String? { get }
  /// Pictures that it says are missing everywhere, since they were never taken.
  var picturesNeverTaken: Int { get }
  /// What it said, for a person.
  var said: String { get }
}
