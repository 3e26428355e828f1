#include "sampling/utf8-text.h"

bool Utf8Text::admits(const std::string& bytes) const {
  if (bytes.empty()) return isCharacterComplete();
  Utf8Text ahead = *this;
  for (const char byte : bytes) {
    if (!ahead.read(static_cast<uint8_t>(byte))) return false;
  }
  return true;
}

void Utf8Text::accept(const std::string& bytes) {
  for (const char byte : bytes) read(static_cast<uint8_t>(byte));
}

/** Returns false if the byte cannot follow; the next byte then starts a new character. */
bool Utf8Text::read(uint8_t byte) {
  if (bytesLeft_ > 0) {
    const bool continues = byte >= least_ && byte <= most_;
    bytesLeft_ = continues ? bytesLeft_ - 1 : 0;
    least_ = 0x80;
    most_ = 0xbf;
    return continues;
  }
  if (byte < 0x80) return true;
  if (byte < 0xc2 || byte > 0xf4) return false;
  bytesLeft_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  // Excludes overlong forms, surrogates and numbers above U+10FFFF.
  if (byte == 0xe0) least_ = 0xa0;
  if (byte == 0xed) most_ = 0x9f;
  if (byte == 0xf0) least_ = 0x90;
  if (byte == 0xf4) most_ = 0x8f;
  return true;
}
