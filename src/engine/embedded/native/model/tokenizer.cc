#include "model/tokenizer.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "model/deep-stack.h"

namespace {

std::string tokenBytes(const llama_vocab* vocab, llama_token token) {
  std::string bytes(64, '\0');
  int32_t length = llama_token_to_piece(vocab, token, bytes.data(), 64, 0, false);
  if (length < 0) {
    bytes.resize(-length);
    length = llama_token_to_piece(vocab, token, bytes.data(), -length, 0, false);
  }
  bytes.resize(length);
  return bytes;
}

/** Smallest part to cut off a long text: a few milliseconds of work. */
constexpr size_t partBytes = 32 * 1024;

bool isLetter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/** Returns true for a space between two letters of ASCII. */
bool isCut(const std::string& text, size_t at) {
  return text[at] == ' ' && at > 0 && at + 1 < text.size() && isLetter(text[at - 1]) &&
         isLetter(text[at + 1]);
}

/** Returns the end of the part that begins at `begin`: the first cut after `partBytes`, if any. */
size_t endOfPart(const std::string& text, size_t begin) {
  for (size_t at = begin + partBytes; at < text.size(); at++) {
    if (isCut(text, at)) return at;
  }
  return text.size();
}

/**
 * Byte-level BPE pre-tokenizers whose words can cross a cut. In all others of this llama.cpp
 * release, no alternative of the regex matches a letter and the space after it, none looks behind,
 * and lookaheads follow only spaces and digits. So the words on both sides of a cut stay the same,
 * and merges stay within a word. A test compares all of them.
 */
constexpr const char* joiningPreTokenizers[] = {"exaone-moe", "gemma4", "granite-embed-multi-311m",
                                                "sarvam-moe", "superbpe"};

std::string metadataOf(const LoadedModel& model, const char* key) {
  char value[64] = "";
  llama_model_meta_val_str(llama_get_model(model.context()), key, value, sizeof(value));
  return value;
}

/** Returns the name of the pre-tokenizer; "" for other kinds of tokenizers, which have none. */
std::string preTokenizerOf(const LoadedModel& model) {
  return metadataOf(model, "tokenizer.ggml.model") == "gpt2"
             ? metadataOf(model, "tokenizer.ggml.pre")
             : "";
}

bool splitsAtSpaces(const std::string& preTokenizer) {
  return !preTokenizer.empty() &&
         std::none_of(std::begin(joiningPreTokenizers), std::end(joiningPreTokenizers),
                      [&](const char* joining) { return preTokenizer == joining; });
}

/** Returns true if a pre-tokenizer splits a text into smaller parts than lines. */
bool usesRegex(const LoadedModel& model) {
  if (llama_vocab_type(model.vocab()) != LLAMA_VOCAB_TYPE_BPE) return false;
  const std::string name = preTokenizerOf(model);
  const bool splitsLines =
      name == "gemma4" || name == "granite-embed-multi-311m" || name == "sarvam-moe";
  return !splitsLines && metadataOf(model, "tokenizer.ggml.model") != "gemma4";
}

LongTexts::BadRows badRowsOf(const LoadedModel& model) {
  const std::string name = preTokenizerOf(model);
  const std::string kind = metadataOf(model, "tokenizer.ggml.model");
  if (name == "whitespace" || kind == "whitespace") return LongTexts::BadRows::anySpaces;
  if (name == "superbpe") return LongTexts::BadRows::slowDigits;
  const bool isSlow = name == "deepseek-llm" || name == "jais-2";
  return isSlow ? LongTexts::BadRows::slowSpaces : LongTexts::BadRows::none;
}

/** Returns true if no cut can split a token that llama.cpp finds before it splits words. */
bool findsNoTokenInText(const LoadedModel& model) {
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    const int attributes = llama_vocab_get_attr(model.vocab(), token);
    if ((attributes & (LLAMA_TOKEN_ATTR_LSTRIP | LLAMA_TOKEN_ATTR_RSTRIP)) != 0) return false;
    if ((attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) == 0) continue;
    const std::string text = llama_vocab_get_text(model.vocab(), token);
    for (size_t at = 0; at < text.size(); at++) {
      if (isCut(text, at)) return false;
    }
  }
  return true;
}

/** Longest text in characters that fits any thread's stack, at 352 bytes per character. */
constexpr size_t plainStackCharsMax = 4096;

