package import HoldfastMediaModel
package import HoldfastPlatform

/// Deletes what is not kept any longer.
package struct RetentionSweep: Sendable {
  package let retention: Retention
  package let folder: String
  package let broadcaster: String

  package struct Outcome: Hashable, Sendable {
    package var deleted: [OpenFolder.File] = []
    /// What could not be deleted, and is tried again the next time.
    package var failures: [SystemError] = []
  }

  package init(_ retention: Retention, in folder: String, of broadcaster: String) {
    self.retention = retention
    self.folder = folder
    self.broadcaster = broadcaster
  }

  /// `kept` are the paths or names of files that stay. It may take long on a slow disk.
  package func run(
    keeping kept: some Sequence<String>, at now: WallTime = WallTime.now
  ) -> Outcome {
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
    // Somebody has written to it since: it is not what the plan was made for.
    guard folder.file(file.name) == file else { return }
    do {
      try folder.remove(file.name)
      outcome.deleted.append(file)
    } catch {
      if !error.isNotFound { outcome.failures.append(error) }
    }
  }
}
