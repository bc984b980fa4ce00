#!/bin/sh
# The HTTP API of `multicube serve`, with curl alone.
#
# Run: sh examples/serve.sh KB      (needs curl; MULTICUBE names the command where it is not on the PATH)
set -eu

kb=${1:?"say which knowledge base: sh examples/serve.sh KB"}
question="Where was the director of the film The Salt Lantern born?"
log=$(mktemp)

"${MULTICUBE:-multicube}" serve --kb "$kb" --port 0 2>"$log" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT

url=
until url=$(sed -n 's/^serving on \(http[^ ]*\).*/\1/p' "$log") && [ -n "$url" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 1; }
    sleep 0.1
done

ask="{\"question\": \"$question\"}"
json="Content-Type: application/json"

echo "# is it there?"
curl -sS --fail --retry 5 --retry-connrefused "$url/health"; echo

echo "# ask, and get the whole run as JSON"
curl -sS --fail -H "$json" -d "$ask" "$url/ask"; echo

echo "# ask, and follow the hops as server-sent events"
curl -sS --fail -N -H "$json" -H "Accept: text/event-stream" -d "$ask" "$url/ask"

echo "# the runs so far"
curl -sS --fail "$url/runs?limit=2"; echo

echo "# as OpenAI's clients ask"
curl -sS --fail -H "$json" \
    -d "{\"model\": \"multicube\", \"messages\": [{\"role\": \"user\", \"content\": \"$question\"}]}" \
    "$url/v1/chat/completions"; echo
