#pragma once
#include <libyuv/scale.h>
