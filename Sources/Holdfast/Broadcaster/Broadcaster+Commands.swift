internal import HoldfastBroadcasting
internal import HoldfastLifecycle
internal import HoldfastMediaModel
internal import HoldfastPlatform
internal import HoldfastPublishing

extension Broadcaster {
  /// Begins a broadcast from the preview, or the next one.
  public func start() { inner.handle(.command(.start)) }

  /// Leaves the servers and lets media time stand still. `resume()` goes on in the same recording.
  public func interrupt() { inner.handle(.command(.interrupt)) }

  /// Goes on after `interrupt()`, or begins a new broadcast where the resume window has closed.
  public func resume() { inner.handle(.command(.resume)) }

  /// Ends the broadcast and closes the devices until `foreground()`.
  public func background() { inner.handle(.command(.background)) }

  /// Comes back from `background()` with a new broadcast.
  public func foreground() { inner.handle(.command(.foreground)) }

  /// Ends the broadcast: back to the preview where there was one, else like `stop()`.
  public func end() { inner.handle(.command(.end)) }

  /// Ends everything; what was captured is still sent and recorded. `run()` then returns.
  public func stop() { inner.handle(.command(.stop)) }

  /// Lets the session last longer, and returns how its time stands then. The same `request` extends once, however often
  /// it is repeated.
  @discardableResult
  public func extend(by length: Duration, request: String) async throws(CommandError) -> SessionTime {
    let answer = try await answer { [inner] in inner.extend(by: MediaTime(length), request: request) }
    guard let answer else { throw .notTaken }
    switch answer.verdict {
    case .extended, .repeated: return SessionTime(inner: answer.status)
    case .refused(let refusal): throw CommandError(refusal)
    }
  }

  /// Sends black pictures or silence instead of what is captured, or ends that; the encoder and the connections stay.
  public func mute(_ track: TrackKind, _ isMuted: Bool = true) throws(CommandError) {
    do throws(ChangeError) { try inner.mute(.init(as: track), isMuted) } catch { throw CommandError(error) }
  }

  /// Takes pictures from another source as soon as it gives one, within some 6 s. Nothing has changed where this throws.
  public func switchVideo(to source: VideoSelection) async throws(CommandError) {
    try await change { [inner] () throws(ChangeError) in try inner.switchVideo(to: source.inner) }
  }

  /// Takes the sound from another source as soon as it gives some.
  public func switchAudio(to source: AudioSelection) async throws(CommandError) {
    try await change { [inner] () throws(ChangeError) in try inner.switchAudio(to: source.inner) }
  }

  /// Takes another configuration: the bitrates and the resume window change at once, all else with the next broadcast.
  /// Its name, its preview, its sinks and what happens after a crash stay as they are.
  public func reconfigure(_ configuration: Configuration) throws(ConfigurationError) {
    inner.configure(try configuration.checked(receivers: receivers).replacing(inner.configuration))
  }

  /// Changes the picture's highest bitrate, in bits per second, while it is encoded.
  public func setBitrate(_ bitsPerSecond: Int) throws(CommandError) {
    var configuration = inner.configuration
    guard (inner.runningConfiguration ?? configuration).mayChangeBitrate else {
      throw CommandError(
        kind: .notPossible, what: "this encoder's bitrate can't be changed while it runs",
        remedy: "choose another encoder")
    }
    configuration.video.bitrate = bitsPerSecond
    do { try configuration.validate() } catch {
      throw CommandError(kind: .notPossible, what: error.why, remedy: error.remedy)
    }
    inner.configure(configuration)
  }

  /// Sends the viewers a named text beside picture and sound, and returns how many outputs publish.
  @discardableResult
  public func send(event name: String, text: String) -> Int {
    inner.send(CustomEvent(name: name, text: text))
  }

  private func change(_ body: @escaping @Sendable () throws(ChangeError) -> Void) async throws(CommandError) {
    let result = try await answer { Result(catching: body) }
    do { try result.get() } catch { throw CommandError(error) }
  }

  private func answer<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async throws(CommandError) -> Answer {
    do { return try await onThread("command", body) } catch {
      throw CommandError(
        kind: .busy, what: "\(error)", remedy: "see whether the machine is out of threads")
    }
  }
}
