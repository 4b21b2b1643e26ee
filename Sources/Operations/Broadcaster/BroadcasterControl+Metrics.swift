import HoldfastBroadcasting
package import HoldfastHTTP
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording

extension BroadcasterControl {
  package func metrics() -> PrometheusText {
    let snapshot = snapshot
    let summary = history.summary
    let state = broadcaster.state.name
    var page = PrometheusText()
    page.add(
      "holdfast_state", .gauge, "1 for the current state of the broadcast.",
      Lifecycle.State.names.map { ([("state", $0)], $0 == state ? 1 : 0) })
    page.add(
      "holdfast_on_air", .gauge, "1 for how many outputs a live broadcast reaches.",
      AirState.allCases.map { ([("state", $0.rawValue)], $0 == snapshot.air ? 1 : 0) })
    page.add("holdfast_media_seconds", .gauge, "Current media time.", snapshot.mediaTime.seconds)
    page.add("holdfast_frames_per_second", .gauge, "Measured encoding frame rate.", snapshot.framesPerSecond)
    page.add("holdfast_bits_per_second", .gauge, "Measured bitrate of all tracks.", snapshot.bitsPerSecond)
    page.add(
      "holdfast_dropped_frames_total", .counter, "Frames captured but not encoded.",
      Double(snapshot.droppedPictures))
    page.add("holdfast_xruns_total", .counter, "Audio buffer overruns.", Double(snapshot.xruns))
    page.add(
      "holdfast_rendition_bits_per_second", .gauge, "Measured bitrate of each encode of the pictures.",
      snapshot.renditions.map { ([("rendition", $0.id.description)], $0.bitsPerSecond) })
    page.add("holdfast_recorded_bytes", .gauge, "Size of the recording.", Double(snapshot.recordedBytes))
    page.add(
      "holdfast_record_queue_seconds", .gauge, "Media waiting for the disk.", snapshot.recordQueue.seconds)
    if let level = snapshot.audioLevel {
      page.add("holdfast_audio_level_dbfs", .gauge, "Audio level.", level)
    }
    if let drift = snapshot.driftPPM {
      page.add(
        "holdfast_audio_drift_ppm", .gauge, "Drift of the sound card's clock in parts per million.", drift)
    }
    page.add("holdfast_interruptions_total", .counter, "Interruptions.", Double(summary.interruptions))
    page.add("holdfast_gaps_total", .counter, "Gaps reported.", Double(summary.gaps))
    page.add(
      "holdfast_losing_seconds", .gauge, "Media that is being lost and not among the gaps yet.",
      snapshot.losing.filter { $0.member == nil }.map {
        ([("output", $0.output ?? ""), ("cause", $0.cause.rawValue), ("id", "\($0.id)")], $0.lost.seconds)
      })
    addTiles(to: &page)
    if let left = broadcaster.timer.left {
      page.add("holdfast_session_seconds_left", .gauge, "Time left in the session.", left.seconds)
    }
    addOutputs(snapshot, to: &page)
    addViewers(to: &page)
    return page
  }

  private func addTiles(to page: inout PrometheusText) {
    let tiles = broadcaster.tileStates.sorted { $0.key < $1.key }
    guard !tiles.isEmpty else { return }
    page.add(
      "holdfast_tile_up", .gauge, "Whether the source of a tile is there.",
      tiles.map { name, state in
        ([("tile", name)], TrackStatus.Device(state) == .open ? 1 : 0)
      })
  }

  private func addViewers(to page: inout PrometheusText) {
    let figures = live.figures
    page.add("holdfast_live_viewers", .gauge, "Viewers of the live stream.", Double(figures.viewers))
    page.add(
      "holdfast_live_sent_bytes_total", .counter, "Bytes of the live stream for its viewers.",
      Double(figures.sentBytes))
    page.add(
      "holdfast_live_skips_total", .counter, "Times that a slow viewer was moved on to the newest keyframe.",
      Double(figures.skips))
    page.add(
      "holdfast_live_skipped_pictures_total", .counter, "Pictures that slow viewers did not get.",
      Double(figures.skippedPictures))
    page.add(
      "holdfast_live_lag_seconds", .gauge, "Media that the slowest viewer has not taken yet.",
      figures.lag.seconds)
    addRenditions(to: &page)
  }

  private func addRenditions(to page: inout PrometheusText) {
    let figures = live.figuresByRendition.sorted { "\($0.key)" < "\($1.key)" }
    func values(_ value: (LiveFigures) -> Double) -> [(labels: [(String, String)], value: Double)] {
      figures.map { ([("rendition", "\($0.key)")], value($0.value)) }
    }
    page.add(
      "holdfast_live_rendition_viewers", .gauge, "Viewers of each rendition of the live stream.",
      values { Double($0.viewers) })
    page.add(
      "holdfast_live_rendition_sent_bytes_total", .counter, "Bytes of each rendition for its viewers.",
      values { Double($0.sentBytes) })
    page.add(
      "holdfast_live_rendition_lag_seconds", .gauge,
      "Media that the slowest viewer of each rendition has not taken yet.", values(\.lag.seconds))
  }

  private func addOutputs(_ snapshot: Snapshot, to page: inout PrometheusText) {
    func values(_ value: (OutputFigures) -> Double?) -> [(labels: [(String, String)], value: Double)] {
      snapshot.outputs.compactMap { output in value(output.figures).map { ([("output", output.id)], $0) } }
    }
    page.add(
      "holdfast_output_state", .gauge, "1 for the current state of the output.",
      snapshot.outputs.flatMap { output in
        OutputLifecycle.Condition.State.allCases.map {
          ([("output", output.id), ("state", $0.rawValue)], $0 == output.figures.condition.state ? 1 : 0)
        }
      })
    page.add("holdfast_output_sent_bytes_total", .counter, "Bytes sent.", values { Double($0.bytesSent) })
    page.add(
      "holdfast_output_queue_seconds", .gauge, "Media waiting for the network.", values(\.queued.seconds))
    page.add(
      "holdfast_output_lost_seconds_total", .counter, "Media lost at the output.",
      values(\.lost.seconds))
    page.add(
      "holdfast_output_connections_total", .counter, "Connections opened.", values { Double($0.connections) })
    page.add(
      "holdfast_output_round_trip_seconds", .gauge, "Round-trip time to the server.",
      values { $0.roundTrip?.seconds })
  }
}
