import HoldfastFFmpeg
import HoldfastMediaModel
import HoldfastMediaSources
import HoldfastPlatform

/// Replaces each picture of a muted camera by a black one of the same size and time.
final class PictureMute: Sendable {
  private let mute: MuteSwitch
  private let black = Locked<Frame?>(nil)

  init(_ mute: MuteSwitch) { self.mute = mute }

  /// Returns nil if a black picture can't be allocated, rather than the camera's picture.
  func process(_ captured: consuming CapturedFrame) -> CapturedFrame? {
    let time = captured.captureTime
    guard mute.isMuted(at: time) else { return captured }
    let (lost, absent) = (captured.lostBefore, captured.absentMembers)
    let size = captured.frame.size
    guard let picture = try? blackPicture(size) else { return nil }
    return CapturedFrame(picture, captureTime: time, lostBefore: lost, absentMembers: absent)
  }

  private func blackPicture(_ size: PictureSize) throws(FFmpegError) -> Frame {
    try black.withLock { (black) throws(FFmpegError) in
      if let last = black.take(), last.size == size {
        let hold = try last.reference()
        black = consume last
        return hold
      }
      let fresh = try Frame(black: size, format: .yuv420p)
      let hold = try fresh.reference()
      black = consume fresh
      return hold
    }
  }
}
