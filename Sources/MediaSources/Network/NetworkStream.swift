import HoldfastFFmpeg
import HoldfastLifecycle
package import HoldfastMediaModel
import HoldfastPlatform

/// A network source across its connections, shared by the tracks that are taken from it: connects as long as any
/// track is attached, and again when a connection ends.
package final class NetworkStream: Sendable {
  private struct State {
    var attached: Set<TrackKind> = []
    var connection: NetworkConnection?
    /// Why the last attempt failed.
    var failure: SourceFailure?
    var run: Run?
  }

  /// One life of the connecting thread.
  private final class Run: Sendable {
    let stop: Wakeup
    let thread = ThreadSlot()
    let call = NetworkCall()

    init() throws(SystemError) { stop = try Wakeup() }

    func end() {
      call.stop()
      stop.signal()
    }
  }

  private let current: Locked<NetworkSettings>
  private let state = Locked(State())

  /// A lookup of a name may block for longer; its thread is then abandoned.
  private static let stopTimeout = MediaTime.milliseconds(500)
  private static let startPatience = MediaTime.seconds(3)
  private static let searchInterval = MediaTime.milliseconds(20)
  /// A connection that has lasted this long counts as progress.
  private static let minProgress = MediaTime.seconds(2)

  package init(_ settings: NetworkSettings) { current = Locked(settings) }

  package var settings: NetworkSettings { current.withLock { $0 } }

  /// Takes another address from the next connection on.
  package func move(to address: SourceAddress) { current.withLock { $0.address = address } }

  /// Connects for `track`, in the background.
  package func attach(_ track: TrackKind) throws(CaptureError) {
    let run: Run
    do throws(SystemError) {
      silenceFFmpeg()
      run = try Run()
      let isFirst = state.withLock { state in
        state.attached.insert(track)
        guard state.run == nil else { return false }
        state.run = run
        return true
      }
      if isFirst { try run.thread.start(name: "network-source") { [self] in connectRepeatedly(run) } }
    } catch {
      throw SourceFailure.unreachable("\(error)").error(track, settings.address)
    }
  }

  /// Disconnects if no other track is attached.
  package func detach(_ track: TrackKind) {
    let run = state.withLock { state -> Run? in
      state.attached.remove(track)
      guard state.attached.isEmpty else { return nil }
      state.connection = nil
      return state.run.take()
    }
    run?.end()
    _ = run?.thread.join(until: .now + Self.stopTimeout)
  }

  /// Waits for media of `track`. Without `stop` the wait is over as soon as it is pointless; after a second if nobody
  /// answers at the address; else after three, as a keyframe may take that long.
  func awaitMedia(
    _ track: TrackKind, _ stop: Wakeup?
  ) throws(CaptureError) -> (NetworkConnection, NetworkTrack) {
    let began = MonotonicTime.now
    let isStopped: Wakeup
    do { isStopped = try stop ?? Wakeup() } catch {
      throw SourceFailure.unreachable("\(error)").error(track, settings.address)
    }
    while true {
      let (connection, failure) = state.withLock { ($0.connection, $0.failure) }
      if let connection, connection.hasMedia(track), let found = connection.tracks[track] {
        return (connection, found)
      }
      let missing: SourceFailure? =
        connection.map { $0.tracks[track] == nil } == true ? .noTrack(track) : failure
      if let missing, missing.isFinal, stop == nil { throw missing.error(track, settings.address) }
      let limit = connection == nil && missing != nil ? NetworkTaking.patience : Self.startPatience
      if stop == nil, .now - began > limit {
        throw (missing ?? .silent(limit)).error(track, settings.address)
      }
      if isStopped.wait(until: .now + Self.searchInterval) {
        throw SourceFailure.stopped.error(track, settings.address)
      }
    }
  }
}

// MARK: - The connecting thread

extension NetworkStream {
  private func connectRepeatedly(_ run: Run) {
    let policy = RetryPolicy()
    // Boxed, as the thread sanitizer fails at the address of an empty value.
    var randomness: any RandomNumberGenerator = SystemRandomNumberGenerator()
    var failures = 0
    var lastProgress = MonotonicTime.now
    while !run.call.isStopped {
      let began = MonotonicTime.now
      let (failure, connected) = connectOnce(run)
      state.withLock { state in
        guard state.run === run else { return }
        (state.connection, state.failure) = (nil, failure)
      }
      let now = MonotonicTime.now
      if let connected, now - connected >= Self.minProgress { (failures, lastProgress) = (0, now) }
      failures += 1
      // A listener must be there for the next caller.
      let delay =
        settings.address.isListener && now - began > policy.minDelay
        ? .zero : policy.delay(afterFailures: failures, outage: now - lastProgress, using: &randomness)
      if run.stop.wait(until: now + delay) { return }
    }
  }

  /// Connects and reads until that fails; returns when it had connected, too.
  private func connectOnce(_ run: Run) -> (SourceFailure, connected: MonotonicTime?) {
    run.call.begin(until: settings.address.isListener ? nil : .now + settings.connectTimeout)
    var connected: (NetworkConnection, at: MonotonicTime)?
    let failure: SourceFailure
    do throws(FFmpegError) {
      var input = try NetworkInput(settings.input) { run.call.failure != nil }
      let connection = NetworkConnection(input.streams, isAhead: input.isAhead, settings)
      connected = (connection, .now)
      state.withLock { state in
        guard state.run === run else { return }
        (state.connection, state.failure) = (connection, nil)
      }
      failure = try read(&input, connection, run)
    } catch {
      failure = run.call.failure ?? SourceFailure(error)
    }
    connected?.0.finish(failure)
    return (failure, connected?.at)
  }

  private func read(
    _ input: inout NetworkInput, _ connection: NetworkConnection, _ run: Run
  ) throws(FFmpegError) -> SourceFailure {
    let timeout = input.isAhead ? NetworkSettings.playlistTimeout : settings.stallTimeout
    while !run.call.isStopped {
      run.call.begin(until: .now + timeout)
      guard let packet = try input.next() else { return .ended }
      connection.add(packet, at: .now)
      while input.isAhead, connection.isFull, !run.stop.wait(until: .now + .milliseconds(20)) {}
    }
    return .stopped
  }
}
