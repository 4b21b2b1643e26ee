// epoll, which Glibc's module does not have, with its constants in the types in which they are used.
#pragma once
#include <sys/epoll.h>

/// Readable, writable and hung up, each told once.
static const uint32_t cepoll_EDGES = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

static inline int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// `owner` comes back with each event of the descriptor.
static inline int cepoll_add(int epoll, int descriptor, uint32_t owner) {
  struct epoll_event event = {.events = cepoll_EDGES, .data = {.u32 = owner}};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/// Writes the owners of what is ready, at most `room` of them, and returns how many there are.
static inline int cepoll_wait(int epoll, uint32_t *owners, int room, int milliseconds) {
  struct epoll_event events[512];
  int count = epoll_wait(epoll, events, room < 512 ? room : 512, milliseconds);
  for (int i = 0; i < count; i++) owners[i] = events[i].data.u32;
  return count;
}
