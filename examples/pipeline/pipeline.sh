#!/usr/bin/env bash
# The three jobs of the pipeline. Both workflow files call this, and so can you.
set -euo pipefail

case "${1:-}" in
  preview)
    pulumi preview --diff
    ;;
  deploy)
    pulumi up --yes --diff
    ;;
  drift)
    # Ends with 7 if something has drifted. GitHub shows the table in the summary of the run.
    npx browser-infra drift --markdown | tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
    ;;
  *)
    echo "Usage: pipeline.sh preview|deploy|drift" >&2
    exit 2
    ;;
esac
