#include "grammar/grammar-matcher.h"

#include <algorithm>
#include <bitset>
#include <utility>

namespace {

/**
 * Limits for a text that the grammar can read in many ways. Ways beyond the limits are dropped; the
 * others still match.
 */
constexpr size_t configurationsMax = 256;
constexpr int expandStepsMax = 65536;
/**
 * Limits one walk over the vocabulary, and the looking ahead for one token, to about 30 ms. Tokens
 * of one byte are always tried.
 */
constexpr int64_t workMax = 8'000'000;
/** Limits in bytes how far to look for a way to make a name differ from the object's others. */
constexpr int lookAheadMax = 2000;
/** With fewer possible next bytes than this, a walk over the token tree visits few tokens. */
constexpr int narrowBytes = 32;
constexpr size_t droppedFramesMin = 4096;
/** Number of recent frames or configurations to search for an equal one. */
constexpr size_t recentCompared = 16;

}  // namespace

GrammarMatcher::GrammarMatcher(std::shared_ptr<const Grammar> grammar,
                               std::shared_ptr<const TokenTree> tree,
                               std::shared_ptr<const ClosingCosts> costs)
    : grammar_(std::move(grammar)), tree_(std::move(tree)), costs_(std::move(costs)) {
  expand({{grammar_->start(), -1}}, next_);
  acceptedFrames_ = frames_.size();
}

bool GrammarMatcher::admits(llama_token token) {
  if (tree_->ends(token)) return next_.isComplete;
  rewind();
  const std::string& bytes = tree_->bytesOf(token);
  if (ahead_.size() < 2) ahead_.resize(2);
  ahead_[0] = next_;
  bool isRead = !bytes.empty();
  for (size_t index = 0; isRead && index < bytes.size(); index++) {
    isRead = read(ahead_[0], static_cast<uint8_t>(bytes[index]), ahead_[1]);
    std::swap(ahead_[0], ahead_[1]);
  }
  isRead = isRead && ahead_[0].toClose <= closeWithin_;
  if (isRead) {
    aheadToken_ = token;
  } else {
    rewind();
  }
  return isRead;
}

/** Reads a token into `ahead_[0]`, also if it leads only to names that the object already has. */
void GrammarMatcher::readAll(llama_token token) {
  ahead_[0] = next_;
  for (const char byte : tree_->bytesOf(token)) {
    readByte(ahead_[0], static_cast<uint8_t>(byte), ahead_[1]);
    std::swap(ahead_[0], ahead_[1]);
  }
}

const std::vector<char>& GrammarMatcher::admitted() {
  rewind();
  admitted_.assign(tree_->size(), 0);
  late_.clear();
  ahead_.resize(std::max<size_t>(ahead_.size(), 1));
  ahead_[0] = next_;
  walkTree(0, static_cast<int32_t>(tree_->nodes().size()), 0, 0);
  for (llama_token token = 0; next_.isComplete && token < tree_->size(); token++) {
    if (tree_->ends(token)) admitted_[token] = 1;
  }
  if (!late_.empty()) keepSoonest();
  return admitted_;
}

/**
 * If the text cannot be completed within `closeWithin_` tokens after any token, admits the tokens
 * after which it needs the fewest more.
 */
void GrammarMatcher::keepSoonest() {
  if (std::find(admitted_.begin(), admitted_.end(), 1) != admitted_.end()) return;
  int32_t least = late_.front().second;
  for (const auto& [token, toClose] : late_) least = std::min(least, toClose);
  for (const auto& [token, toClose] : late_) admitted_[token] = toClose == least;
  // `accept` may call `admits` again, which must then admit the token.
  closeWithin_ = std::max(closeWithin_, least);
}

bool GrammarMatcher::isNarrow() const {
  int bytes = 0;
  for (const Next::Edge& edge : next_.edges) bytes += edge.last - edge.first + 1;
  return bytes < narrowBytes;
}

std::string GrammarMatcher::fixedText(size_t bytesMax) {
  std::string text;
  if (!next_.isFixed()) return text;
  rewind();
  if (ahead_.size() < 2) ahead_.resize(2);
  ahead_[0] = next_;
  while (text.size() < bytesMax && ahead_[0].isFixed()) {
    const uint8_t byte = ahead_[0].edges.front().first;
    if (!read(ahead_[0], byte, ahead_[1])) break;
    text.push_back(static_cast<char>(byte));
    std::swap(ahead_[0], ahead_[1]);
  }
  rewind();
  return text;
}

bool GrammarMatcher::Next::isFixed() const {
  const auto readsFirst = [&](const Edge& edge) {
    return edge.first == edges.front().first && edge.last == edges.front().first;
  };
  return !isComplete && !edges.empty() && std::all_of(edges.begin(), edges.end(), readsFirst);
}

void GrammarMatcher::accept(llama_token token) {
  if (tree_->ends(token)) return;
  if (aheadToken_ != token && !admits(token)) readAll(token);
  std::swap(next_, ahead_[0]);
  aheadToken_ = -1;
  if (frames_.size() > 2 * keptFrames_ + droppedFramesMin) dropReturnedFrames();
  acceptedText_ = text_.size();
  acceptedFrames_ = frames_.size();
  acceptedKeys_ = keys_.size();
}

