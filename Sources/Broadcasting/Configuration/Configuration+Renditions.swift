package import HoldfastMediaModel

extension Configuration {
  private static let maxRenditions = 8

  func validateRenditions() throws(ConfigurationError) {
    try validate(recording.rendition, .recordSize, .recordBitrate, .recordEncoder, of: "the recording")
    try require(
      renditions.count <= Self.maxRenditions, .renditions,
      what: "too many renditions", hint: "use at most \(Self.maxRenditions)")
    for (name, rendition) in renditions.sorted(by: { $0.key < $1.key }) {
      try require(
        name.isPlain(upTo: 32), .renditions,
        what: "\(name) is not a plain name", hint: "use 1 to 32 of a-z, A-Z, 0-9 and . _ -")
      let isTaken =
        [RenditionID.main, .recording].map(\.description).contains(name)
        || name.hasPrefix(RenditionID.ownPrefix)
      try require(
        !isTaken, .renditions, what: "\(name) stands for a rendition of its own", hint: "choose another name")
      try validate(rendition, .renditions, .renditions, .renditions, of: "the rendition \(name)")
    }
  }

  private func validate(
    _ rendition: Rendition, _ size: Setting, _ bitrate: Setting, _ encoder: Setting, of owner: String
  ) throws(ConfigurationError) {
    do throws(ConfigurationError) {
      if let value = rendition.size { try validate(value, size) }
      try require(rendition.bitrate, in: Self.bitrates, bitrate, Self.writtenBitrates)
    } catch {
      guard error.settings == [.renditions] else { throw error }
      throw ConfigurationError(settings: error.settings, what: "\(owner): \(error.what)", hint: error.hint)
    }
    if let choice = rendition.encoder {
      try require(
        choice != .copy, encoder,
        what: "\(owner) can't be a copy: a camera's stream can be copied for everybody only",
        hint: "choose another encoder")
      try require(
        choice.canMake(video.codec), encoder, .videoCodec,
        what: "\(choice.rawValue) supports H.264 only, and \(owner) has the codec of all",
        hint: "choose the encoder auto, vaapi, qsv or nvenc")
    }
    let setting = rendition.encoder != nil ? encoder : rendition.bitrate != nil ? bitrate : size
    try require(
      rendition == Rendition() || video.encoder != .copy, .encoder, setting,
      what: "a copied stream can't be had in another size or at another bitrate",
      hint: "choose another encoder, or leave the renditions out")
  }

  func validateChoice(of rendition: String?) throws(ConfigurationError) {
    guard let rendition else { return }
    do throws(InvalidValue) { try checkChoice(of: rendition) } catch {
      throw ConfigurationError(settings: [.to, .renditions], what: error.what, hint: error.hint ?? "")
    }
  }

  package func checkChoice(of rendition: String) throws(InvalidValue) {
    guard renditions[rendition] == nil else { return }
    let known = renditions.keys.sorted()
    let hint = NearestMatch.find(rendition, among: known).map { "did you mean \($0)?" }
    let choice = known.isEmpty ? "add it to renditions" : "choose one of \(known.joined(separator: ", "))"
    throw InvalidValue("there is no rendition \(rendition)", hint: hint ?? choice)
  }
}
