#pragma once

#include <cstdint>
#include <string>

/**
 * Follows a text through the well-formed byte sequences of UTF-8 (Unicode Standard, table 3-7), so
 * that a reply has no invalid bytes and no character is left incomplete.
 */
class Utf8Text {
 public:
  /**
   * Returns true if the bytes can follow. An empty string can follow only a complete character.
   */
  bool admits(const std::string& bytes) const;
  /** Appends bytes that are admitted. */
  void accept(const std::string& bytes);
  bool isCharacterComplete() const { return bytesLeft_ == 0; }

 private:
  bool read(uint8_t byte);

  /** The bytes that the character still needs. */
  int bytesLeft_ = 0;
  /** The smallest and the largest value of the next byte. */
  uint8_t least_ = 0x80;
  uint8_t most_ = 0xbf;
};
