import HoldfastCALSA

/// A capture PCM of a sound card.
package struct MicrophoneDescription: Hashable, Sendable {
  /// The ALSA name with the card's ID, as card numbers change.
  package let pcm: String
  package let name: String
  package let card: Int
  package let device: Int
  package let identity: DeviceIdentity

  package static func all() -> [MicrophoneDescription] {
    PCM.silence
    var found: [MicrophoneDescription] = []
    let cards = UdevListing.soundCards()
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 {
      found += onCard(card, identity: cards.identity(of: .soundCard(number: Int(card))))
    }
    return found
  }

  private static func onCard(_ card: Int32, identity: DeviceIdentity) -> [MicrophoneDescription] {
    var control: OpaquePointer?
    guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) == 0 else { return [] }
    defer { snd_ctl_close(control) }
    var cardInfo: OpaquePointer?
    guard snd_ctl_card_info_malloc(&cardInfo) == 0 else { return [] }
    defer { snd_ctl_card_info_free(cardInfo) }
    var pcmInfo: OpaquePointer?
    guard snd_pcm_info_malloc(&pcmInfo) == 0 else { return [] }
    defer { snd_pcm_info_free(pcmInfo) }
    guard snd_ctl_card_info(control, cardInfo) == 0 else { return [] }

    let id = text(snd_ctl_card_info_get_id(cardInfo))
    let cardName = text(snd_ctl_card_info_get_name(cardInfo))
    var identity = identity
    var found: [MicrophoneDescription] = []
    var device: Int32 = -1
    while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
      snd_pcm_info_set_device(pcmInfo, UInt32(device))
      snd_pcm_info_set_subdevice(pcmInfo, 0)
      snd_pcm_info_set_stream(pcmInfo, SND_PCM_STREAM_CAPTURE)
      guard snd_ctl_pcm_info(control, pcmInfo) == 0 else { continue }
      found.append(
        MicrophoneDescription(
          pcm: "hw:\(id),\(device)", name: "\(cardName), \(text(snd_pcm_info_get_name(pcmInfo)))",
          card: Int(card), device: Int(device), identity: identity))
      identity.part += 1
    }
    return found
  }

  private static func text(_ raw: UnsafePointer<CChar>?) -> String { raw.map { String(cString: $0) } ?? "" }
}