/**
 * Compacts `frames_` to the calls that are still open. A frame's index is
 * higher than its outer frame's.
 */
void GrammarMatcher::dropReturnedFrames() {
  std::vector<int32_t> moved(frames_.size(), -1);
  for (const Next::Edge& edge : next_.edges) {
    for (int32_t frame = edge.target.frame; frame >= 0 && moved[frame] < 0;) {
      moved[frame] = 0;
      frame = frames_[frame].outer;
    }
  }
  int32_t kept = 0;
  for (size_t index = 0; index < frames_.size(); index++) {
    if (moved[index] < 0) continue;
    Frame frame = frames_[index];
    if (frame.outer >= 0) frame.outer = moved[frame.outer];
    moved[index] = kept;
    frames_[kept++] = frame;
  }
  frames_.resize(kept);
  keptFrames_ = kept;
  for (Next::Edge& edge : next_.edges) {
    if (edge.target.frame >= 0) edge.target.frame = moved[edge.target.frame];
  }
}

/**
 * Marks the admitted tokens at and below the sibling nodes from `begin` to `end`. `ahead_[depth]`
 * holds the bytes that the grammar allows at these nodes.
 */
void GrammarMatcher::walkTree(int32_t begin, int32_t end, int32_t tokensBegin, size_t depth) {
  const std::vector<TokenTree::Node>& nodes = tree_->nodes();
  if (ahead_.size() < depth + 2) ahead_.emplace_back();
  const size_t text = text_.size();
  const size_t frames = frames_.size();
  const size_t keys = keys_.size();
  for (int32_t index = begin; index < end; index = nodes[index].next) {
    if (depth > 0 && work_ > workMax) return;
    const TokenTree::Node& node = nodes[index];
    if (read(ahead_[depth], node.byte, ahead_[depth + 1])) {
      const int32_t toClose = ahead_[depth + 1].toClose;
      for (int32_t at = tokensBegin; at < node.tokensEnd; at++) {
        const llama_token token = tree_->tokens()[at];
        admitted_[token] = toClose <= closeWithin_;
        if (toClose > closeWithin_) late_.emplace_back(token, toClose);
      }
      walkTree(index + 1, node.next, node.tokensEnd, depth + 1);
    }
    text_.resize(text);
    frames_.resize(frames);
    keys_.resize(keys);
    tokensBegin = nodes[node.next - 1].tokensEnd;
  }
}

/**
 * Reads one byte. Returns false if no text of the grammar continues with it, or if it leads only to
 * names that the object already has. May append to `text_`, `frames_` and `keys_` even then.
 */
bool GrammarMatcher::read(const Next& next, uint8_t byte, Next& after) {
  if (!readByte(next, byte, after)) return false;
  return !grammar_->hasFewKeys() || keys_.empty() || leadsOn(after, 0);
}

/**
 * Returns true if the name can still become one that the object does not have, or if finding out
 * takes too long. Looks ahead only while the name so far is a prefix of another name of the object.
 */
bool GrammarMatcher::leadsOn(const Next& next, int depth) {
  if (next.isComplete || depth > lookAheadMax || work_ > workMax) return true;
  for (const Next::Edge& edge : next.edges) {
    if (!isWithinUsedName(edge.target.frame)) return true;
  }
  const size_t text = text_.size();
  const size_t frames = frames_.size();
  const size_t keys = keys_.size();
  bool isFound = false;
  // `readByte` follows all edges that read a byte, so each byte is tried once.
  std::bitset<256> tried;
  for (size_t index = 0; !isFound && index < next.edges.size(); index++) {
    const Next::Edge edge = next.edges[index];
    for (int byte = edge.first; !isFound && byte <= edge.last; byte++) {
      if (tried[byte]) continue;
      tried.set(byte);
      Next after;
      isFound = readByte(next, static_cast<uint8_t>(byte), after) && leadsOn(after, depth + 1);
      text_.resize(text);
      frames_.resize(frames);
      keys_.resize(keys);
    }
  }
  return isFound;
}

/** Returns true inside a name that is so far a prefix of another name of the object. */
bool GrammarMatcher::isWithinUsedName(int32_t frame) {
  while (frame >= 0 && frames_[frame].keyBegin < 0) frame = frames_[frame].outer;
  if (frame < 0 || frames_[frame].outer < 0) return false;
  const int32_t begin = frames_[frame].keyBegin;
  const size_t length = text_.size() - begin;
  for (int32_t keys = frames_[frames_[frame].outer].keys; keys >= 0; keys = keys_[keys].before) {
    const Key& key = keys_[keys];
    work_++;
    if (static_cast<size_t>(key.end - key.begin) >= length &&
        text_.compare(key.begin, length, text_, begin, length) == 0) {
      return true;
    }
  }
  return false;
}

