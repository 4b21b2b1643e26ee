import HoldfastCFFmpeg
package import HoldfastMediaModel

/// Converts sample rate and channel count, and corrects clock drift.
package struct Resampler: ~Copyable {
  private let source: AudioFormat
  private let target: AudioFormat
  /// Nil if samples pass unchanged.
  private let context: OpaquePointer?

  /// `stretch` requires `isAdjustable`, as inserting the filter later would be audible.
  package init(from source: AudioFormat, to target: AudioFormat, isAdjustable: Bool) throws(FFmpegError) {
    self.source = source
    self.target = target
    guard source != target || isAdjustable else {
      context = nil
      return
    }
    var context: OpaquePointer?
    var from = AVChannelLayout()
    var to = AVChannelLayout()
    av_channel_layout_default(&from, Int32(source.channels))
    av_channel_layout_default(&to, Int32(target.channels))
    var status = swr_alloc_set_opts2(
      &context, &to, AV_SAMPLE_FMT_FLT, Int32(target.sampleRate), &from, AV_SAMPLE_FMT_FLT,
      Int32(source.sampleRate), 0, nil)
    if status >= 0, isAdjustable { av_opt_set(UnsafeMutableRawPointer(context), "flags", "res", 0) }
    if status >= 0 { status = swr_init(context) }
    guard status >= 0 else {
      swr_free(&context)
      throw FFmpegError(operation: "swr_init(\(source) to \(target))", code: status)
    }
    self.context = context
  }

  deinit {
    var context = context
    swr_free(&context)
  }

  package mutating func convert(_ samples: [Float]) throws(FFmpegError) -> [Float] {
    guard context != nil else { return samples }
    return try samples.withUnsafeBufferPointer { (buffer) throws(FFmpegError) in
      let bytes = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UInt8.self)
      return try run(bytes, frames: buffer.count / source.channels)
    }
  }

  /// Returns the samples left in the filter.
  package mutating func finish() throws(FFmpegError) -> [Float] {
    context == nil ? [] : try run(nil, frames: 0)
  }

  /// Spreads `extra` additional frames over the next `length` of output; drops frames if negative.
  package mutating func stretch(by extra: Int, over length: Int) throws(FFmpegError) {
    try check(swr_set_compensation(context, Int32(extra), Int32(length)), "swr_set_compensation")
  }

  /// The frames in the filter, at the target rate.
  package var delay: Int { context == nil ? 0 : Int(swr_get_delay(context, Int64(target.sampleRate))) }

  private func run(_ input: UnsafePointer<UInt8>?, frames: Int) throws(FFmpegError) -> [Float] {
    let room = Int(swr_get_out_samples(context, Int32(frames)))
    guard room > 0 else { return [] }
    var status: Int32 = 0
    let channels = target.channels
    let context = context
    let result = [Float](unsafeUninitializedCapacity: room * channels) { buffer, count in
      var output: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      var input = input
      status = withUnsafeMutablePointer(to: &output) { output in
        withUnsafeMutablePointer(to: &input) { swr_convert(context, output, Int32(room), $0, Int32(frames)) }
      }
      count = max(0, Int(status)) * channels
    }
    try check(status, "swr_convert")
    return result
  }
}
