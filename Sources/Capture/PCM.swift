internal import CALSA
internal import Glibc
internal import MediaModel
internal import Platform

/// An open capture device of ALSA's.
struct PCM: ~Copyable, @unchecked Sendable {  // used by one thread at a time
  /// What was agreed with the device.
  struct Setup: Hashable, Sendable {
    let layout: SampleLayout
    let format: AudioFormat
    let periodFrames: Int
    let bufferFrames: Int
  }

  /// A call that failed; the code is a positive errno.
  struct Failure: Error, Hashable, Sendable {
    let operation: String
    let code: Int32

    var reason: String { String(cString: snd_strerror(-code)) }
  }

  /// Where the device stands.
  struct Status: Hashable, Sendable {
    let isDisconnected: Bool
    /// Frames that can be read now.
    let available: Int
    /// When the next frame to be read was heard.
    let nextFrame: MonotonicTime
  }

  private let raw: OpaquePointer
  private let status: OpaquePointer
  let setup: Setup

  init(_ name: String, wanted: AudioFormat) throws(Failure) {
    calsa_silence()
    var status: OpaquePointer?
    guard snd_pcm_status_malloc(&status) == 0, let status else {
      throw Failure(operation: "status", code: ENOMEM)
    }
    let opened: (OpaquePointer, Setup)
    do {
      opened = try Self.open(name, wanted)
    } catch {
      snd_pcm_status_free(status)
      throw error
    }
    (raw, setup) = opened
    self.status = status
  }

  private static func open(_ name: String, _ wanted: AudioFormat) throws(Failure) -> (OpaquePointer, Setup) {
    var opened: OpaquePointer?
    try check(snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK)), "open")
    guard let raw = opened else { throw Failure(operation: "open", code: ENODEV) }
    do {
      let setup = try configure(raw, wanted)
      try check(snd_pcm_start(raw), "start")
      return (raw, setup)
    } catch {
      snd_pcm_close(raw)
      throw error
    }
  }

  deinit {
    snd_pcm_status_free(status)
    snd_pcm_close(raw)
  }

  /// Waits until there is something to read; false when nothing came within `limit`.
  func wait(atMost limit: MediaTime) throws(Failure) -> Bool {
    try Self.check(snd_pcm_wait(raw, Int32(limit.ticks(timescale: 1000))), "wait") > 0
  }

  func readStatus() throws(Failure) -> Status {
    try Self.check(snd_pcm_status(raw, status), "status")
    var stamp = timespec()
    snd_pcm_status_get_htstamp(status, &stamp)
    let now = MonotonicTime.now
    let stamped = MonotonicTime(nanoseconds: Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec))
    // A plugin may stamp with another clock or not at all.
    let time = abs((now - stamped).nanoseconds) < MediaTime.seconds(1).nanoseconds ? stamped : now
    let delay = setup.format.duration(ofFrames: Int(snd_pcm_status_get_delay(status)))
    return Status(
      isDisconnected: snd_pcm_status_get_state(status) == SND_PCM_STATE_DISCONNECTED,
      available: Int(snd_pcm_status_get_avail(status)), nextFrame: time - delay)
  }

  /// Reads what is there, at most `buffer` full; the number of frames, 0 where there was nothing.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let frameBytes = setup.layout.bytes * setup.format.channels
    let count = snd_pcm_readi(raw, buffer.baseAddress, snd_pcm_uframes_t(buffer.count / frameBytes))
    if count == -Int(EAGAIN) { return 0 }
    return Int(try Self.check(Int32(count), "read"))
  }

  /// After an overrun or a suspend: capture goes on from now.
  func recover() throws(Failure) {
    try Self.check(snd_pcm_prepare(raw), "prepare")
    try Self.check(snd_pcm_start(raw), "start")
  }

  @discardableResult
  private static func check(_ status: Int32, _ operation: String) throws(Failure) -> Int32 {
    guard status >= 0 else { throw Failure(operation: operation, code: -status) }
    return status
  }
}

extension PCM {
  private static let layouts: [(SampleLayout, snd_pcm_format_t)] = [
    (.float32, SND_PCM_FORMAT_FLOAT_LE), (.int32, SND_PCM_FORMAT_S32_LE),
    (.int24InFour, SND_PCM_FORMAT_S24_LE),
    (.int24InThree, SND_PCM_FORMAT_S24_3LE), (.int16, SND_PCM_FORMAT_S16_LE),
  ]

  /// Agrees on what comes nearest to `wanted`: periods of at most 10 ms, and a buffer that outlasts a busy moment.
  private static func configure(_ raw: OpaquePointer, _ wanted: AudioFormat) throws(Failure) -> Setup {
    var allocated: OpaquePointer?
    try check(snd_pcm_hw_params_malloc(&allocated), "hw_params")
    defer { snd_pcm_hw_params_free(allocated) }
    guard let hardware = allocated else { throw Failure(operation: "hw_params", code: ENOMEM) }
    try check(snd_pcm_hw_params_any(raw, hardware), "hw_params")
    try check(
      snd_pcm_hw_params_set_access(raw, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved access")
    guard let layout = layouts.first(where: { snd_pcm_hw_params_test_format(raw, hardware, $0.1) == 0 })
    else {
      throw Failure(operation: "sample format", code: EINVAL)
    }
    try check(snd_pcm_hw_params_set_format(raw, hardware, layout.1), "sample format")
    var channels = UInt32(wanted.channels)
    try check(snd_pcm_hw_params_set_channels_near(raw, hardware, &channels), "channels")
    var rate = UInt32(wanted.sampleRate)
    try check(snd_pcm_hw_params_set_rate_near(raw, hardware, &rate, nil), "rate")
    var period = snd_pcm_uframes_t(rate / 100)
    var direction: Int32 = -1
    try check(snd_pcm_hw_params_set_period_size_near(raw, hardware, &period, &direction), "period")
    var buffer = snd_pcm_uframes_t(rate * 2 / 5)
    try check(snd_pcm_hw_params_set_buffer_size_near(raw, hardware, &buffer), "buffer")
    try check(snd_pcm_hw_params(raw, hardware), "hw_params")
    try configureStamps(raw, period: period)
    return Setup(
      layout: layout.0, format: AudioFormat(sampleRate: Int(rate), channels: Int(channels)),
      periodFrames: Int(period), bufferFrames: Int(buffer))
  }

  private static func configureStamps(_ raw: OpaquePointer, period: snd_pcm_uframes_t) throws(Failure) {
    var allocated: OpaquePointer?
    try check(snd_pcm_sw_params_malloc(&allocated), "sw_params")
    defer { snd_pcm_sw_params_free(allocated) }
    guard let software = allocated else { throw Failure(operation: "sw_params", code: ENOMEM) }
    try check(snd_pcm_sw_params_current(raw, software), "sw_params")
    try check(snd_pcm_sw_params_set_avail_min(raw, software, period), "avail_min")
    try check(snd_pcm_sw_params_set_tstamp_mode(raw, software, SND_PCM_TSTAMP_ENABLE), "time stamps")
    snd_pcm_sw_params_set_tstamp_type(raw, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try check(snd_pcm_sw_params(raw, software), "sw_params")
  }
}
