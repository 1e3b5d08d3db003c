#!/bin/sh
# Solves a cube: ./solve.sh "R U F" [http://127.0.0.1:8080]. Needs curl and jq.
service=${2:-http://127.0.0.1:8080}
answer=$(curl -sS --max-time 30 -G "${service%/}/solve" --data-urlencode "cube=$1") || exit 1
# An answer has a solution. A problem document has a code and a sentence.
printf '%s' "$answer" | jq -er '.solution | strings' 2>/dev/null && exit
problem=$(printf '%s' "$answer" | jq -er '"\(.code | strings): \(.detail)"' 2>/dev/null) ||
  problem="$service does not answer as superflip does; check the address"
echo "$problem" >&2
exit 1
