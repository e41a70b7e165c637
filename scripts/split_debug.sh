#!/usr/bin/env bash
# Moves the debug information of a program into a file beside it: split_debug.sh PROGRAM writes PROGRAM.debug.
#
# Stack traces keep their lines as long as both files are in one folder. The program shrinks to about a third.
set -euo pipefail

program=$1
if objdump --section-headers "$program" | grep -q '\.debug_line'; then
    objcopy --only-keep-debug --compress-debug-sections=zlib "$program" "$program.debug"
    objcopy --strip-all --add-gnu-debuglink="$program.debug" "$program"
fi
