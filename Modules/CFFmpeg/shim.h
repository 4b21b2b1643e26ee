// What Swift can't import from FFmpeg directly: macros with casts, and unions behind macros.
#pragma once
#include <dlfcn.h>
#include <limits.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int cff_AVERROR_EOF = AVERROR_EOF;
static const int cff_AVERROR_EAGAIN = AVERROR(EAGAIN);
static const int cff_AVERROR_ENOMEM = AVERROR(ENOMEM);
static const int cff_AVERROR_EINVAL = AVERROR(EINVAL);
static const int cff_AVERROR_ENOSYS = AVERROR(ENOSYS);
static const int cff_AVERROR_EIO = AVERROR(EIO);
static const int cff_AVERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int cff_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int64_t cff_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static const int64_t cff_AV_TIME_BASE = AV_TIME_BASE;
static const int cff_AV_PKT_FLAG_KEY = AV_PKT_FLAG_KEY;
static const int cff_AV_CODEC_FLAG_GLOBAL_HEADER = AV_CODEC_FLAG_GLOBAL_HEADER;
static const int cff_AV_INPUT_BUFFER_PADDING_SIZE = AV_INPUT_BUFFER_PADDING_SIZE;
static const uint64_t cff_AV_PIX_FMT_FLAG_RGB = AV_PIX_FMT_FLAG_RGB;
static const int cff_AVIO_FLAG_WRITE = AVIO_FLAG_WRITE;
static const int cff_AVERROR_EXIT = AVERROR_EXIT;
static const int cff_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int cff_AVERROR_HTTP_UNAUTHORIZED = AVERROR_HTTP_UNAUTHORIZED;
static const int cff_AVERROR_HTTP_FORBIDDEN = AVERROR_HTTP_FORBIDDEN;
static const int cff_AVERROR_HTTP_NOT_FOUND = AVERROR_HTTP_NOT_FOUND;
static const int cff_AVERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int cff_AVERROR_DEMUXER_NOT_FOUND = AVERROR_DEMUXER_NOT_FOUND;

// libavdevice is loaded when a screen is to be captured: it brings 80 libraries, which cost each start 25 ms and 17 MB.
#define cff_AVDEVICE "libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR)

// 0 if the library can't be loaded.
static inline int cff_register_devices(void) {
  void *library = dlopen(cff_AVDEVICE, RTLD_NOW | RTLD_LOCAL);
  void (*register_all)(void) = library ? (void (*)(void))dlsym(library, "avdevice_register_all") : NULL;
  if (register_all) register_all();
  return register_all != NULL;
}
static const char *const cff_avdevice_name = cff_AVDEVICE;
