import Foundation
package import Glibc

package struct ProcessFigures: Sendable {
  package let memoryKilobytes: Int
  /// Its own, as without the files and libraries that it maps.
  package let anonymousKilobytes: Int
  /// The most that it ever was.
  package let peakKilobytes: Int
  package let threads: Int
  package let descriptors: Int

  package init?(of process: pid_t) {
    let status = lines(ofFile: "/proc/\(process)/status")
    func number(_ name: String) -> Int? {
      let line = status.first { $0.hasPrefix(name + ":") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    }
    guard let memory = number("VmRSS"), let peak = number("VmHWM"),
      let anonymous = number("RssAnon"), let threads = number("Threads"),
      let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
    else { return nil }
    (memoryKilobytes, peakKilobytes, anonymousKilobytes) = (memory, peak, anonymous)
    (self.threads, self.descriptors) = (threads, descriptors)
  }

  /// Processor seconds by thread name; the empty name has the process total, including ended threads.
  package static func processorSeconds(_ process: pid_t) -> [String: Double] {
    let place = "/proc/\(process)"
    let all = lines(ofFile: place + "/stat").first?.split(separator: ")").last?.split(separator: " ") ?? []
    let ticks = all.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +)
    var seconds = ["": ticks / Double(sysconf(Int32(_SC_CLK_TCK)))]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: place + "/task")) ?? [] {
      let name = lines(ofFile: place + "/task/\(thread)/comm").first ?? ""
      let times = lines(ofFile: place + "/task/\(thread)/schedstat").first?.split(separator: " ") ?? []
      seconds[name, default: 0] += (times.first.flatMap { Double($0) } ?? 0) / 1e9
    }
    return seconds
  }
}
