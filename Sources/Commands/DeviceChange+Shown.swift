internal import HoldfastCapture
internal import HoldfastMediaModel

extension DeviceChange {
  /// `came  /dev/video0  [usb-1.2]`
  var line: String {
    "\(word)  \(place)" + (identity.id.isEmpty ? "" : "  [\(identity.id)]")
  }

  var json: String {
    let value: JSONValue = ["change": .text(word), "device": .text(place), "id": .text(identity.id)]
    return value.description
  }

  private var word: String {
    switch kind {
    case .came: "came"
    case .went: "went"
    }
  }

  private var place: String {
    switch device {
    case .video(let path): path
    case .soundCard(let number): "hw:\(number)"
    }
  }
}
