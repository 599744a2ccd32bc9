"""Python: jsonschema on every schema, pydantic models of the closed ones, and the verdicts of both."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

ROOT = pathlib.Path(__file__).resolve().parent.parent
OUT = pathlib.Path(os.environ.get("FRONTENDS_OUT", ROOT / "target" / "frontends"))

# Null is no value of a member that may be absent, and text is no number.
OPTIONS = """
--input-file-type jsonschema --output-model-type pydantic_v2.BaseModel --target-python-version 3.11
--target-pydantic-version 2.14 --use-missing-sentinel --strict-types str int float bool
--formatters builtin --disable-timestamp
""".split()


def number(text):
    """A number as pydantic needs it: a strict integer takes 1, but not 1.0, which is an integer in JSON Schema."""
    return int(float(text)) if float(text).is_integer() else float(text)


def attempt(tool, subject, check):
    """Runs a check and notes how it went, as `attempt` in lib.mjs does."""
    try:
        state, note = "ok", check() or ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the result
        state, note = "fail", str(error).strip().splitlines()[0][:300]
        print(f"fail | {tool} | {subject} | {note}")
    row = {"tool": tool, "subject": subject, "state": state, "note": note}
    with (OUT / "results.jsonl").open("a") as results:
        results.write(json.dumps(row) + "\n")


def agree(values, name, is_valid):
    """Compares what `is_valid` says of every value with what is known."""
    own = [value for value in values if name in value["verdicts"]]
    wrong = [value for value in own if is_valid(value["text"]) != value["verdicts"][name]["valid"]]
    if wrong:
        right = "valid" if wrong[0]["verdicts"][name]["valid"] else "invalid"
        raise AssertionError(f"{len(wrong)} of {len(own)} verdicts differ, first {wrong[0]['from']}: {right} is right")
    return f"{len(own)} values"


def jsonschema(values, name, schema):
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    return agree(values, name, lambda text: validator.is_valid(json.loads(text)))


def by_type(values, name, schema):
    """An event without a member has one error when it is held against the definition of its type."""
    registry = Registry().with_resource(schema["$id"], Resource.from_contents(schema))
    right = [json.loads(value["text"]) for value in values if value["verdicts"].get(name, {}).get("valid")]
    union = schema.get("oneOf") or next(part["oneOf"] for part in schema["allOf"] if "oneOf" in part)
    for branch in union:
        validator = Draft202012Validator({"$ref": schema["$id"] + branch["$ref"]}, registry=registry)
        event = next(event for event in right if validator.is_valid(event))
        definition = schema["$defs"][branch["$ref"].removeprefix("#/$defs/")]
        for member in definition.get("required", []):
            lacking = {key: value for key, value in event.items() if key != member}
            errors = [error.message for error in validator.iter_errors(lacking)]
            assert errors == [f"{member!r} is a required property"], f"{branch['$ref']} without {member}: {errors}"


def pydantic(values, name, path, title):
    folder = OUT / "pydantic"
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / (name.translate(str.maketrans("/-.", "___")) + ".py")
    command = [sys.executable, "-m", "datamodel_code_generator", "--input", path, "--output", output, *OPTIONS]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr.strip().splitlines()[-1])
    spec = importlib.util.spec_from_file_location(output.stem, output)
    module = importlib.util.module_from_spec(spec)
    sys.modules[output.stem] = module
    spec.loader.exec_module(module)
    model = getattr(module, title)

    def is_valid(text):
        try:
            model.model_validate(json.loads(text, parse_float=number))
        except ValueError:
            return False
        return True

    return agree(values, name, is_valid)


def main():
    values = json.loads((OUT / "values.json").read_text())
    for path in sorted((ROOT / "schemas").rglob("*.schema.json")):
        name = str(path.relative_to(ROOT / "schemas")).removesuffix(".schema.json")
        schema = json.loads(path.read_text())
        attempt("jsonschema", name, lambda: jsonschema(values, name, schema))
        if path.name.startswith(("known-event", "tool-event")):
            attempt("jsonschema by type", name, lambda: by_type(values, name, schema))
            attempt("pydantic", name, lambda: pydantic(values, name, path, schema["title"]))


main()
