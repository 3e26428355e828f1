#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * A pushdown automaton over bytes: states with edges that read a byte range, call another state, or
 * return. `engine/grammar/grammar.ts` compiles it from a schema.
 */
class Grammar {
 public:
  enum class Kind : int32_t {
    /** Reads one byte whose value is from `a` to `b`. */
    bytes = 0,
    /** Reads nothing. */
    skip = 1,
    /** Calls state `a`, and continues at `to` when the call returns. */
    call = 2,
    /**
     * Like `call`, but the text that it reads must differ from the object's other names. `b` is 1
     * if an object may run out of names, because state `a` reads few texts, or few texts with the
     * same prefix.
     */
    key = 3,
    /** Returns from the call, or ends the text outside of all calls. */
    end = 4,
  };
  struct Edge {
    Kind kind;
    int32_t a;
    int32_t b;
    int32_t to;

    bool isCall() const { return kind == Kind::call || kind == Kind::key; }
    bool operator==(const Edge& other) const {
      return kind == other.kind && a == other.a && b == other.b && to == other.to;
    }
  };

  /** Throws std::runtime_error for numbers that are not a grammar. */
  Grammar(const int32_t* numbers, size_t count);
  int32_t start() const { return start_; }
  bool hasFewKeys() const { return hasFewKeys_; }
  int32_t states() const { return static_cast<int32_t>(ends_.size()); }
  const Edge* begin(int32_t state) const {
    return edges_.data() + (state == 0 ? 0 : ends_[state - 1]);
  }
  const Edge* end(int32_t state) const { return edges_.data() + ends_[state]; }
  bool operator==(const Grammar& other) const {
    return start_ == other.start_ && ends_ == other.ends_ && edges_ == other.edges_;
  }

 private:
  int32_t start_;
  /** True if an object may run out of names. */
  bool hasFewKeys_;
  /** For each state, the index in `edges_` after its last edge. */
  std::vector<int32_t> ends_;
  std::vector<Edge> edges_;
};
