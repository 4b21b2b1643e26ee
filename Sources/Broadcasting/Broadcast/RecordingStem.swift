internal import MediaModel

/// `NAME-20261121T042210Z`, what the file of a broadcast that goes live at `instant` is called.
func recordingStem(name: String, at instant: WallTime) -> String {
  "\(name)-\(instant.compact)"
}
