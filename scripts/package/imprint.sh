#!/bin/sh
# Runs Imprint with this package's Node, or with that on the PATH. Uses exec, so that signals reach Node itself.
set -eu
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
bin=$(CDPATH='' cd -- "$(dirname -- "$self")" && pwd -P)
node=$bin/node
if [ ! -x "$node" ]; then
  node=$(command -v node) || {
    echo "Imprint needs Node.js, which is not on the PATH: install it, or use a package that was built --with-node." >&2
    exit 127
  }
fi
exec "$node" --min-semi-space-size=16 --max-semi-space-size=16 "$bin/imprint.mjs" "$@"