/** Reads one byte; returns false if no text of the grammar continues with it. */
bool GrammarMatcher::readByte(const Next& next, uint8_t byte, Next& after) {
  configurations_.clear();
  for (const Next::Edge& edge : next.edges) {
    if (byte < edge.first || byte > edge.last || configurations_.size() >= configurationsMax)
      continue;
    // Edges to the same configuration are mostly close together.
    const size_t compared = std::min(configurations_.size(), recentCompared);
    if (std::find(configurations_.end() - compared, configurations_.end(), edge.target) ==
        configurations_.end()) {
      configurations_.push_back(edge.target);
    }
  }
  work_ += static_cast<int64_t>(next.edges.size());
  if (configurations_.empty()) return false;
  text_.push_back(static_cast<char>(byte));
  after.edges.clear();
  after.isComplete = false;
  expand(configurations_, after);
  return after.isComplete || !after.edges.empty();
}

/** Follows all edges that read no byte, and collects those that read one. */
void GrammarMatcher::expand(const std::vector<Configuration>& configurations, Next& next) {
  framesOfByte_ = frames_.size();
  next.toClose = configurations.empty() ? 0 : std::numeric_limits<int32_t>::max();
  for (const Configuration& configuration : configurations) {
    next.toClose = std::min(next.toClose, toCloseFrom(configuration));
  }
  pending_.assign(configurations.rbegin(), configurations.rend());
  int steps = 0;
  for (; !pending_.empty() && steps < expandStepsMax; steps++) {
    const Configuration current = pending_.back();
    pending_.pop_back();
    const Grammar::Edge* end = grammar_->end(current.state);
    for (const Grammar::Edge* edge = grammar_->begin(current.state); edge != end; edge++) {
      switch (edge->kind) {
        case Grammar::Kind::bytes:
          next.edges.push_back({static_cast<uint8_t>(edge->a),
                                static_cast<uint8_t>(edge->b),
                                {edge->to, current.frame}});
          break;
        case Grammar::Kind::skip:
          pending_.push_back({edge->to, current.frame});
          break;
        case Grammar::Kind::call:
          pending_.push_back({edge->a, pushFrame({edge->to, current.frame, -1, -1})});
          break;
        case Grammar::Kind::key: {
          const auto begin = static_cast<int32_t>(text_.size());
          pending_.push_back({edge->a, pushFrame({edge->to, current.frame, -1, begin})});
          break;
        }
        case Grammar::Kind::end:
          returnFrom(current.frame, next);
      }
    }
  }
  work_ += steps;
}

int32_t GrammarMatcher::toCloseFrom(const Configuration& configuration) const {
  if (costs_ == nullptr) return 0;
  const int32_t after = configuration.frame < 0 ? 0 : frames_[configuration.frame].toClose;
  return std::min(costs_->tokens(configuration.state) + after, unreachableCost);
}

/** Continues after a call; drops the configuration if the object already has the name just read. */
void GrammarMatcher::returnFrom(int32_t index, Next& next) {
  if (index < 0) {
    next.isComplete = true;
    return;
  }
  const Frame frame = frames_[index];
  if (frame.keyBegin < 0) {
    pending_.push_back({frame.returnTo, frame.outer});
    return;
  }
  if (frame.outer < 0) return;
  Frame object = frames_[frame.outer];
  if (hasKey(object.keys, frame.keyBegin)) return;
  keys_.push_back({frame.keyBegin, static_cast<int32_t>(text_.size()), object.keys});
  object.keys = static_cast<int32_t>(keys_.size()) - 1;
  pending_.push_back({frame.returnTo, pushFrame(object)});
}

/** Returns true if the text from `begin` on is one of an object's names; `keys` is the latest. */
bool GrammarMatcher::hasKey(int32_t keys, int32_t begin) const {
  const size_t length = text_.size() - begin;
  for (; keys >= 0; keys = keys_[keys].before) {
    const Key& key = keys_[keys];
    if (static_cast<size_t>(key.end - key.begin) == length &&
        text_.compare(key.begin, length, text_, begin, length) == 0) {
      return true;
    }
  }
  return false;
}

/**
 * Returns the index of the frame, or of an equal one that was pushed recently for the same byte.
 */
int32_t GrammarMatcher::pushFrame(Frame frame) {
  frame.toClose = toCloseFrom({frame.returnTo, frame.outer});
  if (costs_ != nullptr && frame.keyBegin >= 0) {
    frame.toClose = std::min(frame.toClose + nameTokensSpare, unreachableCost);
  }
  const size_t oldest = frames_.size() > recentCompared ? frames_.size() - recentCompared : 0;
  for (size_t index = std::max(framesOfByte_, oldest); index < frames_.size(); index++) {
    const Frame& other = frames_[index];
    if (other.returnTo == frame.returnTo && other.outer == frame.outer &&
        other.keys == frame.keys && other.keyBegin == frame.keyBegin) {
      return static_cast<int32_t>(index);
    }
  }
  frames_.push_back(frame);
  return static_cast<int32_t>(frames_.size()) - 1;
}

void GrammarMatcher::rewind() {
  text_.resize(acceptedText_);
  frames_.resize(acceptedFrames_);
  keys_.resize(acceptedKeys_);
  aheadToken_ = -1;
  work_ = 0;
}
