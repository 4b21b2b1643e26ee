internal import HoldfastCFFmpeg

/// FFmpeg's libraries write to standard error by themselves. What matters comes back as a status, which we report, so
/// they are told to be quiet.
package func silenceFFmpeg() {
  av_log_set_level(AV_LOG_QUIET)
}
