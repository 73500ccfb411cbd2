"""A consumer of JUnit XML that believes nothing: it counts for itself, and prints what it read as JSON."""

import json
import sys
import xml.etree.ElementTree as ElementTree

OUTCOMES = {"failure": "failures", "error": "errors", "skipped": "skipped"}


def read(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == "testsuites", root.tag
    suites = [read_suite(suite) for suite in root]
    for name in ("tests", "failures", "errors", "skipped"):
        total = sum(int(suite["counts"][name]) for suite in suites)
        assert int(root.get(name)) == total, f"{name}: {root.get(name)} is said, {total} are there"
    return suites


def read_suite(suite):
    assert suite.tag == "testsuite", suite.tag
    cases = [read_case(case) for case in suite.findall("testcase")]
    counted = {"tests": len(cases), "failures": 0, "errors": 0, "skipped": 0}
    for case in cases:
        if case["outcome"] is not None:
            counted[OUTCOMES[case["outcome"]]] += 1
    for name, number in counted.items():
        assert int(suite.get(name)) == number, f"{suite.get('name')}: {name}"
    names = [case["name"] for case in cases]
    assert len(set(names)) == len(names), "two tests have one name"
    return {"name": suite.get("name"), "file": suite.get("file"), "counts": counted, "cases": cases}


def read_case(case):
    outcomes = [child for child in case if child.tag in OUTCOMES]
    assert len(outcomes) <= 1, "a test has one outcome"
    outcome = outcomes[0] if outcomes else None
    return {
        "name": case.attrib["name"],
        "classname": case.attrib["classname"],
        "file": case.get("file"),
        "line": None if case.get("line") is None else int(case.get("line")),
        "outcome": None if outcome is None else outcome.tag,
        "message": None if outcome is None else outcome.get("message"),
        "text": None if outcome is None else outcome.text,
        "properties": {item.get("name"): item.get("value") for item in case.iter("property")},
        "system_out": case.findtext("system-out"),
    }


json.dump(read(sys.argv[1]), sys.stdout)
