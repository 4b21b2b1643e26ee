#pragma once
#include <limits.h>
#include <systemd/sd-bus.h>
