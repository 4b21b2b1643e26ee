#pragma once
#include <libyuv/planar_functions.h>
#include <libyuv/scale.h>
