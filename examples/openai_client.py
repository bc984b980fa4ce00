"""Ask a knowledge base as if it were a model of OpenAI's: python openai_client.py [URL], against `multicube serve`."""

from __future__ import annotations

import os
import sys

from openai import OpenAI

QUESTIONS = ("Who directed The Salt Lantern?", "Where was he born?")


def main(url: str = "http://127.0.0.1:8000") -> None:
    """Ask a question and a follow-up; hops are shown while they are found."""
    messages: list = []
    with OpenAI(base_url=f"{url}/v1", api_key=os.environ.get("MULTICUBE_TOKEN", "none needed")) as client:
        for question in QUESTIONS:
            print(f"> {question}")
            messages.append({"role": "user", "content": question})
            said = ""
            for chunk in client.chat.completions.create(model="multicube", messages=messages, stream=True):
                delta = chunk.choices[0].delta
                print(getattr(delta, "reasoning_content", "") or delta.content or "", end="", flush=True)
                said += delta.content or ""
            messages.append({"role": "assistant", "content": said})
            print("\n")


if __name__ == "__main__":
    main(*sys.argv[1:2])
