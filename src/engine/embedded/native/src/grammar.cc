#include "grammar.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace {

/** Beyond these, ways to read the text are given up: what is left is still of the grammar. */
constexpr size_t placesMax = 256;
constexpr int expandStepsMax = 65536;
/** Of a look at the whole vocabulary, some 30 ms; every single byte is looked at in any case. */
constexpr int64_t workMax = 8'000'000;
/** Where so few bytes may come next, a look at the whole vocabulary is a look at few tokens. */
constexpr int narrowBytes = 32;
constexpr size_t framesCollectedMin = 4096;
/** Equal calls are looked for among so many of the last ones. */
constexpr size_t framesCompared = 16;

}  // namespace

Grammar::Grammar(const int32_t* numbers, size_t count) {
  const auto isState = [&](int32_t state) {
    return state >= 0 && state < static_cast<int32_t>(ends_.size());
  };
  if (count < 2 || numbers[1] < 1 || static_cast<size_t>(numbers[1]) > count - 2 ||
      (count - 2 - numbers[1]) % 4 != 0) {
    throw std::runtime_error("this is no grammar");
  }
  start_ = numbers[0];
  ends_.assign(numbers + 2, numbers + 2 + numbers[1]);
  for (size_t index = 2 + ends_.size(); index < count; index += 4) {
    edges_.push_back({static_cast<Kind>(numbers[index]), numbers[index + 1], numbers[index + 2],
                      numbers[index + 3]});
  }
  const bool endsFit = std::is_sorted(ends_.begin(), ends_.end()) && ends_.front() >= 0 &&
                       static_cast<size_t>(ends_.back()) == edges_.size();
  const bool edgesFit = std::all_of(edges_.begin(), edges_.end(), [&](const Edge& edge) {
    const bool isCall = edge.kind == Kind::call || edge.kind == Kind::key;
    const bool isKind = edge.kind >= Kind::bytes && edge.kind <= Kind::end;
    return isKind && isState(edge.to) && (!isCall || isState(edge.a));
  });
  if (!isState(start_) || !endsFit || !edgesFit) throw std::runtime_error("this is no grammar");
}

TokenTree::TokenTree(std::vector<std::string> tokens, std::vector<bool> ends)
    : bytes_(std::move(tokens)), ends_(std::move(ends)) {
  std::vector<llama_token> order(bytes_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](llama_token a, llama_token b) { return bytes_[a] < bytes_[b]; });
  // From the root to the token that was added last.
  std::vector<int32_t> path;
  std::string text;
  const auto closeTo = [&](size_t length) {
    for (; path.size() > length; path.pop_back()) {
      nodes_[path.back()].next = static_cast<int32_t>(nodes_.size());
    }
  };
  for (const llama_token token : order) {
    const std::string& bytes = bytes_[token];
    if (bytes.empty() || ends_[token]) continue;
    size_t common = 0;
    while (common < bytes.size() && common < text.size() && bytes[common] == text[common]) common++;
    closeTo(common);
    for (size_t index = common; index < bytes.size(); index++) {
      path.push_back(static_cast<int32_t>(nodes_.size()));
      nodes_.push_back({static_cast<uint8_t>(bytes[index]), 0, static_cast<int32_t>(tokens_.size())});
    }
    tokens_.push_back(token);
    nodes_.back().tokensEnd = static_cast<int32_t>(tokens_.size());
    text = bytes;
  }
  closeTo(0);
}

GrammarMatcher::GrammarMatcher(std::shared_ptr<const Grammar> grammar,
                               std::shared_ptr<const TokenTree> tree)
    : grammar_(std::move(grammar)), tree_(std::move(tree)) {
  expand({{grammar_->start(), -1}}, open_);
  framesKept_ = frames_.size();
}

bool GrammarMatcher::admits(llama_token token) {
  if (tree_->ends(token)) return open_.isWhole;
  rewind();
  const std::string& bytes = tree_->bytesOf(token);
  if (ahead_.size() < 2) ahead_.resize(2);
  ahead_[0] = open_;
  bool isRead = !bytes.empty();
  for (size_t index = 0; isRead && index < bytes.size(); index++) {
    isRead = read(ahead_[0], static_cast<uint8_t>(bytes[index]), ahead_[1]);
    std::swap(ahead_[0], ahead_[1]);
  }
  if (isRead) {
    lookedAt_ = token;
  } else {
    rewind();
  }
  return isRead;
}

const std::vector<char>& GrammarMatcher::admitted() {
  rewind();
  admitted_.assign(tree_->size(), 0);
  work_ = 0;
  ahead_.resize(std::max<size_t>(ahead_.size(), 1));
  ahead_[0] = open_;
  walk(0, static_cast<int32_t>(tree_->nodes().size()), 0, 0);
  for (llama_token token = 0; open_.isWhole && token < tree_->size(); token++) {
    if (tree_->ends(token)) admitted_[token] = 1;
  }
  return admitted_;
}

bool GrammarMatcher::isNarrow() const {
  int bytes = 0;
  for (const Open::Next& next : open_.edges) bytes += next.last - next.first + 1;
  return bytes < narrowBytes;
}

