internal import CALSA

/// A capture device of a sound card.
public struct MicrophoneDescription: Hashable, Sendable {
  /// ALSA's name for it, by the card's id: `hw:Loop,1`.
  public let pcm: String
  public let name: String
  public let card: Int
  public let identity: DeviceIdentity

  /// Those of all sound cards.
  public static func all() -> [MicrophoneDescription] {
    calsa_silence()
    var result: [MicrophoneDescription] = []
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 { result += devices(ofCard: card) }
    return result
  }

  private static func devices(ofCard card: Int32) -> [MicrophoneDescription] {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) == 0, let control else { return [] }
    defer { snd_ctl_close(control) }
    var (cardInfo, pcmInfo): (OpaquePointer?, OpaquePointer?)
    guard snd_ctl_card_info_malloc(&cardInfo) == 0, snd_pcm_info_malloc(&pcmInfo) == 0,
      snd_ctl_card_info(control, cardInfo) == 0
    else { return [] }
    defer {
      snd_ctl_card_info_free(cardInfo)
      snd_pcm_info_free(pcmInfo)
    }
    let id = String(cString: snd_ctl_card_info_get_id(cardInfo))
    let title = String(cString: snd_ctl_card_info_get_name(cardInfo))
    let identity = DeviceIdentity.ofSoundCard(Int(card))
    var result: [MicrophoneDescription] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
      snd_pcm_info_set_device(pcmInfo, UInt32(device))
      snd_pcm_info_set_subdevice(pcmInfo, 0)
      snd_pcm_info_set_stream(pcmInfo, SND_PCM_STREAM_CAPTURE)
      guard snd_ctl_pcm_info(control, pcmInfo) == 0 else { continue }
      result.append(
        MicrophoneDescription(
          pcm: "hw:\(id),\(device)", name: "\(title): \(String(cString: snd_pcm_info_get_name(pcmInfo)))",
          card: Int(card), identity: identity))
    }
    return result
  }
}
