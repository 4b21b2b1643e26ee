import TestSupport

extension Tool {
  /// Runs ffmpeg with `options`, separated by spaces, and returns the path of the file that it makes.
  static func ffmpeg(_ options: String, to path: String) throws -> String {
    try run(["ffmpeg", "-nostdin", "-v", "error"] + options.split(separator: " ").map(String.init) + [path])
    return path
  }
}
