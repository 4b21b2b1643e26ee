/// Why a recording can't be gone on with in its file.
enum ContinuationError: Error, Hashable, CustomStringConvertible {
  case otherTracks
  case hasChanged

  var description: String {
    switch self {
    case .otherTracks: "it has other tracks than there are now"
    case .hasChanged: "it has changed meanwhile"
    }
  }
}
