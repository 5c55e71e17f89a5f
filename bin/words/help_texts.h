// SPDX-License-Identifier: Apache-2.0
// What stands below the options in the help of each command.
#pragma once

namespace bobbin::cli {

inline constexpr const char* kRunFooter =
    "Options stand before PROGRAM; everything from PROGRAM on is the program's.\n\n"
    "Examples:\n"
    "  bobbin run ./simulate input.dat\n"
    "  bobbin run -n 8 --bind close ./simulate input.dat\n"
    "  bobbin run python3 train.py\n"
    "  bobbin run --profile --json figures.json ./simulate input.dat\n"
    "  bobbin run --report ./simulate input.dat\n"
    "  bobbin run --span ./simulate input.dat\n"
    "  mpirun -n 4 bobbin run --mpi ./simulate\n\n"
    "Exit status: the program's own; 125 bobbin failed, 126 the program cannot run on Bobbin,\n"
    "127 there is no such program.";

inline constexpr const char* kCompareFooter =
    "The program runs once on each runtime to show what it does, and then by turns. Its output is\n"
    "not shown. A variable of --env adds the program as it is and Bobbin with it; one of Bobbin's "
    "own,\n"
    "BOBBIN_*, only Bobbin. Each run reads the standard input anew if that is a file.\n\n"
    "Examples:\n"
    "  bobbin compare ./simulate input.dat\n"
    "  bobbin compare --threads 1,2,4 ./simulate input.dat\n"
    "  bobbin compare --same-output --runs 10 ./simulate input.dat\n"
    "  bobbin compare --env OMP_WAIT_POLICY=active --json times.json ./simulate input.dat\n\n"
    "Exit status: 0 the times are shown; 1 there is nothing to compare, a run failed, or the "
    "output\n"
    "differs; 125 bobbin failed; 126 the program cannot run on Bobbin; 127 there is no such "
    "program.";

inline constexpr const char* kReportFooter =
    "The program runs three times on Bobbin: for its profile, its time line, and its span, the "
    "last\n"
    "on one processor. The page is one file that needs no network. The program's output is not "
    "shown.\n"
    "DIR is a folder with recordings of these instruments (BOBBIN_RECORD); nothing runs then.\n\n"
    "Examples:\n"
    "  bobbin report ./simulate input.dat\n"
    "  bobbin report -o simulate.html ./simulate input.dat\n"
    "  bobbin report recordings\n\n"
    "Exit status: 0 the page is written; 1 the program failed, or used no OpenMP; 125 bobbin "
    "failed;\n"
    "126 the program cannot run on Bobbin; 127 there is no such program.";

inline constexpr const char* kDoctorFooter =
    "TARGET is a program, a Python interpreter (its installed packages are searched), a shared\n"
    "library, or a directory of them such as an unpacked wheel. Libraries that a program loads\n"
    "later by a name of its own making are not seen; name their directory.\n\n"
    "Examples:\n"
    "  bobbin doctor ./simulate\n"
    "  bobbin doctor $(command -v python3)\n\n"
    "Exit status: 0 everything is served, 1 something is not, 125 bobbin failed, 127 no such file.";

inline constexpr const char* kStatusFooter =
    "It reads what the process has mapped, and changes nothing. Other users' processes can only "
    "be\n"
    "read by root.\n\n"
    "Examples:\n"
    "  bobbin status $!            # what was started last in this shell\n"
    "  bobbin status $(pgrep python3)\n\n"
    "Exit status: 0 Bobbin serves all of them, 1 it does not, 125 bobbin failed, 127 no such "
    "process.";

inline constexpr const char* kStacksFooter =
    "It calls gdb, which stops the process for about a second. For the same in a session of gdb:\n"
    "docs/inside.md.\n\n"
    "Examples:\n"
    "  bobbin stacks $(pgrep -n simulate)\n"
    "  bobbin stacks --core core.4711 ./simulate\n\n"
    "Exit status: 0; 1 Bobbin is not in use there; 125 bobbin failed; 127 no such process or file.";

inline constexpr const char* kTopFooter =
    "Of each process: the processors that it uses, its kernel threads, its OpenMP threads, how "
    "many\n"
    "of them work and wait, the tasks in their queues, and the regions that are open. It reads "
    "and\n"
    "changes nothing. Other users' processes can only be read by root. Ctrl-C ends it.\n\n"
    "Examples:\n"
    "  bobbin top\n"
    "  bobbin top --once\n\n"
    "Exit status: 0; 1 there is no process on Bobbin; 125 bobbin failed.";

inline constexpr const char* kProfileFooter =
    "With a program it is short for `bobbin run --profile`. A folder is for recordings that\n"
    "libbobbin-profile.so has made without `bobbin run`, such as under "
    "another\n"
    "runtime or on another machine. DIR is the folder that BOBBIN_RECORD named then. --pid looks\n"
    "at a process that runs already, about 200 times a second, and changes nothing in it.\n\n"
    "Examples:\n"
    "  bobbin profile ./simulate input.dat\n"
    "  bobbin profile --pid $(pgrep -n simulate) --seconds 10\n"
    "  bobbin profile recordings\n"
    "  bobbin profile --json figures.json recordings\n\n"
    "Exit status: 0 done; 125 bobbin failed; with --pid also 1 Bobbin is not in use there, 127 no\n"
    "such process.";

inline constexpr const char* kSystemFooter =
    "It writes /etc/ld.so.conf.d/00-bobbin.conf and calls ldconfig. Programs with a path of their\n"
    "own to a runtime, as wheels have it, are not affected: `bobbin run` is for these.\n\n"
    "Examples:\n"
    "  sudo bobbin system --enable\n"
    "  bobbin system --status\n"
    "  sudo bobbin system --disable\n\n"
    "Exit status: 0 done, or in effect; 1 not in effect; 125 bobbin failed, and changed nothing.";

}  // namespace bobbin::cli