/**
 * Stack bytes for each character of a text. Most pre-tokenizers are a std::regex, which recurses
 * for each character of a word. Each call takes 352 bytes with the libraries of this release.
 */
constexpr size_t stackBytesPerChar = 512;
constexpr size_t stackBytesMin = 1024 * 1024;

/** Maximum number of characters without a cut. They use 176 MiB of stack if they are one word. */
constexpr size_t partCharsMax = 512 * 1024;

/** Limit on the possible matches of user-defined tokens in a part: about a second of work. */
constexpr size_t findsMax = 32 * 1024;

/** Largest sum of the squared lengths of slow runs: about a second of work. */
constexpr size_t slowWorkMax = 8 * 1024 * 1024;

/** Largest sum for all texts of a conversation, which another thread tokenises. */
constexpr size_t slowWorkOfAllMax = 16 * slowWorkMax;

size_t countChars(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
}

/** Reads the character at a byte of well-formed UTF-8; 0x10000 for any character beyond U+FFFF. */
uint32_t charAt(const std::string& text, size_t at) {
  const auto byte = [&](size_t index) {
    return at + index < text.size() ? static_cast<uint8_t>(text[at + index]) : 0u;
  };
  if (byte(0) < 0x80) return byte(0);
  if (byte(0) < 0xE0) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if (byte(0) < 0xF0) return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return 0x10000;
}

std::vector<uint32_t> findBeginsOf(const LoadedModel& model) {
  std::vector<uint32_t> begins;
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    const std::string text = llama_vocab_get_text(model.vocab(), token);
    const bool isFound =
        (llama_vocab_get_attr(model.vocab(), token) & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
    if (isFound && !text.empty()) begins.push_back(charAt(text, 0));
  }
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

void requireFewFinds(const std::string& text, const std::vector<uint32_t>& begins) {
  if (begins.empty()) return;
  size_t finds = 0;
  for (size_t at = 0; at < text.size(); at++) {
    if ((text[at] & 0xC0) == 0x80) continue;
    finds += std::binary_search(begins.begin(), begins.end(), charAt(text, at));
  }
  if (finds > findsMax) {
    throw std::runtime_error(
        "it has too many characters that are tokens of their own without a "
        "space between two letters");
  }
}

bool isSpace(uint32_t character) {
  return character == ' ' || (character >= '\t' && character <= '\r') || character == 0x85 ||
         character == 0xA0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200A) ||
         character == 0x2028 || character == 0x2029 || character == 0x202F || character == 0x205F ||
         character == 0x3000;
}

std::runtime_error longRows() {
  return std::runtime_error("it has too long rows of spaces or digits for this tokenizer");
}

/** Returns the sum of the squared lengths of the slow runs, at most somewhat more than `most`. */
size_t slowWorkOf(const std::string& text, LongTexts::BadRows rows, size_t most) {
  if (rows == LongTexts::BadRows::none) return 0;
  size_t work = 0;
  size_t length = 0;
  for (size_t at = 0; at < text.size(); at++) {
    if ((text[at] & 0xC0) == 0x80) continue;
    const uint32_t character = charAt(text, at);
    const bool isDigit = character >= '0' && character <= '9';
    const bool isInRow = rows == LongTexts::BadRows::slowDigits ? isDigit : isSpace(character);
    length = isInRow ? length + 1 : 0;
    // Adds consecutive odd numbers, whose sum is the square of the length.
    work += length == 0 ? 0 : 2 * length - 1;
    if (rows == LongTexts::BadRows::anySpaces && length > 1) throw longRows();
    if (work > most) break;
  }
  return work;
}

void requireShortRows(const std::string& text, LongTexts::BadRows rows) {
  if (slowWorkOf(text, rows, slowWorkMax) > slowWorkMax) throw longRows();
}

void requireLittleWork(const std::vector<std::string>& texts, const LongTexts& longTexts) {
  size_t work = 0;
  for (const std::string& text : texts) {
    work += slowWorkOf(text, longTexts.badRows, slowWorkOfAllMax);
    if (work > slowWorkOfAllMax) throw longRows();
  }
}

std::vector<llama_token> tokenizeHere(const llama_vocab* vocab, const std::string& text) {
  const auto bytes = static_cast<int32_t>(text.size());
  // A token has at least one byte; some vocabularies put a space in front of the text.
  std::vector<llama_token> tokens(text.size() + 8);
  const int32_t count = llama_tokenize(vocab, text.data(), bytes, tokens.data(),
                                       static_cast<int32_t>(tokens.size()), false, false);
  if (count < 0) throw std::runtime_error("it cannot be tokenised");
  tokens.resize(count);
  return tokens;
}

}  // namespace

