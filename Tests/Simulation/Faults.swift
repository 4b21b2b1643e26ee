import HoldfastLifecycle
import HoldfastMediaModel
import TestRandomness
import TestVirtualTime

/// The random faults of a day: each kind has its own intervals and durations, so that they overlap.
final class Faults {
  private unowned let day: Day
  private let until: Int64
  private var randomness: SplitMix64
  /// The interval between faults, in percent of the usual one.
  private let pace: Int64

  init(_ day: Day, until: Int64) {
    self.day = day
    self.until = until
    randomness = day.world.randomness.fork()
    pace = randomness.pick([40, 100, 100, 200, 400])
  }

  private var world: World { day.world }

  func begin() {
    for endpoint in day.endpoints { troubleServer(endpoint) }
    troubleLink()
    troubleDevices()
    troubleDisk()
    troubleClock()
    pressButtons()
    extendSession()
    troubleMachine()
  }

  /// Injects a fault repeatedly, with random intervals between `shortest` and `longest` and durations in
  /// `range`.
  private func `repeat`(
    _ shortest: Int64, _ longest: Int64, lasting range: ClosedRange<Int64>,
    _ begin: @escaping (Int64) -> Void, _ end: @escaping () -> Void = {}
  ) {
    world.after(randomness.time(shortest, longest) * pace / 100) { [self] in
      guard world.now < until else { return }
      let most = randomness.chance(4) ? range.upperBound : range.upperBound / 8
      let length = randomness.length(range.lowerBound, max(range.lowerBound * 2, most))
      begin(length)
      world.after(length) { [self] in
        if world.now < until { end() }
        `repeat`(shortest, longest, lasting: range, begin, end)
      }
    }
  }

  private func alternate(
    _ shortest: Int64, _ longest: Int64, lasting range: ClosedRange<Int64>, _ set: @escaping (Bool) -> Void
  ) {
    `repeat`(shortest, longest, lasting: range, { _ in set(true) }, { set(false) })
  }

  private func troubleServer(_ endpoint: Endpoint) {
    `repeat`(.minutes(20), .hours(3), lasting: .ms(100)...(.hours(1))) { [self] _ in
      endpoint.hold = randomness.chance(50) ? 0 : randomness.length(.ms(100), .s(20))
      endpoint.refusalOfHeld = randomness.pick([.nameTaken, .nameTaken, .closedBeforeAccepted])
      let kind = randomness.below(10)
      let refusal = randomness.pick([OutputFailure.refused, .closedBeforeAccepted, .nameTaken, .moved])
      let capacity = randomness.time(10, 99)
      endpoint.change {
        switch kind {
        case 0...2: $0.server = .dead
        case 3, 4: $0.server = .frozen
        case 5, 6: $0.isCutOff = true
        case 7, 8: $0.capacity = capacity
        default: $0.refusal = refusal
        }
      }
    } _: {
      endpoint.change { $0 = Endpoint.Condition(hasLink: $0.hasLink, answersAfter: $0.answersAfter) }
    }
    `repeat`(.minutes(10), .hours(2), lasting: .ms(100)...(.hours(1))) { [self] _ in
      let time = randomness.length(.ms(10), .ms(1400))
      endpoint.change { $0.answersAfter = time }
    } _: {
      endpoint.change { $0.answersAfter = 0 }
    }
  }

  private func troubleLink() {
    alternate(.minutes(30), .hours(5), lasting: .ms(100)...(.minutes(20))) { [self] isDown in
      for endpoint in day.endpoints { endpoint.change { $0.hasLink = !isDown } }
      if !isDown { day.process?.networkChanged() }
    }
  }

  private func troubleDevices() {
    for track in TrackKind.allCases {
      alternate(.minutes(30), .hours(5), lasting: .ms(10)...(.minutes(20))) { [self] isGone in
        day.devices.set(track, isPresent: !isGone)
      }
    }
    alternate(.minutes(30), .hours(4), lasting: .ms(10)...(.minutes(20))) { [self] isGone in
      for track in TrackKind.allCases { day.devices.set(track, isPresent: !isGone) }
    }
  }

