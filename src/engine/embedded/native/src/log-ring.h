#pragma once

#include <string>

/** Sends llama.cpp's log to a ring in memory, and the words of a failed assertion to stderr. */
void captureLogs();

/** The last warnings and errors, oldest first, on one line; forgets them. */
std::string takeLoggedErrors();
