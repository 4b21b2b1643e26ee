import HoldfastCFFmpeg

/// Ends the calls of a context that block, or the next ones, once its question is answered with true.
final class Interruption: Sendable {
  private let isInterrupted: @Sendable () -> Bool

  init(_ isInterrupted: @escaping @Sendable () -> Bool) { self.isInterrupted = isInterrupted }

  /// For a context that does not outlive this object.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(callback: Self.ask, opaque: Unmanaged.passUnretained(self).toOpaque())
  }

  private static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { opaque in
    guard let opaque else { return 0 }
    return Unmanaged<Interruption>.fromOpaque(opaque).takeUnretainedValue().isInterrupted() ? 1 : 0
  }
}
