import HoldfastPlatform
import HoldfastPublishing
import HoldfastRecording

/// The running parts of a broadcast.
struct BroadcastParts {
  let lanes: [any Lane]
  let recorder: Recorder?
  let outputs: [Output]
  let timeline: Timeline
  let requests: EncoderRequests
  /// Of sound, of a copied track, and of what all lose.
  let meters: Meters
  /// Those that run.
  let renditions: Locked<[LaneRendition]>
  /// Pictures that wait for a rendition.
  let backlog: Locked<Int>

  let live: LiveReceiver?

  /// The pictures' and the rest.
  var allMeters: [Meters] { [meters] + renditions.withLock { $0.map(\.destination.meters) } }

  var isBehind: Bool { lanes.contains(where: \.isBehind) || backlog.withLock { $0 } > 0 }

  /// Starts the parts; with `isPaused` the outputs don't connect yet.
  func start(isPaused: Bool) throws {
    for output in outputs {
      if isPaused { output.pause() }
      try output.start()
    }
    for lane in lanes { try lane.start() }
  }

  /// Ends all parts in the order of the media flow and waits for them. Outputs disconnect in parallel.
  func finish() {
    for lane in lanes { lane.stop() }
    for lane in lanes { lane.join() }
    live?.end()
    for output in outputs { output.stop() }
    recorder?.finish()
    for output in outputs { output.join() }
  }
}