void GrammarMatcher::accept(llama_token token) {
  if (tree_->ends(token)) return;
  if (lookedAt_ != token) admits(token);
  std::swap(open_, ahead_[0]);
  lookedAt_ = -1;
  if (frames_.size() > 2 * framesKept_ + framesCollectedMin) dropFrames();
  textKept_ = text_.size();
  framesKept_ = frames_.size();
  keysKept_ = keys_.size();
}

/** Those of calls that are over. A call stands behind the one that it is within. */
void GrammarMatcher::dropFrames() {
  std::vector<int32_t> moved(frames_.size(), -1);
  for (const Open::Next& next : open_.edges) {
    for (int32_t frame = next.place.frame; frame >= 0 && moved[frame] < 0;) {
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
  for (Open::Next& next : open_.edges) {
    if (next.place.frame >= 0) next.place.frame = moved[next.place.frame];
  }
}

/** The nodes of the tree that stand side by side from `begin` on; the way to them is in `ahead_`. */
void GrammarMatcher::walk(int32_t begin, int32_t end, int32_t tokensBegin, size_t depth) {
  const std::vector<TokenTree::Node>& nodes = tree_->nodes();
  if (ahead_.size() < depth + 2) ahead_.emplace_back();
  const size_t text = text_.size();
  const size_t frames = frames_.size();
  const size_t keys = keys_.size();
  for (int32_t index = begin; index < end; index = nodes[index].next) {
    if (depth > 0 && work_ > workMax) return;
    const TokenTree::Node& node = nodes[index];
    if (read(ahead_[depth], node.byte, ahead_[depth + 1])) {
      for (int32_t at = tokensBegin; at < node.tokensEnd; at++) admitted_[tree_->tokens()[at]] = 1;
      walk(index + 1, node.next, node.tokensEnd, depth + 1);
    }
    text_.resize(text);
    frames_.resize(frames);
    keys_.resize(keys);
    tokensBegin = nodes[node.next - 1].tokensEnd;
  }
}

/** False when no text goes on so; what was looked at is in `text_`, `frames_` and `keys_` then, too. */
bool GrammarMatcher::read(const Open& open, uint8_t byte, Open& after) {
  places_.clear();
  for (const Open::Next& next : open.edges) {
    if (byte < next.first || byte > next.last || places_.size() >= placesMax) continue;
    // What is read twice in the same way stands side by side, as a rule.
    const size_t compared = std::min(places_.size(), framesCompared);
    if (std::find(places_.end() - compared, places_.end(), next.place) == places_.end()) {
      places_.push_back(next.place);
    }
  }
  work_ += static_cast<int64_t>(open.edges.size());
  if (places_.empty()) return false;
  text_.push_back(static_cast<char>(byte));
  after.edges.clear();
  after.isWhole = false;
  expand(places_, after);
  return after.isWhole || !after.edges.empty();
}

/** Everything that can be reached without reading a byte. */
void GrammarMatcher::expand(const std::vector<Place>& places, Open& open) {
  framesOfByte_ = frames_.size();
  todo_.assign(places.rbegin(), places.rend());
  int steps = 0;
  for (; !todo_.empty() && steps < expandStepsMax; steps++) {
    const Place place = todo_.back();
    todo_.pop_back();
    const Grammar::Edge* end = grammar_->end(place.state);
    for (const Grammar::Edge* edge = grammar_->begin(place.state); edge != end; edge++) {
      switch (edge->kind) {
        case Grammar::Kind::bytes:
          open.edges.push_back({static_cast<uint8_t>(edge->a), static_cast<uint8_t>(edge->b),
                                {edge->to, place.frame}});
          break;
        case Grammar::Kind::skip:
          todo_.push_back({edge->to, place.frame});
          break;
        case Grammar::Kind::call:
          todo_.push_back({edge->a, enter({edge->to, place.frame, -1, -1})});
          break;
        case Grammar::Kind::key: {
          const auto begin = static_cast<int32_t>(text_.size());
          todo_.push_back({edge->a, enter({edge->to, place.frame, -1, begin})});
          break;
        }
        case Grammar::Kind::end:
          leave(place.frame, open);
      }
    }
  }
  work_ += steps;
}

void GrammarMatcher::leave(int32_t index, Open& open) {
  if (index < 0) {
    open.isWhole = true;
    return;
  }
  const Frame frame = frames_[index];
  if (frame.keyBegin < 0) {
    todo_.push_back({frame.returnTo, frame.outer});
    return;
  }
  if (frame.outer < 0) return;
  Frame object = frames_[frame.outer];
  if (hasKey(object.keys, frame.keyBegin)) return;
  keys_.push_back({frame.keyBegin, static_cast<int32_t>(text_.size()), object.keys});
  object.keys = static_cast<int32_t>(keys_.size()) - 1;
  todo_.push_back({frame.returnTo, enter(object)});
}

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

int32_t GrammarMatcher::enter(Frame frame) {
  const size_t oldest = frames_.size() > framesCompared ? frames_.size() - framesCompared : 0;
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
  text_.resize(textKept_);
  frames_.resize(framesKept_);
  keys_.resize(keysKept_);
  lookedAt_ = -1;
}
