// read-bandwidth THREADS ROUNDS: prints the read bandwidth of several threads in GB/s, one line a round.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/** Far more bytes per thread than the caches of a processor hold. */
constexpr size_t bytesPerThread = size_t{512} << 20;
constexpr size_t words = bytesPerThread / sizeof(uint64_t);

std::atomic<uint64_t> sink;

/** Adds up the words in independent sums, so that the reads do not wait for the additions. */
void readAll(const uint64_t* data) {
  uint64_t sums[32] = {};
  for (size_t start = 0; start < words; start += 32) {
    for (size_t index = 0; index < 32; index++) sums[index] += data[start + index];
  }
  for (const uint64_t sum : sums) sink += sum;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int threads = std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  // The vectors are written once, so that the system allocates every page.
  std::vector<std::vector<uint64_t>> parts(threads, std::vector<uint64_t>(words, 1));
  // The first round is a warm-up.
  for (int round = -1; round < rounds; round++) {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::thread> readers;
    for (const auto& part : parts) readers.emplace_back(readAll, part.data());
    for (std::thread& reader : readers) reader.join();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (round >= 0) std::printf("%.2f\n", threads * bytesPerThread / seconds.count() / 1e9);
  }
}
