#pragma once
#include <limits.h>
#include <libudev.h>
