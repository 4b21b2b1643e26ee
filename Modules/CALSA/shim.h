// What Swift can't import from alsa-lib directly: the variadic error handler, and structs that the C library owns.
#pragma once
#include <limits.h>
#include <alsa/asoundlib.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>

static inline void calsa_ignore_error(const char *file, int line, const char *function, int err, const char *fmt,
                                      ...) {
  (void)file, (void)line, (void)function, (void)err, (void)fmt;
}

/// Keeps alsa-lib from writing to standard error; every error is also returned as a status, which we report.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore_error); }

enum { calsa_most_descriptors = 16 };

/// Fills `entries` with the descriptors to poll; returns their number, or a negative status.
static inline int calsa_entries(snd_pcm_t *pcm, struct pollfd *entries) {
  int count = snd_pcm_poll_descriptors_count(pcm);
  if (count > calsa_most_descriptors) return -EINVAL;
  return count < 0 ? count : snd_pcm_poll_descriptors(pcm, entries, (unsigned)count);
}

/// Fills `descriptors`, which has room for `calsa_most_descriptors`; returns their number, or a negative status.
static inline int calsa_descriptors(snd_pcm_t *pcm, int *descriptors) {
  struct pollfd entries[calsa_most_descriptors];
  int count = calsa_entries(pcm, entries);
  for (int i = 0; i < count; i++) descriptors[i] = entries[i].fd;
  return count;
}

/// Passes the wakeup to the plugins, as some clear their descriptors only then; does not wait.
static inline int calsa_acknowledge_wakeup(snd_pcm_t *pcm) {
  struct pollfd entries[calsa_most_descriptors];
  unsigned short events = 0;
  int count = calsa_entries(pcm, entries);
  if (count < 0) return count;
  if (poll(entries, (nfds_t)count, 0) < 0) return errno == EINTR ? 0 : -errno;
  return snd_pcm_poll_descriptors_revents(pcm, entries, (unsigned)count, &events);
}

/// The timestamp of a status in nanoseconds; 0 if the device provides none.
static inline int64_t calsa_status_instant(const snd_pcm_status_t *status) {
  snd_htimestamp_t stamp;
  snd_pcm_status_get_htstamp(status, &stamp);
  return (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
}
