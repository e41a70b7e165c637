#!/usr/bin/env bash
# Writes a page: page.sh REQUEST.json OUT.png|OUT.pdf, with the key in LONGHAND_KEY. Needs curl; OUT.pdf wants
# "output_format": "pdf" in the request.
set -euo pipefail

readonly SERVICE=${LONGHAND_URL:-http://127.0.0.1:8080}
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

# curl waits and tries again where the service asks for patience (Retry-After).
status=$(curl -sS --retry 4 -o "$answer" -w '%{http_code}' "$SERVICE/api/v1/generate" \
    -H "Authorization: Bearer $LONGHAND_KEY" -H 'Content-Type: application/json' --data-binary "@$1")
if [[ $status != 200 ]]; then
    cat "$answer" >&2
    exit 1
fi
case $2 in
*.pdf) cp "$answer" "$2" ;;
*) sed 's/.*"image_base64":"\([^"]*\)".*/\1/' "$answer" | base64 -d >"$2" ;;
esac
