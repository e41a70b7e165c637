#!/usr/bin/env bash
# Moves the debug information of a program into a file beside it: split_debug.sh PROGRAM [PREFIX] writes PROGRAM.debug.
# PREFIX is that of the binutils of the program's machine, such as aarch64-linux-gnu-.
#
# Stack traces keep their lines as long as both files are in one folder. The program shrinks to about a third.
set -euo pipefail

program=$1
prefix=${2:-}
if "${prefix}objdump" --section-headers "$program" | grep -q '\.debug_line'; then
    "${prefix}objcopy" --only-keep-debug --compress-debug-sections=zlib "$program" "$program.debug"
    # The link is the name of the file alone.
    "${prefix}objcopy" --strip-all --add-gnu-debuglink="$program.debug" "$program"
fi
