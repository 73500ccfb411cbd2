/**
 * Runs the evaluators of a Python file in a python3 child: one line of JSON per call on descriptor 3, one line back on
 * descriptor 4, so that nothing they print can get in between. Started with the path of the file.
 *
 * The first line it writes is `{"evaluators": [{"name", "doc", "schema", "timeout_ms", "example", "attributes"}]}` or `{"error"}`. A call is `{"name",
 * "config", "evidence"}`, its answer `{"result"}` or `{"error"}`.
 */
export const PYTHON_EVALUATORS = String.raw`
import importlib.util, inspect, json, os, sys, traceback

PATH = sys.argv[1]
sys.argv = [PATH]
sys.path[0] = os.path.dirname(PATH)
os.set_inheritable(3, False)
os.set_inheritable(4, False)
encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Failure(Exception):
    pass


def load():
    stem = os.path.splitext(os.path.basename(PATH))[0]
    name = stem if stem.isidentifier() and stem not in sys.modules else "assay_evaluators"
    spec = importlib.util.spec_from_file_location(name, PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise Failure("it cannot be loaded: " + describe(error))
    found = {}
    for key, value in vars(module).items():
        if key.startswith("_") or not inspect.isroutine(value) or getattr(value, "__module__", None) != name:
            continue
        try:
            parameters = inspect.signature(value).parameters
        except (TypeError, ValueError):
            continue
        if "evidence" in parameters:
            found[key] = (value, check(key, parameters))
    if not found:
        raise Failure("it has no evaluator: write def name(config, evidence)")
    return found


def check(name, parameters):
    names = []
    for each in parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if each.name in ("config", "evidence") and each.kind != each.POSITIONAL_ONLY:
            names.append(each.name)
        elif each.default is each.empty:
            raise Failure("%s takes %s, but an evaluator gets only config and evidence" % (name, each.name))
    return names


def describe_evaluator(name, function):
    doc = inspect.getdoc(function)
    return {
        "name": name,
        "doc": doc.split("\n")[0] if doc else None,
        "schema": getattr(function, "schema", None),
        "timeout_ms": getattr(function, "timeout_ms", None),
        "example": getattr(function, "example", None),
        "attributes": [key for key in getattr(function, "__dict__", {}) if not key.startswith("_")],
    }


def describe(error):
    lines = traceback.format_exception_only(type(error), error)
    for frame in [each for each in traceback.extract_tb(error.__traceback__) if each.filename == PATH][-5:]:
        lines.append('  File "%s", line %s, in %s\n' % (frame.filename, frame.lineno, frame.name))
    return "".join(lines).rstrip()


def call(request, found):
    function, names = found[request["name"]]
    try:
        result = function(**{name: request[name] for name in names})
        if hasattr(result, "__await__"):
            result = wait(result)
    except BaseException as error:
        raise Failure("raised " + describe(error))
    try:
        return encode(result)
    except BaseException as error:
        kind = type(result).__name__
        raise Failure("returned %s that cannot be written as JSON: %s" % (kind, error))


def wait(awaitable):
    import asyncio

    if wait.loop is None:
        wait.loop = asyncio.new_event_loop()
    return wait.loop.run_until_complete(awaitable)


wait.loop = None


def main():
    requests = open(3, "rb", buffering=65536)
    replies = open(4, "wb", buffering=0)

    def write(text):
        data = memoryview((text + "\n").encode("ascii"))
        while data:
            data = data[replies.write(data):]

    try:
        found = load()
        write('{"evaluators":%s}' % encode([describe_evaluator(name, each[0]) for name, each in found.items()]))
    except Failure as failure:
        return write('{"error":%s}' % encode(str(failure)))
    except BaseException as error:
        return write('{"error":%s}' % encode("it cannot be loaded: " + describe(error)))
    for line in requests:
        try:
            write('{"result":%s}' % call(json.loads(line), found))
        except Failure as failure:
            write('{"error":%s}' % encode(str(failure)))


main()
`;
