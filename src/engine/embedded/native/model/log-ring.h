#pragma once

#include <string>

/**
 * Sends llama.cpp's log to a ring buffer in memory, and the message of a failed assertion to
 * stderr.
 */
void captureLogs();

/** Returns the last warnings and errors on one line, oldest first, and clears the ring. */
std::string takeLoggedErrors();
