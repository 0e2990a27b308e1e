#!/usr/bin/env bash
# Times hl beside the tools that do the same work without anchors, in turn, and
# prints the median of the ratios of the pairs, each beside the project's target.
#
#   bench/compare.sh [RUNS]
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-15}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/hl" ./cmd/hl

find "$(go env GOROOT)/src" -name '*.go' -type f -print0 | sort -z | xargs -0 cat >"$dir/all.txt"
cat "$dir/all.txt" "$dir/all.txt" >"$dir/twice.txt" # the sources alone may have less
head -c 104857600 "$dir/twice.txt" >"$dir/big.txt"
sed -n 1000,1199p "$dir/big.txt" >"$dir/small.txt"
lines=$(wc -l <"$dir/big.txt")
tail=$((lines - 49))
middle=$((lines / 2))
cd "$dir"
anchor() { ./hl read --lines "$2" "$1" | sed -n '2s/→.*//p'; }
request() { printf '[{"op": "replace", "anchor": "%s", "content": "x"}]' "$(anchor "$1" "$2")"; }
request big.txt "$middle" >big.json

seconds() {
	local start=$EPOCHREALTIME
	eval "$1" >/dev/null 2>&1
	awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f\n", b - a }'
}

# pair NAME TARGET OURS THEIRS: runs both in turn, restoring the files before each.
pair() {
	: >ours.times; : >theirs.times
	for ((i = 0; i <= runs; i++)); do
		${5:-true}
		a=$(seconds "$3")
		${5:-true}
		b=$(seconds "$4")
		((i == 0)) && continue # the first warms the caches
		echo "$a" >>ours.times; echo "$b" >>theirs.times
	done
	paste ours.times theirs.times | awk '{ print $1 / $2 }' | sort -n >ratios
	awk -v name="$1" -v target="$2" -v n="$runs" '
		NR == int((n + 1) / 2) { median = $1 }
		END { printf "%-42s %6.2fx%s\n", name, median, target == "" ? "" : "   target under " target }' ratios
}

restore_small() { cp small.txt s.txt; cp small.txt t.txt; }
restore_big() { cp big.txt s.txt; cp big.txt t.txt; }
restore_small
pair "read 200 lines / cat -n" 2.5x "./hl read small.txt" "cat -n small.txt"
restore_small; request s.txt 100 >small.json
pair "edit 200 lines / sed -i, no fsync" 2.5x "HL_FSYNC=off ./hl edit s.txt <small.json" "sed -i '100s/.*/x/' t.txt" restore_small
pair "read 100 MB / cat -n" 1.3x "./hl read --lines all big.txt" "cat -n big.txt"
pair "last 50 lines of 100 MB / wc -l" 1.5x "./hl read --lines $tail- big.txt" "wc -l big.txt"
runs=$(((runs + 2) / 3))
pair "edit 100 MB / sed -i, no fsync" 1x "HL_FSYNC=off ./hl edit s.txt <big.json" "sed -i '${middle}s/.*/x/' t.txt" restore_big
pair "edit 100 MB / sed -i" 1.5x "./hl edit s.txt <big.json" "sed -i '${middle}s/.*/x/' t.txt" restore_big

# A thousand files of 10 kB, one line of each: in one request, and file by file.
mkdir thousand
for i in {1..1000}; do head -c 10240 big.txt >"thousand/$i"; done
at=$(anchor thousand/1 100)
printf '[{"op": "replace", "anchor": "%s", "content": "x"}]' "$at" >one.json
{
	printf '{"files": ['
	for i in {1..1000}; do printf '%s{"path": "%s", "edits": %s}' "$( ((i > 1)) && echo , )" "$i" "$(<one.json)"; done
	printf ']}'
} >thousand.json
restore_thousand() { rm -rf many others; cp -r thousand many; mkdir others; }
request="./hl edit --concise --root many <thousand.json"
by_cp='for i in {1..1000}; do cp many/$i others/$i; done'
by_hl='for i in {1..1000}; do ./hl edit --concise many/$i <one.json; done'
pair "1,000 files, no fsync / cp of each" "" "HL_FSYNC=off $request" "$by_cp" restore_thousand
pair "1,000 files, no fsync / hl edit of each" "" "HL_FSYNC=off $request" "export HL_FSYNC=off; $by_hl; unset HL_FSYNC" restore_thousand
pair "1,000 files / cp of each" "" "$request" "$by_cp" restore_thousand
pair "1,000 files / hl edit of each" "" "$request" "$by_hl" restore_thousand