std::vector<llama_token> tokenizeText(const llama_vocab* vocab, const std::string& text,
                                      const LongTexts& longTexts) {
  requireShortRows(text, longTexts.badRows);
  if (text.size() <= plainStackCharsMax) return tokenizeHere(vocab, text);
  const size_t chars = countChars(text);
  if (chars > longTexts.partCharsMax) {
    throw std::runtime_error("it has a part of more than " +
                             std::to_string(longTexts.partCharsMax) +
                             " characters without a space between two letters");
  }
  requireFewFinds(text, longTexts.findBegins);
  std::vector<llama_token> tokens;
  runOnDeepStack(stackBytesMin + chars * stackBytesPerChar,
                 [&] { tokens = tokenizeHere(vocab, text); });
  return tokens;
}

std::vector<std::vector<llama_token>> tokenizeTexts(const llama_vocab* vocab,
                                                    const std::vector<std::string>& texts,
                                                    const LongTexts& longTexts,
                                                    const std::atomic<bool>& cancelled) {
  std::vector<std::vector<llama_token>> all;
  requireLittleWork(texts, longTexts);
  for (const std::string& text : texts) {
    std::vector<llama_token>& tokens = all.emplace_back();
    for (size_t begin = 0; begin < text.size() && !cancelled;) {
      const size_t end = longTexts.cutsAtSpaces ? endOfPart(text, begin) : text.size();
      const std::vector<llama_token> part =
          tokenizeText(vocab, text.substr(begin, end - begin), longTexts);
      tokens.insert(tokens.end(), part.begin(), part.end());
      begin = end;
    }
  }
  return all;
}

LongTexts longTextsOf(const LoadedModel& model) {
  const std::string preTokenizer = preTokenizerOf(model);
  LongTexts longTexts;
  longTexts.cutsAtSpaces = splitsAtSpaces(preTokenizer) && findsNoTokenInText(model);
  longTexts.partCharsMax = usesRegex(model) ? partCharsMax : std::string::npos;
  longTexts.findBegins = findBeginsOf(model);
  longTexts.badRows = badRowsOf(model);
  return longTexts;
}

std::optional<int> tokenBytesMax(const LoadedModel& model, const std::vector<std::string>& texts) {
  if (llama_vocab_type(model.vocab()) != LLAMA_VOCAB_TYPE_BPE) return std::nullopt;
  // This tokenizer drops bytes that are no token.
  if (badRowsOf(model) == LongTexts::BadRows::anySpaces) return std::nullopt;
  size_t longest = 1;
  std::vector<bool> isToken(256);
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    // A token that strips the spaces around it can stand for any number of them.
    const int attributes = llama_vocab_get_attr(model.vocab(), token);
    if ((attributes & (LLAMA_TOKEN_ATTR_LSTRIP | LLAMA_TOKEN_ATTR_RSTRIP)) != 0)
      return std::nullopt;
    const std::string& text = texts[token];
    longest = std::max(longest, text.size());
    if (text.size() == 1) isToken[static_cast<uint8_t>(text[0])] = true;
  }
  // llama.cpp drops a byte without a token. The bytes excluded here never occur in UTF-8.
  for (int byte = 0; byte < 256; byte++) {
    const bool occurs = byte != 0xC0 && byte != 0xC1 && byte < 0xF5;
    if (occurs && !isToken[byte]) return std::nullopt;
  }
  // Tokenizers without a regex read the three bytes of a `▁` as a space.
  return static_cast<int>(usesRegex(model) ? longest : 3 * longest);
}

bool isSpecialToken(const LoadedModel& model, llama_token token) {
  const int attributes = llama_vocab_get_attr(model.vocab(), token);
  return (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0 ||
         model.endsGeneration(token);
}

std::vector<std::string> tokenTexts(const LoadedModel& model,
                                    const std::vector<llama_token>& marks) {
  std::vector<std::string> texts(model.vocabSize());
  for (llama_token token = 0; token < model.vocabSize(); token++) {
    if (!isSpecialToken(model, token)) texts[token] = tokenBytes(model.vocab(), token);
  }
  for (const llama_token token : marks) texts[token] = llama_vocab_get_text(model.vocab(), token);
  return texts;
}
