package import HoldfastMediaModel
import HoldfastMediaSources

/// Why a change to a running broadcast failed; everything is unchanged.
package typealias ChangeError = Failure<ChangeRefusal>

package enum ChangeRefusal: String, Hashable, Sendable, CaseIterable {
  /// Not possible in this state or with this configuration.
  case notPossible
  /// Another change is pending, or the device is in use.
  case busy
  case notFound
  case unusable
}

extension ChangeError {
  static var tooLate: Self { Self(.busy, "the broadcaster was too busy", hint: "try again in a moment") }
  static var isOver: Self { Self(.notPossible, "the broadcast has ended", hint: "start another") }

  init(_ error: CaptureError) {
    let kind: Kind =
      switch error.kind {
      case .notFound: .notFound
      case .busy: .busy
      case .lost, .unsuitable, .notPermitted: .unusable
      }
    self.init(kind, "\(error.device): \(error.what)", hint: error.hint)
  }
}
