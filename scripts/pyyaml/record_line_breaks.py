"""Records what PyYAML's safe_load makes of U+0085, U+2028 and U+2029, and of a file without a last line break.

    python3 scripts/pyyaml/record_line_breaks.py > test/fixtures/pyyaml-line-breaks.json

Needs PyYAML (6.0.3 recorded the fixture).
"""

import json
import platform

import yaml

# B stands for the line break, C for another one of the three.
TEXTS = {
    "plain": ["a: xBb: y\n", "a: xB  y\n", "a: x  B  y\n", "a: xBB  y\n", "a: xB\n  y\n", "a: x\nB  y\n", "a: xBy\n",
              "a: xBC  y\n", "a: x yB  z: 1\n", "a: 1B\n", "a: noB\n", "a: 12:30Bb: 010B", "a: \r\u0085  y\n"],
    "double": ['a: "xBy"\n', 'a: "x  B  y"\n', 'a: "xBBy"\n', 'a: "x\nB y"\n', 'a: "xBCy"\n',
               'a: "x\\B  y"\n', 'a: "x\\BB  y"\n', 'a: "x\\ B y"\n', 'a: "B x"\n', 'a: "x B"\n', 'a: "it\'s \\"B\\" x"\n',
               'a: "x # yBz"\n', 'a: "xB--- y"\n', 'a: "xB---y"\n', 'a: "\\u2028\\u2029\\N\\L\\P"\n', '- "xBy"\n- "z"\n'],
    "single": ["a: 'xBy'\n", "a: 'x ''B'' y'\n", "a: 'xBBy'\n", "a: 'x \\B y'\n"],
    "literal": ["a: |\n  xB  y\n", "a: |\n  xBy\n", "a: |B  x\n", "a: |-\n  xB", "a: |+\n  xBB", "a: |\n  xBB  y\n",
                "a: |\n  xBb: 1\n", "a: |\nB  x\n", "a: |2\n    xB    y\n"],
    "folded": ["a: >\n  xB  y\n", "a: >\n  x\n  yB  z\n", "a: >\n  xB   y\n", "a: >-\n  xBB", "a: >+\n  xBC"],
    "comment": ["a: 1 # cBb: 2\n", "# cBa: 1\n", "a: 1 # cB# d\nb: 2\n", "a: 1 # c \"Bb: \"x\"\n", "a: [1, # cB  2]\n"],
    "key": ["kBey: 1\n", '"kBey": 1\n', "? kB  ey\n: 1\n", '? "kBey"\n: 1\n', "aB: 1\n", "a:B  b: 1B  c: 2\n", '{"kBey": 1}\n'],
    "flow": ["a: [x,By]\n", "a: [xBy]\n", "a: {x: 1,By: 2}\n", 'a: ["x",B"y"]\n', "a: [x]Bb: {y: 1}B"],
    "structure": ["- 1B- 2B", "a:B- 1B- 2B", "---Ba: 1B", "a: 1B---Bb: 2B", "a: 1B...B", "a: &x 1Bb: *xB", "a: !!str 1Bb: 2B"],
    "testhaven": ['steps:\n- input: "helloBworld"\n  assert: {output.includes: "aBb"}\n',
                  "input: hi # a noteBassert:B  output.includes: xB",
                  "input: hi\nassert:\n  output.equals: |\n    oneB    two\n"],
    # PyYAML reads these; here a line in quotes or brackets must be indented, so that a missing quote is found.
    "unindented": ['a: "xB\ny"\n', "a: [x, # cBy]\n"],
    "end": ["a: |\n  x", "a: |+\n  x", "a: |-\n  x", "a: >\n  x\n  y", "a: |\n  x\n\n", "a: |\n  x\n   ", "a: |\n  x\n  y", "a: x", "- |\n x"],
}
BREAKS = ["\u0085", "\u2028", "\u2029"]


def record(category, text):
    try:
        value = yaml.safe_load(text)
        recommend = "refuse" if category == "unindented" else "value"
        return {"cat": category, "text": text, "pyyaml": value, "ok": True, "recommend": recommend}
    except yaml.YAMLError:
        return {"cat": category, "text": text, "ok": False, "recommend": "refuse"}


def main():
    texts = {}
    for category, shapes in TEXTS.items():
        for shape in shapes:
            for index, line_break in enumerate(BREAKS):
                text = shape.replace("B", line_break).replace("C", BREAKS[(index + 1) % 3])
                texts.setdefault(text, category)
    meta = {"pyyaml": yaml.__version__, "python": platform.python_version(), "fn": "yaml.safe_load(text)"}
    rows = ",\n".join(json.dumps(record(category, text)) for text, category in texts.items())
    print(f'{{"meta": {json.dumps(meta)},\n"vectors": [\n{rows}\n]}}')


if __name__ == "__main__":
    main()
