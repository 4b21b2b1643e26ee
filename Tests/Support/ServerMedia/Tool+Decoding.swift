import Foundation

extension Tool {
  /// Decodes the pictures of a file and returns their checksums; throws at the first one that can't be decoded whole.
  package static func decodedPictures(_ path: String) throws -> [String] {
    let text = try run([
      "sh", "-c",
      "exec ffmpeg -v error -xerror -err_detect explode -i \"$0\" -map 0:v -vsync drop -f framecrc - 2>&1",
      path,
    ])
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let pictures = lines.filter { $0.hasPrefix("0,") }
    let errors = lines.filter { line in ["h264", "hevc", "decod"].contains { line.contains($0) } }
    guard errors.isEmpty else { throw TestFailure("\(path): \(errors.prefix(5))") }
    return pictures.map { $0.split(separator: ",").last.map(String.init) ?? "" }
  }
}
