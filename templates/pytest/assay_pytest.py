"""Runs the suites of Assay as tests of pytest: each test of a `*.test.yaml` or `*.eval.yaml` file is an item.

Written by `assay init --pytest`. All selected tests run in one run of Assay when the first of them is reached.

Settings in pytest.ini or pyproject.toml:
    assay_command   how to start Assay (default: the one in node_modules, else `npx --no-install assay`)
    assay_args      more arguments for `assay run`, for example `--agent agent.py`

The tags of a test are markers (`-m smoke`). Fixtures and hooks get the records of a test, as in `--reporter json`:
    assay_record    a fixture: the record that decides the item; None in other tests
    assay_records   a fixture: the records of all its targets and repeats
    pytest_assay_result(item, verdict, records)   a hook, called before the item passes or fails
"""

import json
import os
import re
import shlex
import subprocess
import tempfile
from collections import namedtuple

import pytest

SUITE = re.compile(r"\.(?:test|eval)\.(?:yaml|yml|json|jsonl)$", re.IGNORECASE)
# Markers of pytest itself: a tag with such a name must not skip a test or turn a failure green.
MEANINGFUL = {"filterwarnings", "parametrize", "skip", "skipif", "usefixtures", "xfail"}
Result = namedtuple("Result", ["verdict", "text", "place", "record", "records"])
LINE_END = re.compile(r"\r\n|\n|\r")


def pytest_addoption(parser):
    parser.addini("assay_command", "how to start Assay", default="")
    parser.addini("assay_args", "more arguments for `assay run`", default="")


def pytest_addhooks(pluginmanager):
    pluginmanager.add_hookspecs(Hooks)


class Hooks:
    def pytest_assay_result(self, item, verdict, records):
        """Called with the records of an item before it passes or fails."""


def pytest_configure(config):
    config.pluginmanager.register(Assay(config), "assay_run")


@pytest.fixture
def assay_record(request):
    result = result_of(request.node)
    return result and result.record


@pytest.fixture
def assay_records(request):
    result = result_of(request.node)
    return result.records if result else []


def result_of(item):
    return item.result() if isinstance(item, SuiteItem) else None


def pytest_collect_file(file_path, parent):
    if SUITE.search(file_path.name):
        return SuiteFile.from_parent(parent, path=file_path)
    return None


class SuiteFile(pytest.File):
    def collect(self):
        listing = self.config.pluginmanager.get_plugin("assay_run").list(self.path)
        errors = [finding for finding in listing["findings"] if finding["severity"] == "error"]
        if errors:
            raise self.CollectError("\n".join(map(finding_text, errors)))
        if not listing["tests"]:
            raise self.CollectError("%s has no tests" % self.path)
        yield from nodes_of(self, [(id_parts(test["test"]), test) for test in listing["tests"]])


def id_parts(name):
    """As pytest splits the id of a node: `a::b` is `b` in `a`, and what follows a bracket is not split."""
    base, bracket, rest = name.partition("[")
    *groups, last = base.split("::")
    return groups + [last + bracket + rest]


def nodes_of(parent, named):
    """An item for each test, and one group for all names that begin with the same part."""
    groups = {}
    for parts, test in named:
        if len(parts) > 1:
            groups.setdefault(parts[0], []).append((parts[1:], test))
    for (name, *rest), test in named:
        if not rest:
            yield SuiteItem.from_parent(parent, name=name, test=test)
        elif name in groups:
            yield SuiteGroup.from_parent(parent, name=name, named=groups.pop(name))


class SuiteGroup(pytest.Collector):
    """Names with `::` that begin alike."""

    def __init__(self, *, named, **kwargs):
        super().__init__(**kwargs)
        self.named = named

    def collect(self):
        yield from nodes_of(self, self.named)


