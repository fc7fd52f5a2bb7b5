#!/usr/bin/env bash
# The three jobs of the pipeline. Both workflow files call this, and so can you.
set -euo pipefail

# So that a cache of it also says that nothing is left to do.
mkdir -p "${BROWSER_INFRA_JOURNAL_DIR:-.browser-infra}"

case "${1:-}" in
  preview)
    pulumi preview --diff
    ;;
  deploy)
    pulumi up --yes --diff
    ;;
  drift)
    code=0
    pulumi preview --refresh --run-program --diff --expect-no-changes || code=$?
    if [ "$code" = 7 ]; then
      echo "Drift: the service is not what the program declares. \"pulumi up --refresh --run-program\" repairs it." >&2
    elif [ "$code" != 0 ]; then
      echo "The drift check failed, so it says nothing about drift." >&2
    fi
    exit "$code"
    ;;
  *)
    echo "Usage: pipeline.sh preview|deploy|drift" >&2
    exit 2
    ;;
esac
