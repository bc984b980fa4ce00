"""What the tests of reports share: evaluations made by hand."""

from functools import partial
from pathlib import Path

import pytest
from evaluated import Make, evaluated


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """Write the folder of an evaluation and return it."""
    return partial(evaluated, tmp_path)
