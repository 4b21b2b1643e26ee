import Glibc
import HoldfastCALSA
import HoldfastMediaModel

/// The settings negotiated with a capture PCM.
struct PCMSettings: Hashable, Sendable {
  let sampleFormat: PCMSampleFormat
  let format: AudioFormat
  /// The frames per wake-up.
  let period: Int
  let buffer: Int

  static let maxChannels = 8

  static func maxPeriod(sampleRate: Int) -> Int { max(1, sampleRate / 50) }

  /// Two seconds, longer than a busy machine makes its reader wait.
  static func maxBuffer(sampleRate: Int) -> Int { max(1, sampleRate * 2) }

  static func channels(requested: Int, among possible: [Int]) -> Int? {
    possible.filter { $0 >= requested }.min() ?? possible.max()
  }

  /// The settings, and the requested format if it differs.
  func summary(pcm: String, requested: AudioFormat) -> String {
    func milliseconds(_ frames: Int) -> Int64 {
      (format.duration(ofFrames: frames).nanoseconds + 500_000) / 1_000_000
    }
    let rhythm = "every \(milliseconds(period)) ms, buffer \(milliseconds(buffer)) ms"
    let agreed = "\(pcm): \(format), \(sampleFormat.rawValue), \(rhythm)"
    return requested == format ? agreed : "\(agreed) (requested \(requested))"
  }
}

extension PCMSettings {
  /// Negotiates the nearest native format, a short period and a long buffer.
  init(negotiatedWith pcm: OpaquePointer, requested: AudioFormat) throws(PCMError) {
    var allocated: OpaquePointer?
    try PCMError.check(snd_pcm_hw_params_malloc(&allocated), "snd_pcm_hw_params_malloc")
    let parameters = allocated
    defer { snd_pcm_hw_params_free(parameters) }

    try PCMError.check(snd_pcm_hw_params_any(pcm, parameters), "querying its capabilities")
    // Disables resampling in ALSA plugins where possible, as FFmpeg's is better.
    _ = snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
    let access = SND_PCM_ACCESS_RW_INTERLEAVED
    try PCMError.check(snd_pcm_hw_params_set_access(pcm, parameters, access), "setting interleaved access")

    let sampleFormat = PCMSampleFormat.allCases.first {
      snd_pcm_hw_params_test_format(pcm, parameters, $0.alsa) == 0
    }
    guard let sampleFormat else { throw PCMError(operation: "choosing a sample format", code: EINVAL) }
    try PCMError.check(
      snd_pcm_hw_params_set_format(pcm, parameters, sampleFormat.alsa), "setting \(sampleFormat.rawValue)")

    let possible = (1...Self.maxChannels).filter {
      snd_pcm_hw_params_test_channels(pcm, parameters, UInt32($0)) == 0
    }
    guard let channels = Self.channels(requested: requested.channels, among: possible) else {
      throw PCMError(operation: "choosing at most \(Self.maxChannels) channels", code: EINVAL)
    }
    try PCMError.check(
      snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channels)), "setting \(channels) channels")

    var rate = UInt32(requested.sampleRate)
    try PCMError.check(
      snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "setting \(requested.sampleRate) Hz")
    guard rate > 0 else { throw PCMError(operation: "setting \(requested.sampleRate) Hz", code: EINVAL) }

    Self.setPeriodAndBuffer(pcm, parameters, sampleRate: Int(rate))
    try PCMError.check(snd_pcm_hw_params(pcm, parameters), "setting the format")

    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    try PCMError.check(
      snd_pcm_hw_params_get_period_size(parameters, &period, nil), "snd_pcm_hw_params_get_period_size")
    try PCMError.check(
      snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "snd_pcm_hw_params_get_buffer_size")
    try Self.setWakeups(pcm, period: period)

    self.init(
      sampleFormat: sampleFormat, format: AudioFormat(sampleRate: Int(rate), channels: channels),
      period: Int(period), buffer: Int(buffer))
  }

  /// Sets the period and buffer to their maximum lengths, if the device can.
  private static func setPeriodAndBuffer(
    _ pcm: OpaquePointer, _ parameters: OpaquePointer?, sampleRate: Int
  ) {
    var period = snd_pcm_uframes_t(maxPeriod(sampleRate: sampleRate))
    if snd_pcm_hw_params_set_period_size_max(pcm, parameters, &period, nil) == 0 {
      snd_pcm_hw_params_set_period_size_last(pcm, parameters, &period, nil)
    } else {
      snd_pcm_hw_params_set_period_size_first(pcm, parameters, &period, nil)
    }
    var buffer = snd_pcm_uframes_t(maxBuffer(sampleRate: sampleRate))
    snd_pcm_hw_params_set_buffer_size_max(pcm, parameters, &buffer)
    snd_pcm_hw_params_set_buffer_size_last(pcm, parameters, &buffer)
  }

  /// Sets one wake-up per period, and monotonic timestamps if the device can.
  private static func setWakeups(_ pcm: OpaquePointer, period: snd_pcm_uframes_t) throws(PCMError) {
    var parameters: OpaquePointer?
    try PCMError.check(snd_pcm_sw_params_malloc(&parameters), "snd_pcm_sw_params_malloc")
    defer { snd_pcm_sw_params_free(parameters) }
    try PCMError.check(snd_pcm_sw_params_current(pcm, parameters), "snd_pcm_sw_params_current")
    snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)
    snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    try PCMError.check(
      snd_pcm_sw_params_set_avail_min(pcm, parameters, period), "snd_pcm_sw_params_set_avail_min")
    try PCMError.check(snd_pcm_sw_params(pcm, parameters), "snd_pcm_sw_params")
  }
}

extension PCMSampleFormat {
  fileprivate var alsa: snd_pcm_format_t {
    switch self {
    case .float32: SND_PCM_FORMAT_FLOAT_LE
    case .signed32: SND_PCM_FORMAT_S32_LE
    case .signed24: SND_PCM_FORMAT_S24_LE
    case .packed24: SND_PCM_FORMAT_S24_3LE
    case .signed16: SND_PCM_FORMAT_S16_LE
    }
  }
}
