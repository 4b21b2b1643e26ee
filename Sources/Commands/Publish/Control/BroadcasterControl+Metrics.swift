import HoldfastBroadcasting
import HoldfastControl
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

extension BroadcasterControl {
  func metrics() -> PrometheusText {
    let snapshot = snapshot
    let summary = history.summary
    let state = broadcaster.state.name
    var page = PrometheusText()
    page.add(
      "holdfast_state", .gauge, "1 for the state that the broadcast is in.",
      Lifecycle.State.names.map { ([("state", $0)], $0 == state ? 1 : 0) })
    page.add("holdfast_media_seconds", .gauge, "How far media time has come.", snapshot.mediaTime.seconds)
    page.add("holdfast_frames_per_second", .gauge, "Pictures encoded, measured.", snapshot.framesPerSecond)
    page.add("holdfast_bits_per_second", .gauge, "All tracks together, measured.", snapshot.bitsPerSecond)
    page.add(
      "holdfast_dropped_frames_total", .counter, "Pictures that were captured and not encoded.",
      Double(snapshot.droppedFrames))
    page.add("holdfast_xruns_total", .counter, "Stretches of sound that were lost.", Double(snapshot.xruns))
    page.add("holdfast_recorded_bytes", .gauge, "Bytes of the recording.", Double(snapshot.recordedBytes))
    page.add(
      "holdfast_record_queue_seconds", .gauge, "Media that waits for the disk.", snapshot.recordQueue.seconds)
    if let level = snapshot.audioLevel {
      page.add("holdfast_audio_level_dbfs", .gauge, "How loud it is.", level)
    }
    page.add("holdfast_interruptions_total", .counter, "Interruptions so far.", Double(summary.interruptions))
    page.add("holdfast_gaps_total", .counter, "Gaps told so far.", Double(summary.gaps))
    if let left = broadcaster.timer.left {
      page.add("holdfast_session_seconds_left", .gauge, "What is left of the session's time.", left.seconds)
    }
    addOutputs(snapshot, to: &page)
    return page
  }

  private func addOutputs(_ snapshot: Snapshot, to page: inout PrometheusText) {
    func values(_ value: (OutputFigures) -> Double?) -> [(labels: [(String, String)], value: Double)] {
      snapshot.outputs.compactMap { output in value(output.figures).map { ([("output", output.id)], $0) } }
    }
    page.add(
      "holdfast_output_state", .gauge, "1 for the state that the output is in.",
      snapshot.outputs.flatMap { output in
        OutputLifecycle.Condition.State.allCases.map {
          ([("output", output.id), ("state", $0.rawValue)], $0 == output.figures.condition.state ? 1 : 0)
        }
      })
    page.add("holdfast_output_sent_bytes_total", .counter, "Bytes sent.", values { Double($0.bytesSent) })
    page.add(
      "holdfast_output_queue_seconds", .gauge, "Media that waits for the network.", values(\.queued.seconds))
    page.add(
      "holdfast_output_lost_seconds_total", .counter, "Media that the output did not get.",
      values(\.lost.seconds))
    page.add(
      "holdfast_output_connections_total", .counter, "Connections begun.", values { Double($0.connections) })
    page.add(
      "holdfast_output_round_trip_seconds", .gauge, "How long the server takes to answer.",
      values { $0.roundTrip?.seconds })
  }
}
