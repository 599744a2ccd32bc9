"""A peer in Python. For each line on standard input it reads the events once more, and prints how many
seconds that took and how many events it refused.

    python peers.py loads|pydantic|validate EVENTS      EVENTS: a file with a JSON list of the events' texts
"""

import json
import sys
import time
from pathlib import Path


def loads():
    """The parser of the standard library."""
    return lambda texts: sum(json.loads(text) is None for text in texts)


def pydantic():
    """The models of ag-ui-protocol."""
    from ag_ui.core import Event
    from pydantic import TypeAdapter, ValidationError

    event = TypeAdapter(Event)

    def is_refused(text):
        try:
            event.validate_json(text)
        except ValidationError:
            return True
        return False

    return lambda texts: sum(map(is_refused, texts))


def validate():
    """The rules of ag-ui-validate, the order of the stream included."""
    from ag_ui_validate import Validator

    def refused(texts):
        validator = Validator()
        count = sum(any(found.severity == "error" for found in validator.feed(text)) for text in texts)
        validator.finalize()
        return count

    return refused


def main():
    name, path = sys.argv[1:]
    try:
        refused = {"loads": loads, "pydantic": pydantic, "validate": validate}[name]()
    except ImportError as error:
        print(error, flush=True)
        sys.exit(1)
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    for _ in sys.stdin:
        start = time.perf_counter()
        count = refused(texts)
        print(time.perf_counter() - start, count, flush=True)


main()
