#!/bin/sh
# The HTTP API by curl: ./curl.sh [URL], against `multicube serve --kb kb`. MULTICUBE_TOKEN is sent where it is set.
set -eu
url=${1:-http://127.0.0.1:8000}
call() { curl -fsS ${MULTICUBE_TOKEN:+-H "Authorization: Bearer $MULTICUBE_TOKEN"} "$@"; echo; }

echo "What is served:"
call "$url/health"

echo "A question, its run as JSON:"
call "$url/ask" --json '{"question": "Where was the director of the film The Salt Lantern born?"}'

echo "The same, hop by hop as it happens:"
call -N "$url/ask" -H 'Accept: text/event-stream' \
    --json '{"question": "Where was the director of the film The Salt Lantern born?"}'

echo "What if the first hop had said Imre Saldane?"
call "$url/runs/latest/fork" --json '{"hop": 1, "answer": "Imre Saldane"}'

echo "Which runs there are:"
call "$url/runs?limit=3"
