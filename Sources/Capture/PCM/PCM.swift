import Glibc
import HoldfastCALSA
import HoldfastMediaModel
import HoldfastPlatform

/// A capture PCM, as used by `MicrophoneReader`.
protocol PCMStream {
  /// Restarts capture in any condition; discards buffered samples.
  func restart() throws(PCMError)
  func position() throws(PCMError) -> PCMPosition
  /// Reads at most `frames` frames; never blocks.
  func read(_ frames: Int) throws(PCMError) -> [Float]
  func wait(for stop: Wakeup, until deadline: MonotonicTime) throws(PCMError) -> Wakeup.Outcome
}

/// An open capture PCM. Reading never blocks; opening, starting and closing have a timeout, as a sound server
/// may hang.
final class PCM: @unchecked Sendable {  // its microphone makes one call at a time
  private let raw: OpaquePointer
  private let status: OpaquePointer
  private let bytes: UnsafeMutableRawBufferPointer
  let settings: PCMSettings

  private static let openTimeout = MediaTime.seconds(5)
  private static let callTimeout = MediaTime.seconds(1)
  private static let existenceTimeout = MediaTime.seconds(2)
  /// Silences alsa-lib's messages; must be evaluated before the first use.
  static let silence: Void = calsa_silence()

  static func open(_ name: String, requested: AudioFormat) throws(PCMError) -> PCM {
    let result = bounded(by: openTimeout) { Self.opened(name, requested: requested) }
    guard let result else { throw .timedOut("opening") }
    return try result.get()
  }

  /// Whether the device opens for capture or is only busy.
  static func exists(_ name: String) -> Bool {
    let code = bounded(by: existenceTimeout) { () -> Int32 in
      silence
      var raw: OpaquePointer?
      let status = snd_pcm_open(&raw, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK)
      if status == 0 { snd_pcm_close(raw) }
      return status
    }
    return code == 0 || code == -EBUSY
  }

  private static func opened(_ name: String, requested: AudioFormat) -> Result<PCM, PCMError> {
    silence
    return Result { () throws(PCMError) in
      var raw: OpaquePointer?
      try PCMError.check(snd_pcm_open(&raw, name, SND_PCM_STREAM_CAPTURE, SND_PCM_NONBLOCK), "opening")
      guard let raw else { throw PCMError(operation: "opening", code: ENODEV) }
      do throws(PCMError) {
        return try PCM(owning: raw, requested: requested)
      } catch {
        snd_pcm_close(raw)
        throw error
      }
    }
  }

  private init(owning raw: OpaquePointer, requested: AudioFormat) throws(PCMError) {
    let settings = try PCMSettings(negotiatedWith: raw, requested: requested)
    var status: OpaquePointer?
    try PCMError.check(snd_pcm_status_malloc(&status), "snd_pcm_status_malloc")
    guard let status else { throw PCMError(operation: "snd_pcm_status_malloc", code: ENOMEM) }
    self.raw = raw
    self.status = status
    self.settings = settings
    bytes = .allocate(
      byteCount: settings.buffer * settings.format.channels * settings.sampleFormat.bytesPerSample,
      alignment: 8)
  }

  deinit {
    snd_pcm_status_free(status)
    bytes.deallocate()
    let address = Int(bitPattern: raw)
    _ = bounded(by: Self.callTimeout) { snd_pcm_close(OpaquePointer(bitPattern: address)) }
  }

  /// The card and device numbers; nil for a sound server.
  var hardware: (card: Int, device: Int)? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0 else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(raw, info) == 0, snd_pcm_info_get_card(info) >= 0 else { return nil }
    return (Int(snd_pcm_info_get_card(info)), Int(snd_pcm_info_get_device(info)))
  }
}

extension PCM: PCMStream {
  func restart() throws(PCMError) {
    let result = bounded(by: Self.callTimeout) { [self] in
      Result { () throws(PCMError) in
        if snd_pcm_state(raw) != SND_PCM_STATE_PREPARED {
          snd_pcm_drop(raw)
          try PCMError.check(snd_pcm_prepare(raw), "preparing")
        }
        try PCMError.check(snd_pcm_start(raw), "starting")
      }
    }
    guard let result else { throw .timedOut("starting") }
    try result.get()
  }

  func position() throws(PCMError) -> PCMPosition {
    let code = snd_pcm_status(raw, status)
    let now = MonotonicTime.now
    if code != -EPIPE && code != -ESTRPIPE { try PCMError.check(code, "snd_pcm_status") }
    let condition: PCMPosition.Condition =
      switch code < 0 ? SND_PCM_STATE_XRUN : snd_pcm_status_get_state(status) {
      case SND_PCM_STATE_RUNNING: .running
      case SND_PCM_STATE_DISCONNECTED: .disconnected
      default: .interrupted
      }
    return PCMPosition(
      condition: condition, available: Int(snd_pcm_status_get_avail(status)),
      delay: Int(snd_pcm_status_get_delay(status)),
      stamp: MonotonicTime(nanoseconds: calsa_status_instant(status)), now: now)
  }

  func read(_ frames: Int) throws(PCMError) -> [Float] {
    let count = snd_pcm_readi(raw, bytes.baseAddress, snd_pcm_uframes_t(min(frames, settings.buffer)))
    if count == -Int(EAGAIN) || count == -Int(EINTR) { return [] }
    try PCMError.check(count, "reading")
    let size = count * settings.format.channels * settings.sampleFormat.bytesPerSample
    return settings.sampleFormat.floats(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
  }

  func wait(for stop: Wakeup, until deadline: MonotonicTime) throws(PCMError) -> Wakeup.Outcome {
    var descriptors = [Int32](repeating: -1, count: calsa_most_descriptors)
    let count = try PCMError.check(calsa_descriptors(raw, &descriptors), "snd_pcm_poll_descriptors")
    let wakeup = try mapError(stop.poll(Array(descriptors.prefix(Int(count))), until: deadline)) {
      (error: SystemError) in PCMError(operation: error.operation, code: error.code)
    }
    if wakeup == .ready { _ = calsa_acknowledge_wakeup(raw) }
    return wakeup
  }
}

/// Runs a call on its own thread; nil if it has not returned within `timeout`. The thread is then abandoned.
func bounded<Value: Sendable>(by timeout: MediaTime, _ call: @escaping @Sendable () -> Value) -> Value? {
  let result = Promise<Value>()
  guard let thread = try? WorkerThread(name: "pcm-call", { result.fulfil(call()) }) else { return nil }
  thread.abandon()
  return result.take(until: .now + timeout)
}