  private func troubleDisk() {
    `repeat`(.hours(1), .hours(8), lasting: .ms(100)...(.minutes(20))) { [self] _ in
      let rate = randomness.time(10, 90)
      day.disk.set(randomness.pick([.slow(rate), .hung, .full, .broken]))
    } _: { [self] in
      day.disk.set(.good)
    }
  }

  private func troubleClock() {
    `repeat`(.hours(1), .hours(12), lasting: .ms(1)...(.hours(24))) { [self] length in
      world.note("the wall clock is set")
      day.host.stepWall(by: randomness.chance(50) ? length : -length)
    }
  }

  private func request(_ command: Lifecycle.Command) { day.process?.request(.command(command)) }

  private func pressButtons() {
    alternate(.minutes(5), .hours(2), lasting: .ms(1)...(.minutes(20))) { [self] isHeld in
      request(isHeld ? .interrupt : .resume)
    }
    alternate(.minutes(30), .hours(6), lasting: .ms(1)...(.minutes(20))) { [self] isLocked in
      day.holds.lock(isLocked, at: world.now)
      day.process?.request(isLocked ? .interruptionBegan(.system) : .interruptionEnded(.system))
    }
    alternate(.hours(1), .hours(6), lasting: .ms(1)...(.hours(1))) { [self] isAway in
      request(isAway ? .background : .foreground)
    }
    // A bouncing button.
    `repeat`(.hours(1), .hours(5), lasting: .ms(1)...(.s(2))) { [self] _ in
      for _ in 0..<(2 + randomness.below(6)) {
        world.after(randomness.length(.ms(1), .s(2))) { [self] in
          if world.now < until { request(randomness.chance(50) ? .interrupt : .resume) }
        }
      }
    } _: { [self] in
      world.after(.s(2)) { [self] in request(.resume) }
    }
    `repeat`(.minutes(30), .hours(4), lasting: .ms(1)...(.s(10))) { [self] _ in
      day.process?.request(
        randomness.pick([
          .command(.start), .command(.start), .command(.resume), .command(.foreground), .previewRequested,
        ]))
    }
    `repeat`(.hours(3), .hours(12), lasting: .ms(1)...(.minutes(30))) { [self] length in
      if randomness.chance(30) { request(.end) } else { day.stop(for: length) }
    } _: { [self] in
      request(.start)
    }
  }

  private func extendSession() {
    `repeat`(.hours(1), .hours(4), lasting: .ms(1)...(.s(1))) { [self] _ in
      day.process?.extend(by: randomness.length(.s(1), .minutes(30)))
    }
  }

  private func troubleMachine() {
    `repeat`(.minutes(30), .hours(5), lasting: .ms(100)...(.minutes(40))) { [self] length in
      day.kill(restartAfter: length)
    }
    `repeat`(.hours(5), .hours(24), lasting: .s(20)...(.hours(2))) { [self] length in
      day.cutPower(for: length)
    }
    // A kill or a power failure right after a request, while it is being executed.
    `repeat`(.hours(1), .hours(4), lasting: .ms(1)...(.s(2))) { [self] _ in
      request(randomness.pick([.background, .stop, .interrupt, .resume]))
    } _: { [self] in
      let delay = randomness.length(.ms(100), .s(30))
      if randomness.chance(40) { day.cutPower(for: delay) } else { day.kill(restartAfter: delay) }
    }
    `repeat`(.hours(3), .hours(12), lasting: .s(10)...(.hours(4))) { [self] length in
      day.process?.request(.sleepBegan)
      world.after(.s(5)) { [self] in
        // Returning to the foreground in the meantime prevents sleep.
        guard world.now < until, length > Int64.s(6), day.process?.isAtRest ?? true else { return }
        world.note("the machine sleeps")
        day.host.sleep()
      }
    } _: { [self] in
      world.note("the machine wakes")
      day.host.wake()
      day.process?.networkChanged()
      day.process?.request(.sleepEnded)
    }
  }
}