class SuiteItem(pytest.Item):
    def __init__(self, *, test, **kwargs):
        super().__init__(**kwargs)
        self.test = test["test"]
        self.line = test["line"]
        # Fixtures may ask for it: there is no function.
        self.obj = None
        for tag in test.get("tags", []):
            self.add_tag(tag)

    def add_tag(self, tag):
        name = re.sub(r"[^\w.+/-]", "_", tag).lstrip("_")
        if not name or name in MEANINGFUL:
            return
        # Registered, so that it is no unknown marker, also with --strict-markers.
        self.config.addinivalue_line("markers", "%s: a tag of Assay's tests" % name)
        self.add_marker(getattr(pytest.mark, name))

    def setup(self):
        # As pytest's doctests do: the fixtures with autouse.
        self.funcargs = {}
        self._fixtureinfo = self.session._fixturemanager.getfixtureinfo(node=self, func=lambda: None, cls=None)
        self.fixturenames = self._fixtureinfo.names_closure
        fixtures = pytest.FixtureRequest.__subclasses__()
        request = next((one for one in fixtures if one.__name__ == "TopRequest"), pytest.FixtureRequest)
        request(self, _ispytest=True)._fillfixtures()

    def result(self):
        if hasattr(self.config, "workerinput"):
            raise SuiteFailure("Assay runs tests in parallel itself: run pytest without -n for its suites", self.place())
        return self.config.pluginmanager.get_plugin("assay_run").result(self)

    def runtest(self):
        result = self.result()
        for record in result.records if result else []:
            printed = printed_text(record, len(result.records) > 1)
            if printed:
                self.add_report_section("call", "stdout", printed)
        if result:
            self.ihook.pytest_assay_result(item=self, verdict=result.verdict, records=result.records)
        self.config.pluginmanager.get_plugin("assay_run").check(self, result)

    def place(self):
        return "%s:%d" % (self.path, self.line)

    def reportinfo(self):
        return self.path, self.line - 1, self.test

    def repr_failure(self, excinfo, style=None):
        if isinstance(excinfo.value, SuiteFailure):
            return FailureText(excinfo.value)
        return super().repr_failure(excinfo)


class SuiteFailure(Exception):
    """A test that did not pass, with the place that editors open."""

    def __init__(self, message, place):
        super().__init__(message)
        self.message = message
        self.place = place


class FailureText:
    """What pytest shows of a failure."""

    class Crash:
        def __init__(self, message):
            self.message = message

    def __init__(self, failure):
        self.text = "%s\n%s: AssayFailure" % (failure.message, failure.place)
        # The line of the short summary: what went wrong first.
        self.reprcrash = self.Crash(": ".join(LINE_END.split(failure.message)[:2]))

    def toterminal(self, writer):
        for line in LINE_END.split(self.text):
            writer.line(line, red=line.startswith("  - "), green=line.startswith("  + "))

    def __str__(self):
        return self.text


