/**
 * Calls an agent's function, in a python3 of `startPython`. Started with the agent's path and the function's name.
 *
 * Call: `{"call", "file", "input", "memory", "context"}`, or `{"call", "load": true}` to load the module only, `{"call", "inputs": true}` for what PYTHON_INPUTS saw, which every answer has then.
 * Of an answer, `facts.refused` of the error is the `status` and `url` of the 401 or 403 behind it, or null, `flushed` says that its telemetry was sent, and `busy` says that a
 * thread that the call started is still at work.
 */
export const PYTHON_AGENT = String.raw`
import io

(NAME,) = ARGUMENTS
FOLDER = os.path.join(os.getcwd(), "")


class CountedFile(io.FileIO):
    written = 0

    def write(self, data):
        count = super().write(data)
        self.written += count or 0
        return count


def counted(fd):
    raw = CountedFile(fd, "w", closefd=False)
    text = io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True)
    return raw, text


out, sys.stdout = counted(1)
err, sys.stderr = counted(2)
sys.__stdout__, sys.__stderr__ = STREAMS = sys.stdout, sys.stderr


def load():
    try:
        module = load_module("assay_agent")
    except BaseException as error:
        raise load_failure(error)
    function = getattr(module, NAME, None)
    if callable(function):
        call.taken = count_taken(function)
        return function
    functions = [key for key, value in vars(module).items() if is_function_of(value, load_module.name) and not key.startswith("_")]
    problem = "there is no function %s in it" % NAME
    if function is not None:
        problem = "%s is %s, not a function" % (NAME, kind_of(function))
    raise Failure("load", problem, functions=functions)


NOT_LOADED = "the module cannot be loaded: "


def is_function_of(value, name):
    return callable(value) and not isinstance(value, type) and getattr(value, "__module__", None) == name


def load_failure(error):
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        place = {"file": os.path.abspath(error.filename), "line": error.lineno, "column": error.offset or 1}
        return Failure("load", NOT_LOADED + "%s: %s" % (type(error).__name__, error.msg), place=place)
    return Failure("load", NOT_LOADED + describe(error), missing=getattr(error, "name", None) if isinstance(error, ModuleNotFoundError) else None)


def call(function, request):
    import time

    call.first, call.started = None, time.monotonic()
    begin_trace(request.get("traceparent"))
    try:
        arguments = [request["input"], request["memory"], request.get("context", {})]
        reply = function(*arguments[: call.taken])
        if type(reply) is not dict and hasattr(reply, "__await__"):
            reply = wait(reply)
        if hasattr(reply, "__anext__"):
            reply = wait(read_stream(reply))
        elif hasattr(reply, "__next__"):
            reply = join(mark_first(item) for item in reply)
    except SystemExit as error:
        raise Failure("agent", "the agent called sys.exit(%s)" % ("" if error.code is None else repr(error.code)))
    except BaseException as error:
        kind = "infrastructure" if is_passing(error) else "agent"
        raise Failure(kind, "the agent raised " + describe(error), refused=refused_by(error))
    try:
        return encode(reply)
    except RecursionError:
        raise Failure("limit", "the agent's reply is nested too deep")
    except BaseException as error:
        result = None if is_own(reply) else encode_result(reply)
        if result is not None:
            return result
        try:
            problem = find_problem(reply, "", [])
        except RecursionError:
            problem = None
        raise Failure("contract", problem or "the agent's reply cannot be written as JSON: %s" % error)


def begin_trace(traceparent):
    begin_trace.is_read = traceparent is not None
    if traceparent is None or "opentelemetry.trace" not in sys.modules:
        return
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context.attach(TraceContextTextMapPropagator().extract({"traceparent": traceparent}))


begin_trace.is_read = False


def flush_telemetry():
    if not begin_trace.is_read:
        return False
    begin_trace.is_read = False
    done = False
    for name, get in (("opentelemetry._logs", "get_logger_provider"), ("opentelemetry.trace", "get_tracer_provider")):
        try:
            provider = getattr(sys.modules.get(name), get)()
            done = provider.force_flush() is not False
        except Exception:
            done = False
    return done


def status_of(error):
    status = getattr(error, "status_code", None)
    if status is None:
        status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) and status >= 400 else None


def refused_by(error):
    for _ in range(10):
        if error is None:
            return None
        status = status_of(error)
        url = getattr(getattr(error, "response", None), "url", None)
        if status is not None:
            return {"status": status, "url": str(url)} if status in (401, 403) and url is not None else None
        error = error.__cause__ or error.__context__
    return None


def is_passing(error):
    for _ in range(10):
        if error is None:
            return False
        status = status_of(error)
        if status is not None:
            return (status in (408, 429) or status >= 500) and getattr(error, "code", None) != "insufficient_quota"
        if isinstance(error, ConnectionError) or type(error).__name__ in NETWORK_ERRORS:
            return True
        error = error.__cause__ or error.__context__
    return False


NETWORK_ERRORS = ("APIConnectionError", "ConnectError", "ConnectTimeout", "ReadError", "ReadTimeout", "RemoteProtocolError")


def count_taken(function):
    import inspect

    try:
        signature = inspect.signature(function, follow_wrapped=False)
        if any(each.kind is each.VAR_POSITIONAL for each in signature.parameters.values()):
            signature = inspect.signature(function)
    except (TypeError, ValueError):
        return 2
    parameters = signature.parameters.values()
    places = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    takes_all = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    most = max(2, len(places)) if takes_all else len(places)
    extra = places[3:] + [each for each in parameters if each.kind is each.KEYWORD_ONLY]
    if most == 0 or any(each.default is each.empty for each in extra):
        wanted = "an agent takes the input, and optionally the memory and the context: def %s(input, memory, context)" % NAME
        raise Failure("load", "%s%s cannot be called: %s" % (NAME, signature, wanted))
    return min(most, 3)


def is_own(reply):
    return isinstance(reply, dict) and any(isinstance(reply.get(key), str) for key in ("output", "text"))


async def read_stream(stream):
    return join([mark_first(item) async for item in stream])


def mark_first(item):
    if call.first is None:
        import time

        call.first = (time.monotonic() - call.started) * 1000
    return item


def join(items):
    items = list(items)
    return "".join(items) if all(isinstance(item, str) for item in items) else items


def encode_result(reply):
    try:
        value = from_result(reply, [])
        return None if value is None or value == {} else encode(value)
    except Exception:
        return None


def from_result(value, inside):
    if value is None or isinstance(value, (str, int, bool)):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    if len(inside) > 150 or any(each is value for each in inside):
        return None
    inside = inside + [value]
    if isinstance(value, dict):
        return {str(key): from_result(item, inside) for key, item in value.items() if not callable(item)}
    if isinstance(value, (list, tuple, set, frozenset)) and not hasattr(value, "_fields"):
        return [from_result(item, inside) for item in value]
    for read in (read_agents_result, read_pydantic_ai_result, read_model, read_fields):
        members = read(value)
        if members is not None:
            return from_result(members, inside)
    return None


def read_agents_result(value):
    if not (hasattr(value, "to_input_list") and hasattr(value, "final_output")):
        return None
    usage = getattr(getattr(value, "context_wrapper", None), "usage", None)
    return {"items": value.to_input_list(), "final_output": value.final_output, "usage": usage}


def read_pydantic_ai_result(value):
    if not (hasattr(value, "all_messages") and hasattr(value, "output")):
        return None
    usage = value.usage() if callable(getattr(value, "usage", None)) else None
    return {"messages": value.all_messages(), "output": value.output, "usage": usage}


def read_model(value):
    for name in ("model_dump", "to_dict", "dict"):
        dump = getattr(value, name, None)
        if not callable(dump) or isinstance(value, type):
            continue
        for options in ({"mode": "json"}, {}):
            try:
                dumped = dump(**options)
            except Exception:
                continue
            if isinstance(dumped, dict):
                return dumped
    return None


def read_fields(value):
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "_fields"):
        return {name: getattr(value, name) for name in value._fields}
    if "enum" in sys.modules and isinstance(value, sys.modules["enum"].Enum):
        return value.value
    fields = getattr(value, "__dataclass_fields__", None) or getattr(value, "__dict__", None)
    if fields is None or isinstance(value, type):
        return None
    return {name: getattr(value, name, None) for name in fields if not name.startswith("_")}


def wait(awaitable):
    import asyncio

    async def run():
        return await awaitable

    return asyncio.run(run())


def find_problem(value, path, inside):
    where = "%s of the agent's reply" % path.lstrip(".") if path else "what the agent returned"
    if any(each is value for each in inside):
        return "%s contains itself, which JSON cannot represent" % where
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, (str, int, float, type(None))):
                return "%s has a key that is %s, which JSON cannot represent" % (where, kind_of(key))
            step = ".%s" % key if isinstance(key, str) and key.isidentifier() else "[%r]" % (key,)
            problem = find_problem(item, path + step, inside + [value])
            if problem:
                return problem
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            problem = find_problem(item, "%s[%d]" % (path, index), inside + [value])
            if problem:
                return problem
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return "%s is %r, which JSON cannot represent" % (where, value)
    elif not isinstance(value, (str, int, type(None))):
        return "%s is %s, which JSON cannot represent: return plain data" % (where, kind_of(value))
    return None


def kind_of(value):
    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else "%s.%s" % (kind.__module__, kind.__name__)
    return "%s %s" % ("an" if name[0] in "aeiou" else "a", name)


HIDDEN = ("<string>", "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")


def describe(error):
    return describe_with(error, lambda file: file not in HIDDEN, folder=FOLDER, with_code=True)


def answer(request):
    if "inputs" in request:
        return "null"
    answer.threads = threads()
    file = request.get("file")
    if answer.function is None or file not in (None, answer.file or file):
        answer.function = None
        answer.function = load()
    answer.file = file
    if "load" in request:
        return "null"
    return call(answer.function, request)


answer.function = answer.file = call.first = None
answer.threads = []


def threads():
    return list(sys.modules["threading"].enumerate()) if "threading" in sys.modules else []


def is_idle(thread):
    frame = sys._current_frames().get(thread.ident)
    if frame is None:
        return True
    file, name = frame.f_code.co_filename, frame.f_code.co_name
    if name == "_worker" and os.path.basename(os.path.dirname(file)) == "futures":
        return True
    return thread.daemon and os.path.basename(file) in ("threading.py", "queue.py")


def facts_of_call():
    for stream in STREAMS:
        try:
            stream.flush()
        except BaseException:
            pass
    first = "" if call.first is None else ',"first_ms":%d' % call.first
    busy = any(each not in answer.threads and each.is_alive() and not is_idle(each) for each in threads())
    flushed = ',"flushed":true' if flush_telemetry() else ""
    inputs = ',"inputs":' + encode(take_inputs()) if "take_inputs" in globals() else ""
    return inputs + first + flushed + (',"busy":true' if busy else "") + ',"printed":[%d,%d]' % (out.written, err.written)


serve(answer, "python cannot read the request", facts_of_call)
`;
