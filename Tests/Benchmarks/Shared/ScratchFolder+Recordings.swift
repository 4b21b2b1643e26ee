import TestSupport

extension ScratchFolder {
  /// What `holdfast verify` says of the recordings in the folder, by the journals in it; nil if all is well.
  func complaint(_ options: [String] = []) throws -> String? {
    let result = try HoldfastProcess.run(
      ["verify"] + options + recordings, environment: ["XDG_STATE_HOME": file("state")])
    return result.status == 0 ? nil : result.output + result.errors
  }
}
