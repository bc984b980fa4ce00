"""Requests made up from the OpenAPI document never meet a fault of the server's own."""

from __future__ import annotations

import json

import schemathesis
from apiserver import Running
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error

EXAMPLES = 8


def test_the_document_describes_every_route_and_its_refusals(shared: Running) -> None:
    document = shared.client.get("/openapi.json").json()
    wanted = {
        "/ask", "/runs", "/runs/{run_id}", "/runs/{run_id}/export", "/runs/{run_id}/fork", "/runs/{run_id}/resume",
        "/cubes", "/cubes/{cube}/dimensions/{dimension}", "/cubes/{cube}/cells", "/cubes/{cube}/rollup", "/documents",
        "/documents/{document_id}", "/documents/sample", "/jobs", "/jobs/{job_id}", "/sections/{section_id}",
        "/figures/{figure_id}", "/graph", "/health", "/ready",
        "/v1/models", "/v1/models/{model}", "/v1/chat/completions",
    }  # fmt: skip
    assert set(document["paths"]) == wanted
    for path in document["paths"].values():
        for operation in path.values():
            assert operation["description"]
            assert "4XX" in operation["responses"]
    assert "http" not in json.dumps(document).replace("HTTP", "")


def test_nothing_made_up_from_the_document_meets_a_server_error(own: Running) -> None:
    schema = schemathesis.openapi.from_url(f"{own.url}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 24
    for operation in operations:

        @seed(20_261_121)
        @settings(
            max_examples=EXAMPLES, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=operation.as_strategy())
        def refused_or_answered(case: schemathesis.Case) -> None:
            case.call_and_validate(checks=[not_a_server_error], timeout=60)

        refused_or_answered()


@seed(20_261_121)
@settings(max_examples=40, deadline=None, database=None, phases=[Phase.generate],
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(name=st.text(max_size=30), path=st.sampled_from(["runs", "documents", "sections", "figures", "jobs", "cubes"]))
def test_no_name_in_a_path_meets_a_server_error(shared: Running, name: str, path: str) -> None:
    from urllib.parse import quote

    reply = shared.client.get(f"/{path}/{quote(name.encode('utf-8', 'surrogatepass'), safe='')}")
    assert reply.status_code < 500
