#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes a library to link with in the place of libbobbin.so.1: it has the same soname, and only what
# translated programs use: functions, and the variable that inlined code reads. With libbobbin.so.1 itself every OpenMP program would take
# the entry points of libgomp from there, and would no longer start without Bobbin.
#   link_stub.sh NM COMPILER LIBRARY STUB
set -eu
names=$("$1" -D --defined-only "$3" | sed -n 's/.* T \(bobbin_omp_[a-z0-9_]*\)@@BOBBIN_1\.0$/\1/p')
test -n "$names"
mkdir -p "${4%/*}"
{
  for name in $names; do echo "void $name(void) {}"; done
  echo "__thread void *bobbin_self_v1;"
} >"$4.c"
echo "BOBBIN_1.0 { global: bobbin_omp_*; bobbin_self_v1; };" >"$4.map"
"$2" -shared -nostdlib -fno-lto -Wl,-soname,libbobbin.so.1 "-Wl,--version-script=$4.map" -o "$4" "$4.c"
rm "$4.c" "$4.map"
