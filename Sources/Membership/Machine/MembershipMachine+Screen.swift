import HoldfastSession

extension MembershipMachine {
  /// The box's operator shows the screen, or no longer does.
  mutating func noteScreen(_ isShown: Bool) {
    screen.isShown = isShown
    shareScreen()
  }

  /// The source has done what it was asked for, or could not.
  mutating func screenSwitched(isShown: Bool) {
    let requested = screen.requested
    screen.requested = nil
    screen.isShown = isShown
    if isShown == requested {
      showScreenAsShared()
    } else if !isShown {
      shareScreen()
    }
    // A screen that can't be hidden is not shared again: locked screens would refuse it for ever.
  }

  /// Tells the session what the box shows.
  mutating func shareScreen() {
    guard case .joined = state, screen.requested == nil, screen.isShared(with: orders) != screen.isShown
    else { return }
    take(.share(screen.isShown), id: newID())
  }

  /// What a beat's answer wants. What was asked for on the box since has the last word.
  mutating func follow(sharesScreen: Bool) {
    guard sharesScreen != screen.isShared else { return }
    screen.isShared = sharesScreen
    showScreenAsShared()
  }

  /// Lets the source follow what the session knows of the screen.
  mutating func showScreenAsShared() {
    let isShared = screen.isShared(with: orders)
    guard screen.requested == nil, screen.isShown != isShared else { return }
    screen.requested = isShared
    actions.append(.showScreen(isShared))
  }
}
