package import HoldfastMediaModel
package import HoldfastPlatform

/// Deletes the recordings that exceed a retention.
package struct RetentionSweep: Sendable {
  package let retention: Retention
  package let folder: String
  package let broadcaster: String

  package struct Outcome: Hashable, Sendable {
    package var deleted: [OpenFolder.File] = []
    package var failures: [SystemError] = []
  }

  package init(_ retention: Retention, in folder: String, of broadcaster: String) {
    self.retention = retention
    self.folder = folder
    self.broadcaster = broadcaster
  }

  /// `kept` are paths or names of files to keep. May block for long on a slow disk.
  package func run(keeping kept: some Sequence<String>, at now: WallTime = WallTime.now) -> Outcome {
    var outcome = Outcome()
    guard !retention.keepsAll else { return outcome }
    do throws(SystemError) {
      let folder = try OpenFolder(self.folder)
      let files = try folder.files { RecordingName($0, of: broadcaster) != nil }
      let names = Set(kept.map(fileName(of:)))
      for file in retention.plan(files, of: broadcaster, keeping: names, at: now) {
        delete(file, from: folder, &outcome)
      }
    } catch {
      outcome.failures.append(error)
    }
    return outcome
  }

  private func delete(_ file: OpenFolder.File, from folder: borrowing OpenFolder, _ outcome: inout Outcome) {
    // The file has changed since the plan was made.
    guard folder.file(file.name) == file else { return }
    do {
      try folder.remove(file.name)
      outcome.deleted.append(file)
    } catch {
      if !error.isNotFound { outcome.failures.append(error) }
    }
  }
}
