import TestSupport

extension ScratchFolder {
  /// Publishes a picture without sound to its end, or to the refusal of its source, and records it in the folder.
  func publish(
    _ video: String, _ options: [String] = [], environment: [String: String] = [:]
  ) throws -> HoldfastProcess.Result {
    try HoldfastProcess.run(
      ["publish", "--video", video, "--audio", "off", "--record", path] + options, environment: environment)
  }
}
