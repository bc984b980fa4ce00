"""Settings from the environment: every variable is named MULTICUBE_ and the field's name in capitals."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from ...cubes.core.errors import UsageError

__all__ = ["Settings", "load_settings"]


class Settings(BaseSettings):
    """What the environment says. An explicit argument or command line option wins over it.

    ``kb`` is the default knowledge base; ``engine`` insists on one of the three; ``model`` is the language model that
    thinks (None: the embedded engine does), ``read_model`` and ``extract_model`` others for reading and extraction,
    ``api_key`` the key of their endpoint, ``prompts`` a folder of prompts that replace the package's, or "short" or
    "papers", ``prices`` a table of prices; ``encoder`` the model that embeds (None: the packaged one);
    ``chroma_url`` a Chroma server to use in place of embedded Chroma; ``database_url`` a PostgreSQL database to use in
    place of the catalog's and the runs' files; ``columns`` whether labels are read from a cache
    in front of Chroma; ``cache_dir`` where converted models are kept between runs; ``keywords`` is a file of critical
    keywords; ``format_with_model`` and ``describe_figures`` let the model of an ingest format documents
    and describe their figures; ``token`` is what `multicube serve` demands of every request;
    ``hints`` lets `ask` mention a model that it finds on this machine; ``debug`` shows tracebacks.
    """

    model_config = SettingsConfigDict(env_prefix="MULTICUBE_", extra="forbid", frozen=True)

    kb: Path | None = None
    encoder: str | None = None
    engine: Literal["embedded", "llm", "both"] | None = None
    model: str | None = None
    read_model: str | None = None
    extract_model: str | None = None
    api_key: SecretStr | None = None
    prompts: Path | None = None
    prices: Path | None = None
    chroma_url: str | None = None
    database_url: SecretStr | None = None
    columns: bool = True
    cache_dir: Path = Field(default_factory=lambda: user_cache_path("multicube"))
    format_with_model: bool = False
    describe_figures: bool = False
    keywords: Path | None = None
    token: SecretStr | None = None
    hints: bool = True
    debug: bool = False


def load_settings() -> Settings:
    """Read the environment; raises UsageError naming the first variable whose value does not fit."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = f"MULTICUBE_{str(first['loc'][0]).upper()}" if first["loc"] else "a MULTICUBE_ variable"
        raise UsageError(f"The environment variable {name} is not valid: {first['msg']}.") from error
