"""A session with `multicube mcp`: a client starts the server, asks, follows the hops, and reads what is cited.

Run: ``python examples/mcp_client.py [KB]``; without a knowledge base it builds one from the bundled sample.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import multicube
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from multicube import MultiCube

SAMPLE = Path(multicube.__file__).parent / "evals" / "sample" / "corpus.jsonl"
QUESTION = "Where was the director of the film The Salt Lantern born?"
MULTICUBE = str(Path(sys.executable).with_name("multicube"))  # the command, as installed beside this interpreter


async def session(kb: Path, question: str = QUESTION) -> dict[str, Any]:
    """Ask one question over the protocol and return the structured answer."""
    # Without ``env`` a server is started with little more than the PATH, so without MULTICUBE_MODEL and keys.
    server = StdioServerParameters(command=MULTICUBE, args=["mcp", "--kb", str(kb)], env=dict(os.environ))

    async def progress(_: float, __: float | None, message: str | None) -> None:
        print("  ", message)

    async with Client(stdio_client(server)) as client:
        print("tools:", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        reply = await client.call_tool("ask", {"question": question}, progress_callback=progress)
        if reply.is_error:
            print(*(part.text for part in reply.content), sep="\n")
            return {}
        answer: dict[str, Any] = reply.structured_content
        print(question, "->", answer["answer"])
        for cited in answer["citations"]:
            section = (await client.read_resource(cited["uri"])).contents[0]
            print(f"[{cited['number']}] {cited['sentence']}\n    in {cited['uri']}, {len(section.text)} characters")
        return answer


def main(kb: Path, question: str = QUESTION) -> dict[str, Any]:
    """Run the session."""
    return asyncio.run(session(kb, question))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            MultiCube.build([SAMPLE], Path(folder) / "kb").close()
            main(Path(folder) / "kb")