class Assay:
    """The command, what it listed, and the results of the one run."""

    def __init__(self, config):
        self.config = config
        # Where `assay run` would be started.
        self.root = str(config.invocation_params.dir)
        self.listed = None
        self.results = None
        self.stop = None
        self.exit_code = 0
        self.problems = []

    # Collecting

    def list(self, path):
        if self.listed is None:
            arguments = [argument.split("::")[0] for argument in self.config.args] or [self.root]
            self.listed = self._list(sorted({os.path.abspath(argument) for argument in arguments}))
        found = self._of_file(self.listed, path)
        # A file that the arguments do not lead to, or a problem of others: asked for alone.
        if found["tests"] or found["findings"]:
            return found
        return self._list([str(path)])

    def _list(self, paths):
        done = self._start(["run", "--list", "--reporter", "json", "--trust-config"], paths)
        try:
            listing = json.loads(done.stdout)
        except ValueError:
            raise pytest.Collector.CollectError(done.stderr.strip() or "assay ended with exit code %s" % done.returncode)
        hidden = ((listing.get("selection") or {}).get("left_out") or {}).get("only", 0)
        if hidden:
            raise pytest.Collector.CollectError(
                "`only` in a suite hides %d of its tests: remove it, and select tests with pytest -k" % hidden
            )
        return listing

    def _of_file(self, listing, path):
        def own(entries):
            return [entry for entry in entries if self._absolute(entry["file"]) == str(path)]

        return {name: own(listing[name]) for name in ("tests", "findings")}

    # Running

    def result(self, item):
        """None if the run has none. The first item that is asked starts the run."""
        if self.results is None and self.stop is None:
            self._run([one for one in item.session.items if isinstance(one, SuiteItem)])
        if self.stop is not None:
            raise SuiteFailure(self.stop, item.place())
        return self.results.get((str(item.path), item.test))

    def check(self, item, result):
        if result is None and item.config.getoption("maxfail") == 1 and self.exit_code != 0:
            pytest.skip("not started: Assay stops at the first failure, too (-x)")
        if result is None:
            raise SuiteFailure("\n".join(["the run has no result of this test"] + self.problems), item.place())
        if result.verdict == "skipped":
            pytest.skip(result.text)
        if result.verdict != "passed":
            raise SuiteFailure(result.text, result.place)

    def _run(self, items):
        paths, names = select(items, self.listed_tests(items))
        handle, report = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            arguments = ["run", "--reporter", "json=" + report]
            if self.config.getoption("maxfail") == 1:
                arguments += ["--bail"]
            if names is not None:
                arguments += ["--grep=" + names]
            done = self._start(arguments, paths)
            with open(report, encoding="utf-8") as file:
                text = file.read()
            if not text:
                self.stop = done.stderr.strip() or "assay ended with exit code %s" % done.returncode
                return
            self._read(json.loads(text))
        finally:
            os.unlink(report)

    def listed_tests(self, items):
        """The lines of every test in the files of these items."""
        lines = {}
        for path in {str(item.path) for item in items}:
            lines[path] = [test["line"] for test in self.list(path)["tests"]]
        return lines

    def _read(self, report):
        self.exit_code = report["exit_code"]
        self.problems = [finding_text(one) for one in report["findings"] if one["severity"] == "error"]
        self.problems += [gate["message"] for gate in report["summary"]["gates"] if gate["outcome"] != "held"]
        for stopped in report["summary"].get("stopped_targets", []):
            self.problems.append("%s was not called any more: %s" % (stopped["target"], stopped["error"]["message"]))
        decided = {(one["file"], one["test"], one["target"]): one for one in report["tests"]}
        groups = {}
        for record in report["results"]:
            groups.setdefault((self._absolute(record["file"]), record["test"]), []).append(record)
        self.results = {key: self._result(records, decided) for key, records in groups.items()}

    def _result(self, records, decided):
        def verdict(record):
            test = decided.get((record["file"], record["test"], record["target"]))
            return test["verdict"] if test else record["verdict"]

        # A test of several targets fails if it fails for one of them.
        worst = min((verdict(record) for record in records), key=["failed", "error", "passed", "skipped"].index)
        if worst == "passed":
            passed = [one for one in records if one["verdict"] == "passed"]
            return Result(worst, "", "", (passed or records)[0], records)
        if worst == "skipped":
            return Result(worst, records[0].get("skip_reason", "skipped"), "", records[0], records)
        own = [record for record in records if verdict(record) == worst]
        bad = [record for record in own if record["verdict"] == "failed"] or [one for one in own if one["verdict"] == "error"]
        record = (bad or own)[0]
        test = decided.get((record["file"], record["test"], record["target"]))
        by = "[%s] " % record["target"] if len({one["target"] for one in records}) > 1 else ""
        text = printable(by) + failure_text(record, worst, test)
        return Result(worst, text, self._place(record), record, records)

    def _place(self, record):
        for assertion in assertions_of(record):
            if assertion.get("passed") is not True:
                return "%s:%d" % (self._absolute(assertion["file"]), assertion["line"])
        return "%s:%d" % (self._absolute(record["file"]), record["line"])

    # After the tests

    def pytest_sessionfinish(self, session, exitstatus):
        if self.results is not None and self.exit_code != 0 and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        if self.results is None or self.exit_code == 0:
            return
        if not self.problems and any(one.verdict in ("failed", "error") for one in self.results.values()):
            return
        terminalreporter.section("Assay ended with exit code %d" % self.exit_code)
        for problem in self.problems or ["`assay report` says why"]:
            terminalreporter.line(printable(problem))

    # The program

    def _start(self, arguments, paths):
        more = shlex.split(self.config.getini("assay_args"))
        relative = [self._relative(path) for path in paths]
        command = self._command() + arguments + more + ["--"] + relative
        # The run ends when its stdin does, so it does not outlive pytest, even if that is killed.
        environment = dict(os.environ, NO_COLOR="1", GITHUB_ACTIONS="", ASSAY_PARENT="stdin")
        its_end, our_end = os.pipe()
        try:
            child = subprocess.Popen(
                command,
                cwd=self.root,
                env=environment,
                stdin=its_end,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as error:
            os.close(our_end)
            raise pytest.UsageError("Assay cannot be started: %s; set assay_command in pytest.ini" % error)
        finally:
            os.close(its_end)
        try:
            child.stdout_text, child.stderr_text = child.communicate()
        except KeyboardInterrupt:
            # It got Ctrl-C too, and ends in order.
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
            raise
        finally:
            os.close(our_end)
        return subprocess.CompletedProcess(command, child.returncode, child.stdout_text, child.stderr_text)

    def _command(self):
        given = self.config.getini("assay_command") or os.environ.get("ASSAY_COMMAND", "")
        if given:
            return shlex.split(given)
        folder = self.root
        while True:
            program = os.path.join(folder, "node_modules", ".bin", "assay")
            if os.path.exists(program):
                return [program]
            if folder == os.path.dirname(folder):
                return ["npx", "--no-install", "assay"]
            folder = os.path.dirname(folder)

    def _absolute(self, file):
        return os.path.abspath(os.path.join(self.root, file))

    def _relative(self, path):
        plain, line = re.match(r"(.*?)((?::\d+)?)$", path, re.DOTALL).groups()
        return os.path.relpath(plain, self.root) + line


def select(items, lines):
    """The paths and the pattern that select exactly these tests; by name too where tests share a line."""
    paths, by_name = [], False
    for path in sorted({str(item.path) for item in items}):
        own = [item for item in items if str(item.path) == path]
        if len(own) == len(lines[path]):
            paths.append(path)
        elif len(set(lines[path])) == len(lines[path]):
            paths += ["%s:%d" % (path, item.line) for item in own]
        else:
            paths.append(path)
            by_name = True
    if not by_name:
        return paths, None
    names = "|".join(re.sub(r"[\\^$.*+?()\[\]{}|]", r"\\\g<0>", item.test) for item in items)
    return paths, "^(?:%s)$" % names


def finding_text(finding):
    hint = "\n  hint: " + finding["hint"] if finding.get("hint") else ""
    return "%(file)s:%(line)d: %(code)s: %(message)s" % finding + hint


def assertions_of(record):
    for step in record["steps"]:
        yield from step["assertions"]
    yield from record["assertions"]


def failure_text(record, verdict, test):
    error = record.get("error")
    kind = " (%s)" % error["kind"] if error else ""
    lines = ["failed" if verdict == "failed" else "could not be measured" + kind]
    if test is not None:
        gate = "; " + test["gate"]["message"] if test.get("gate") else ""
        lines[0] += ": passed %d of %d%s" % (test["passed"], test["passed"] + test["failed"], gate)
    for step in record["steps"]:
        lines += assertion_lines(step["assertions"])
        if step.get("error"):
            lines.append("%s:%d: %s error: %s" % (record["file"], step["line"], step["error"]["kind"], step["error"]["message"]))
    lines += assertion_lines(record["assertions"])
    if error and not any(error["message"] in line for line in lines):
        lines.append("%s error: %s" % (error["kind"], error["message"]))
    for number, step in enumerate(record["steps"], 1):
        label = "step %d " % number if len(record["steps"]) > 1 else ""
        lines.append("%sinput:  %s" % (label, cut(step["input"])))
        if "output" in step:
            lines.append("%soutput: %s" % (label, cut(step["output"])))
    return printable("\n".join(lines))


def printed_text(record, is_one_of_many):
    """What the agent printed, step by step."""
    parts = []
    for number, step in enumerate(record["steps"], 1):
        if not step.get("printed"):
            continue
        names = ["%s, attempt %d" % (record["target"], record["repeat"])] if is_one_of_many else []
        names += ["step %d" % number] if len(record["steps"]) > 1 else []
        parts += ["[%s]" % ", ".join(names)] if names else []
        parts.append(cut(step["printed"].rstrip("\n"), 20000))
    return printable("\n".join(parts) + "\n") if parts else ""


def assertion_lines(assertions):
    for one in assertions:
        if one.get("passed") is True:
            continue
        message = one["error"]["message"] if one.get("error") else one["message"]
        yield "%s:%d: %s: %s" % (one["file"], one["line"], one["name"], message)
        if "expected" in one and "actual" in one:
            yield "  - expected  " + cut(json.dumps(one["expected"], ensure_ascii=False))
            yield "  + actual    " + cut(json.dumps(one["actual"], ensure_ascii=False))


def cut(text, most=2000):
    return text if len(text) <= most else text[:most] + "... %d more characters" % (len(text) - most)


def printable(text):
    """Control characters of agents must not reach the terminal."""
    return "".join(one if one in "\n\t" or one.isprintable() else repr(one)[1:-1] for one in text)
