/**
 * Calls the evaluators of a Python file, in a python3 of `startPython`. Started with the path of the file.
 *
 * The first call is `{"call", "load": true}`; its reply is a list of `{"name", "doc", "schema", "timeout_ms", "example", "attributes"}`. The
 * others are `{"call", "name", "config", "evidence"}`.
 */
export const PYTHON_EVALUATORS = String.raw`
import inspect


def load():
    module = load_module("assay_evaluators")
    found = {}
    for key, value in vars(module).items():
        if key.startswith("_") or not inspect.isroutine(value) or getattr(value, "__module__", None) != load_module.name:
            continue
        try:
            parameters = inspect.signature(value).parameters
        except (TypeError, ValueError):
            continue
        if "evidence" in parameters:
            found[key] = (value, check(key, parameters))
    if not found:
        raise Failure("evaluator", "it has no evaluator: write def name(config, evidence)")
    return found


def check(name, parameters):
    names = []
    for each in parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            continue
        if each.name in ("config", "evidence") and each.kind != each.POSITIONAL_ONLY:
            names.append(each.name)
        elif each.default is each.empty:
            raise Failure("evaluator", "%s takes %s, but an evaluator gets only config and evidence" % (name, each.name))
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
    return describe_with(error, lambda file: file == PATH)


def call(request):
    function, names = answer.found[request["name"]]
    try:
        result = function(**{name: request[name] for name in names})
        if hasattr(result, "__await__"):
            result = wait(result)
    except BaseException as error:
        raise Failure("evaluator", "raised " + describe(error))
    try:
        return encode(result)
    except BaseException as error:
        kind = type(result).__name__
        raise Failure("evaluator", "returned %s that cannot be written as JSON: %s" % (kind, error))


def wait(awaitable):
    import asyncio

    if wait.loop is None:
        wait.loop = asyncio.new_event_loop()
    return wait.loop.run_until_complete(awaitable)


wait.loop = None


def answer(request):
    if "load" not in request:
        return call(request)
    try:
        answer.found = load()
        return encode([describe_evaluator(name, each[0]) for name, each in answer.found.items()])
    except Failure:
        raise
    except BaseException as error:
        raise Failure("evaluator", "it cannot be loaded: " + describe(error))


serve(answer, "got evidence that python cannot read")
`;
