import HoldfastBroadcasting
import HoldfastLifecycle
import HoldfastMediaModel
import HoldfastPublishing
import HoldfastRecording
import HoldfastSession
import Testing

@testable import Holdfast

/// Public enumerations repeat internal ones name by name; a name that is missing would trap.
@Suite struct NameTests {
  private typealias Named = RawRepresentable<String> & CaseIterable

  private func names(_ type: any Named.Type) -> [String] {
    func names<One: Named>(_: One.Type) -> [String] { One.allCases.map(\.rawValue).sorted() }
    return names(type)
  }

  @Test func `public enumerations have the internal names, apart from listed exceptions`() {
    let pairs: [(any Named.Type, any Named.Type)] = [
      (Holdfast.TrackKind.self, HoldfastMediaModel.TrackKind.self),
      (InterruptionCause.self, Lifecycle.Cause.self),
      (EndReason.self, BroadcastEvent.EndReason.self),
      (DeviceState.self, BroadcastEvent.DeviceState.self),
      (RecordingState.self, BroadcastEvent.RecordingState.self),
      (GateUpdate.self, BroadcastEvent.GateVerdict.self),
      (SessionUpdate.self, SessionTimer.Report.self),
      (Holdfast.BroadcastInfo.Occasion.self, HoldfastBroadcasting.BroadcastInfo.Occasion.self),
      (VideoEncoder.self, EncoderChoice.self),
      (Holdfast.OutagePolicy.self, HoldfastPublishing.OutagePolicy.self),
      (Holdfast.BitrateAdaptation.self, HoldfastPublishing.BitrateAdaptation.self),
      (RTSPTransport.self, RTSPSink.Transport.self),
      (Holdfast.GateTimeoutPolicy.self, HoldfastBroadcasting.GateTimeoutPolicy.self),
      (CrashPolicy.self, AfterCrash.self),
      (SessionState.Role.self, HoldfastSession.Session.Role.self),
      (SessionState.Member.Kind.self, HoldfastSession.Session.Member.Kind.self),
      (SessionState.Member.Condition.self, HoldfastSession.Session.Member.Condition.self),
      (SessionEvent.Departure.self, HoldfastSession.Session.Departure.self),
      (SessionEvent.HostChange.self, HoldfastSession.Session.HostChange.self),
      (SessionEvent.MutedBy.self, HoldfastSession.Session.MutedBy.self),
      (SessionEvent.TimerState.self, HoldfastSession.Session.TimerState.self),
      (SessionEvent.ProgrammeState.self, HoldfastSession.Session.Job.State.self),
      (SessionEvent.Ending.self, HoldfastSession.Session.EndReason.self),
    ]
    for (outer, inner) in pairs { #expect(names(outer) == names(inner), "\(outer)") }
    #expect((names(VideoCodec.self) + names(AudioCodec.self)).sorted() == names(Codec.self))
    let publishTypes = names(HoldfastMediaModel.PublishType.self).filter { $0 != "append" }
    #expect(names(Holdfast.PublishType.self) == publishTypes)
    #expect(names(CommandError.Kind.self).filter { $0 != "invalid" } == names(ChangeRefusal.self))
    #expect(names(GapCause.self) == names(Gap.Cause.self).filter { $0 != "deviceBusy" })
    let failures = names(HoldfastLifecycle.OutputFailure.self) + ["gaveUp", "refusedOrTaken"]
    #expect(names(Holdfast.OutputFailure.self) == failures.sorted())
  }
}
