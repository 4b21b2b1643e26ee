// What Swift can't import of the C library by itself.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int pthread_setname_np(pthread_t thread, const char *name);
int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

static const int cp_EFD_NONBLOCK = EFD_NONBLOCK;
static const int cp_EFD_CLOEXEC = EFD_CLOEXEC;
static const int cp_SFD_NONBLOCK = SFD_NONBLOCK;
static const int cp_SFD_CLOEXEC = SFD_CLOEXEC;

static inline int cp_errno(void) { return errno; }
static inline int cp_open_for_writing(const char *path, int flags) { return open(path, flags | O_CLOEXEC, 0644); }
static inline int cp_window_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}
static inline int cp_cond_init_monotonic(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  int error = pthread_condattr_init(&attributes);
  if (error) return error;
  error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  if (!error) error = pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return error;
}
