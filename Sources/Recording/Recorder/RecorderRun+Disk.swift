internal import Glibc
internal import HoldfastMP4
internal import HoldfastMediaModel
internal import HoldfastPlatform

/// What becomes of a recording whose disk has no room, fails or has gone, and comes back.
extension RecorderRun {
  /// The disk has refused something.
  mutating func refuse(_ error: any Error) {
    trouble = error
    let code = (error as? SystemError)?.code ?? EIO
    if code == EFBIG, file != nil, fileBytes > Self.smallestFull { return leaveFullFile() }
    let isFull = (error as? SystemError)?.isForWantOfRoom ?? false
    act(on: .failed(code: code, isFull: isFull))
  }

  mutating func act(on event: DiskGuard.Event) {
    for action in disk.handle(event) {
      switch action {
      case .tell: break
      case .finishFile: endFile()
      case .tryAgain(let wait): due = .now + wait
      case .goOn:
        due = nil
        goOn()
      }
    }
  }

  /// False where the recording ends before the disk takes anything again.
  mutating func waitForDisk() -> Bool {
    while let due {
      guard queue.rest(until: due) else {
        // It ends: whatever the disk may take now, it is asked once.
        guard !hasTriedAtEnd else { return false }
        hasTriedAtEnd = true
        return file != nil
      }
      self.due = nil
      measure()
    }
    return file != nil
  }

  mutating func measure() {
    do {
      guard try diskNumber(ofFolderOf: path) == home else { throw SystemError.missing(folder(of: path)) }
      let free = try FreeSpace(at: folder(of: path)).available
      if free <= settings.disk.reserve, settings.disk.reserve > 0 {
        trouble = SystemError(operation: "write", code: ENOSPC)
      }
      act(on: .measured(free: free, bytesPerSecond: bytesPerSecond()))
    } catch {
      refuse(error)
    }
  }

  /// A disk's files may not get larger: the recording goes on in a further one.
  private mutating func leaveFullFile() {
    endFile()
    do {
      try continueElsewhere(from: next, why: "its disk's files can't be larger")
    } catch {
      refuse(error)
    }
  }

  /// One that takes less can't be written at all.
  private static let smallestFull = 1 << 20

  /// There is hardly any room left: the file is one that needs nothing more.
  private mutating func endFile() {
    guard var file = file.take() else { return }
    do {
      report(.finished(path: path, bytes: try file.finish()))
    } catch {
      // It is whole without an index.
      report(.unfinished(RecordingError(path: path, error)))
    }
  }

  // MARK: - Files

  mutating func openFirst() throws {
    home = try diskNumber(ofFolderOf: path)
    if settings.waitsForRoom {
      measure()
      if due != nil { return }
    } else if settings.disk.reserve > 0,
      try FreeSpace(at: folder(of: path)).available <= settings.disk.reserve
    {
      throw SystemError(operation: "its disk has only its reserve left", code: ENOSPC)
    }
    do {
      try begin()
    } catch let error as SystemError where settings.waitsForRoom {
      refuse(error)
    }
  }

  private mutating func begin() throws {
    switch place {
    case .new(_, let origin):
      file = try make(path, origin: origin)
      standstillBefore = standstill
    case .continuing(_, let known, let fileOrigin, let origin):
      surroundings.begin(path, tracks, fileOrigin)
      do {
        let writer = try FragmentWriter(continuing: path, known, tracks: tracks)
        file = RecordingFile(
          path: path, origin: fileOrigin, standstillBefore: .zero, writer: writer)
      } catch {
        _ = try? FragmentedFile.cutTornEnd(of: path)
        try continueElsewhere(from: origin, why: "\(error)")
      }
    }
    fileStart = origin
    isBegun = true
  }

  /// A new file. Whatever the broadcast stood still for right before it is not kept in it.
  mutating func make(_ path: String, origin: MediaTime) throws -> RecordingFile {
    standstill = max(standstill, surroundings.standstill(origin))
    surroundings.begin(path, tracks, origin)
    let writer = try FragmentWriter(path: path, tracks: tracks, expected: settings.expectedFile)
    return RecordingFile(path: path, origin: origin, standstillBefore: standstill, writer: writer)
  }

  private mutating func continueElsewhere(from origin: MediaTime, why: String) throws {
    let part = Recorder.Place.new(path).nextPart
    let made = try make(part, origin: origin)
    report(.continuedElsewhere(path: part, why: why))
    path = part
    self.origin = origin
    standstillBefore = standstill
    bytesBefore += fileBytes
    fileBytes = 0
    fileStart = nil
    needsKeyframe = isBegun && tracks.contains { $0.kind == .video }
    file = consume made
    ends = [:]
  }

  /// The disk may take something again.
  private mutating func goOn() {
    do {
      guard isBegun else { return try begin() }
      // The same file takes what it refused.
      if file?.isGone == false { return }
      file = nil
      guard fileExists(path) else { return try continueElsewhere(from: next, why: "the file has gone") }
      do {
        let known = try FragmentedFile(endOf: path)
        let writer = try FragmentWriter(continuing: path, known, tracks: tracks)
        file = RecordingFile(
          path: path, origin: origin, standstillBefore: standstillBefore, writer: writer)
        tellMissing(known)
      } catch  where error is ContinuationError || (error as? FragmentedFileError)?.isOfTheFile == true {
        try continueElsewhere(from: next, why: "\(error)")
      }
    } catch {
      refuse(error)
    }
  }

  /// What had been written, and isn't there any more.
  private func tellMissing(_ known: FragmentedFile) {
    for (track, end) in ends {
      guard let there = known.end(of: track).map({ $0 + shiftedOrigin }), end - there > .milliseconds(1)
      else {
        continue
      }
      report(
        .lost(
          Recorder.Loss(track: track, at: there, duration: end - there, packets: 0, isHeld: true)))
    }
  }
}

extension SystemError {
  /// What was at `path` isn't there any more.
  static func missing(_ path: String) -> SystemError {
    SystemError(operation: path, code: ENOENT)
  }
}

extension FragmentedFileError {
  /// The file is to blame, not its disk.
  fileprivate var isOfTheFile: Bool {
    switch self {
    case .damaged, .foreign, .tooLarge: true
    case .unreadable: false
    }
  }
}
