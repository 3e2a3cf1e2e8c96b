/* A clock that never goes back, for time budgets. */
#ifndef QIPAI_CLOCK_H
#define QIPAI_CLOCK_H

#include <stdint.h>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
static int64_t qp_nanoseconds(void) {
    LARGE_INTEGER now, each;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&each);
    return (int64_t)((double)now.QuadPart / (double)each.QuadPart * 1e9);
}
#else
#include <time.h>
static int64_t qp_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
#endif

#endif
