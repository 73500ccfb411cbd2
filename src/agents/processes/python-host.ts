import { join } from 'node:path';
import { HostProcess, type HostOptions } from './host-process.ts';
import type { ProcessOptions } from './process-group.ts';

export function chooseInterpreter(env: NodeJS.ProcessEnv): string {
  const virtual = env['VIRTUAL_ENV'];
  return env['ASSAY_PYTHON'] || (virtual ? join(virtual, 'bin', 'python') : 'python3');
}

/** Starts a python3 that holds a file and answers one call at a time. `script` is what it does with the file, after BRIDGE. */
export function startPython(
  script: string,
  [interpreter = '', ...args]: readonly string[],
  options: HostOptions & ProcessOptions,
): Promise<HostProcess> {
  return HostProcess.start([interpreter, '-u', '-c', BRIDGE + script, ...args], options);
}

/**
 * What every script shares: the module of the file, errors as text, and the lines of a HostProcess. An answer is `{"call", "reply"}`
 * or `{"call", "error": {"kind", "message", "facts"}}`. Started with the path of the file and what else the script wants.
 */
const BRIDGE = String.raw`
import importlib.util, json, os, sys

PATH, *ARGUMENTS = sys.argv[1:]
sys.argv = [PATH]
sys.path[0] = os.path.dirname(PATH)
PID = os.getpid()
os.set_inheritable(3, False)
os.set_inheritable(4, False)
encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
decode = json.JSONDecoder().raw_decode


class Failure(Exception):
    def __init__(self, kind, message, **facts):
        self.kind = kind
        self.message = message
        self.facts = facts


def load_module(other_name):
    stem = os.path.splitext(os.path.basename(PATH))[0]
    taken = stem in sys.modules and stem != load_module.name
    load_module.name = name = stem if stem.isidentifier() and not taken else other_name
    spec = importlib.util.spec_from_file_location(name, PATH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


load_module.name = None


def describe_with(error, is_shown, folder="", with_code=False):
    import traceback

    try:
        lines = traceback.format_exception_only(type(error), error)
    except BaseException:
        lines = [type(error).__name__]
    lines = [line.replace(folder, "") for line in lines]
    for frame in [each for each in traceback.extract_tb(error.__traceback__) if is_shown(each.filename)][-5:]:
        lines.append('  File "%s", line %s, in %s\n' % (frame.filename.replace(folder, ""), frame.lineno, frame.name))
        if with_code and frame.line:
            lines.append("    %s\n" % frame.line)
    return "".join(lines).rstrip()


def serve(answer, unread, more=lambda: ""):
    requests = open(3, "rb", buffering=65536)
    replies = open(4, "wb", buffering=0)
    for line in requests:
        number = str(line[8 : line.index(b",")], "ascii")
        try:
            try:
                request = decode(str(line, "utf-8"))[0]
            except (ValueError, RecursionError) as error:
                raise Failure("agent", "%s: %s" % (unread, error))
            text = '"reply":' + answer(request)
        except Failure as failure:
            if os.getpid() != PID:
                raise failure.__context__ or failure from None
            text = '"error":' + encode({"kind": failure.kind, "message": failure.message, "facts": failure.facts})
        if os.getpid() != PID:
            os._exit(0)
        data = memoryview(('{"call":' + number + "," + text + more() + "}\n").encode("ascii"))
        while data:
            data = data[replies.write(data):]
`;
