#!/usr/bin/env bash
# Makes the release of the last commit twice, each time from nothing, and compares the sums. Takes twice the time of a
# first build. The tools below build/tools are copied: they are pinned, and no part of what is released.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=$PWD/build/reproduce
rm -rf "$folder"
mkdir -p "$folder"
for run in 1 2; do
    git clone --quiet . "$folder/clone"
    mkdir -p "$folder/clone/build"
    if [ -d build/tools ]; then cp -a build/tools "$folder/clone/build/"; fi
    (cd "$folder/clone" && env -u CARGO_TARGET_DIR ./gradlew release --console=plain "$@")
    mv "$folder/clone/dist/SHA256SUMS" "$folder/run-$run"
    rm -rf "$folder/clone"
done
if diff "$folder/run-1" "$folder/run-2"; then
    echo "Both builds gave the same $(wc -l <"$folder/run-1") files."
else
    echo "The files above differ between two builds of one commit." >&2
    exit 1
fi
