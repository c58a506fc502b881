"""The fields of JSON Lines are those that configs/output.md lists.

  json_fields.py PAGE SEEN SECTION    reads lines from standard input: each is one object, in strict JSON, with the fields of
                                      a table in that section ("nmt score --json"); adds the fields that it has seen to SEEN
  json_fields.py PAGE SEEN            every field of the page has been seen

A field whose column "when" is empty must be in every object.
"""
import json
import re
import sys

TYPES = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: value is None or isinstance(value, (int, float)) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}


def tables(page):
    """{section: [{field: (types, always)}]} of the sections about JSON."""
    found, section, lines = {}, None, open(page, encoding="utf-8").read().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("## "):
            section = line[3:] if line.endswith("--json") else None
        if section and line.startswith("| field |"):
            found.setdefault(section, []).append({})
            for row in lines[number + 2:]:
                if not row.startswith("|"):
                    break
                fields, types, when, what = (cell.strip() for cell in row.strip("|").split("|"))
                assert what, row
                for field in re.findall("`([^`]+)`", fields):
                    found[section][-1][field] = (types.split(" or "), not when)
    return found


def no_key_twice(pairs):
    keys = [key for key, _ in pairs]
    assert len(set(keys)) == len(keys), f"a key twice: {keys}"
    return dict(pairs)


def no_constant(name):
    raise ValueError(f"not JSON: {name}")


def walk(path, value):
    """(path, value) of all that an object has; value ... for a list that is empty."""
    if isinstance(value, list):
        for item in value:
            yield from walk(path + "[]", item)
        if not value:
            yield path + "[]", ...
        return
    yield path, value
    if isinstance(value, dict):
        for key, member in value.items():
            yield from walk(f"{path}.{key}" if path else key, member)


def faults(value, table):
    """What is wrong with an object, by one table."""
    found = list(walk("", value))[1:]
    for path, item in found:
        below = [field for field in table if field.startswith(path) and field != path]
        if path not in table and not (item is ... and below):
            yield f"a field that is not documented: {path}"
        elif path in table and item is not ... and not any(TYPES[kind](item) for kind in table[path][0]):
            yield f"{path} is {item!r}, not {table[path][0]}"
    objects = [("", value)] + [(path, item) for path, item in found if isinstance(item, dict)]
    for field, (_, always) in table.items():
        parent, _, key = field.rstrip("[]").rpartition(".")
        if always and any(path == parent and key not in item for path, item in objects):
            yield f"no field {field}"


def check(section, seen):
    data = sys.stdin.buffer.read()
    assert data.endswith(b"\n") and b"\r" not in data, data[-100:]
    for line in data.decode("utf-8").split("\n")[:-1]:
        value = json.loads(line, object_pairs_hook=no_key_twice, parse_constant=no_constant)
        assert isinstance(value, dict), line
        wrong = [list(faults(value, table)) for table in section]
        assert [] in wrong, f"{wrong}\n{line}"
        seen.update(path for path, item in walk("", value))


def main():
    page, seen_path, *name = sys.argv[1:]
    sections = tables(page)
    try:
        with open(seen_path, encoding="utf-8") as f:
            seen = set(map(str.strip, f))
    except FileNotFoundError:
        seen = set()
    if name:
        own = set()
        check(sections[name[0]], own)
        with open(seen_path, "w", encoding="utf-8") as f:
            f.writelines(sorted(f"{line}\n" for line in seen | {f"{name[0]}: {path}" for path in own}))
        return
    unseen = {f"{section}: {field}" for section, some in sections.items() for table in some for field in table} - seen
    assert not unseen, f"documented but never printed: {sorted(unseen)}"
    assert len(sections) == 6


main()
