// SPDX-License-Identifier: Apache-2.0
//
// count [claims.txt | construct threads]
// Prints a table in Markdown: for each construct and number of threads the moves of cache lines,
// and how they grow. With claims it counts up to 256 threads only, and fails where a class is worse
// than claimed. A better one passes: which of two classes it is may depend on how the linker places
// variables.
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "model/count/constructs.h"

namespace bobbin::count {
namespace {

// Doublings: the class of a growth is that of the last three.
constexpr unsigned kSizes[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
// With claims, so that a test takes seconds.
constexpr unsigned kMostInATest = 256;

// All threads look for tasks in the queues of all others, which takes minutes for larger teams.
unsigned most_threads(const std::string& construct, bool test) {
  const unsigned most = test ? kMostInATest : kSizes[std::size(kSizes) - 1];
  return construct == "task" ? most / 4 : most;
}

// What the table needs of an outcome.
struct Row {
  unsigned threads = 0;
  double path = 0;
  double moves = 0;  // of one execution
  double far = 0;    // of these, between groups
  HotLine most_moved, most_written;
};

Row row_of(const Outcome& outcome, unsigned threads) {
  Row row{threads, outcome.path, 0, 0, outcome.counts.most_moved, outcome.counts.most_written};
  for (std::size_t level = 0; level < outcome.counts.moves.size(); level++) {
    const auto moves = static_cast<double>(outcome.counts.moves[level]) / outcome.executions;
    row.moves += moves;
    if (level != 0) row.far += moves;
  }
  row.most_moved.moves /= outcome.executions;
  row.most_written.moves /= outcome.executions;
  return row;
}

void write(std::ostream& out, const Row& row) {
  out << row.threads << ' ' << row.path << ' ' << row.moves << ' ' << row.far;
  for (const HotLine* line : {&row.most_moved, &row.most_written}) {
    out << ' ' << (line->name.empty() ? "-" : line->name) << ' ' << line->moves << ' '
        << line->writers;
  }
  out << '\n';
}

bool read(std::istream& in, Row& row) {
  in >> row.threads >> row.path >> row.moves >> row.far;
  for (HotLine* line : {&row.most_moved, &row.most_written}) {
    in >> line->name >> line->moves >> line->writers;
  }
  return !in.fail();
}

constexpr const char* kRowOnly = "row";

// In a process of its own, because the runtime's global state cannot begin anew. It begins with
// exec and without random addresses, so that all addresses are the same each time: where a lock
// lies in a table may depend on them. Where random addresses cannot be switched off, for instance
// in a container, some figures differ by about a hundredth from run to run.
Row counted(const std::string& construct, unsigned threads) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child < 0) std::abort();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    personality(ADDR_NO_RANDOMIZE);
    execl("/proc/self/exe", "model_count", kRowOnly, construct.c_str(),
          std::to_string(threads).c_str(), nullptr);
    _exit(1);
  }
  close(ends[1]);
  std::string text;
  char buffer[512];
  for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Row row;
  std::istringstream in(text);
  if (status != 0 || !read(in, row)) {
    std::cerr << construct << " with " << threads << " threads did not end\n";
    std::exit(1);
  }
  return row;
}

// The class of what grows like threads^exponent over the last three doublings.
const char* class_of(double exponent) {
  if (exponent < 0.1) return "constant";
  if (exponent < 0.5) return "logarithmic";
  return exponent < 1.5 ? "linear" : "steeper";
}

template <class Value>
const char* class_of(const std::vector<Row>& rows, Value value) {
  const double first = value(rows[rows.size() - 4]);
  const double last = value(rows.back());
  // One or two where there was none is no growth: it depends on what else lies in a line.
  constexpr double kFew = 2;
  if (last <= std::max(first, kFew)) return "constant";
  return class_of(std::log2(last / std::max(first, 1.0)) / 3);
}

struct Claim {
  std::string path;     // the class of the longest chain of moves
  std::string writers;  // and of the number of processors that write the line with most writers
};

// The classes, the best one first.
constexpr const char* kClasses[] = {"constant", "logarithmic", "linear", "steeper"};

bool at_most(const std::string& found, const std::string& claimed) {
  auto rank = [](const std::string& name) { return std::ranges::find(kClasses, name); };
  return rank(found) <= rank(claimed) && rank(claimed) != std::end(kClasses);
}

bool holds(const Claim& claimed, const Claim& found) {
  return at_most(found.path, claimed.path) && at_most(found.writers, claimed.writers);
}

std::ostream& operator<<(std::ostream& out, const Claim& claim) {
  return out << "path " << claim.path << ", writers of a line " << claim.writers;
}

// Lines `construct class class`, and comments.
std::map<std::string, Claim> read_claims(const char* path) {
  std::map<std::string, Claim> claims;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string construct;
    Claim claim;
    if (words >> construct && construct[0] != '#' && words >> claim.path >> claim.writers) {
      claims[construct] = claim;
    }
  }
  return claims;
}

void print(const std::string& construct, const Row& row) {
  std::printf("| %s | %u | %.4g | %.5g | %.0f %% | %s, %lu | %s, %u |\n", construct.c_str(),
              row.threads, row.path, row.moves, row.moves > 0 ? 100 * row.far / row.moves : 0.0,
              row.most_moved.name.c_str(), static_cast<unsigned long>(row.most_moved.moves),
              row.most_written.name.c_str(), row.most_written.writers);
  std::fflush(stdout);
}

Claim measured(const std::string& construct, bool test) {
  std::vector<Row> rows;
  for (unsigned threads : kSizes) {
    if (threads > most_threads(construct, test)) break;
    rows.push_back(counted(construct, threads));
    print(construct, rows.back());
  }
  return {class_of(rows, [](const Row& row) { return row.path; }),
          class_of(rows, [](const Row& row) { return double(row.most_written.writers); })};
}

int run(const char* claims_file) {
  std::puts(
      "| construct | threads | longest chain | moves | between groups | most moved, moves | "
      "most written, by |\n|---|---|---|---|---|---|---|");
  std::map<std::string, Claim> found;
  for (const char* construct : kConstructs)
    found[construct] = measured(construct, claims_file != nullptr);
  std::puts("");
  int status = 0;
  const auto claims = claims_file != nullptr ? read_claims(claims_file) : found;
  for (const auto& [construct, claim] : found) {
    std::cout << construct << ": " << claim << '\n';
    const auto claimed = claims.find(construct);
    if (claimed != claims.end() && holds(claimed->second, claim)) continue;
    std::cout << construct << ": claimed: ";
    claimed != claims.end() ? std::cout << claimed->second : std::cout << "nothing";
    std::cout << '\n';
    status = 1;
  }
  return status;
}

}  // namespace
}  // namespace bobbin::count

int main(int argc, char** argv) {
  using namespace bobbin::count;
  if (argc == 4 && std::string(argv[1]) == kRowOnly) {
    const auto threads = static_cast<unsigned>(std::atoi(argv[3]));
    write(std::cout, row_of(count(argv[2], threads), threads));
    return std::cout.flush() ? 0 : 1;
  }
  if (argc == 3) {
    const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
    print(argv[1], counted(argv[1], threads));
    return 0;
  }
  return run(argc == 2 ? argv[1] : nullptr);
}
