import { HARMLESS_PROGRAMS, MODEL_SERVERS, MOST_LOOKS } from './host/observed-names.ts';

/**
 * Sees which files the code of an agent uses, for a script of `startPython` that is started with the project's root as its last
 * argument: what Python opens, it tells audit hooks. It tells them nothing of `os.stat`, which is wrapped. `take_inputs` is what was seen since it
 * was asked last; a look is what `lookAt` of src/base/files/file-look.ts says.
 */
export const PYTHON_INPUTS = String.raw`
import _thread, re


def observe_inputs(root):
    root = os.path.join(os.path.abspath(root), "")
    own = os.path.join(root, ".assay", "")
    libraries = tuple(os.path.join(each, "lib") for each in {sys.prefix, sys.base_prefix, sys.exec_prefix})
    system = ("/dev/", "/proc/", "/sys/", "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
    not_system = ("/dev/shm/", "/proc/self/cwd/", "/proc/self/root/")
    installed = ("/site-packages/", "/dist-packages/", "/node_modules/")
    not_own = ("node_modules", "__pycache__", ".git", ".assay", ".venv", "venv")
    harmless = (${HARMLESS_PROGRAMS.map((name) => `"${name}"`).join(', ')})
    stat, scandir, readlink, realpath = os.stat, os.scandir, os.readlink, os.path.realpath
    is_folder, is_regular = __import__("stat").S_ISDIR, __import__("stat").S_ISREG
    harmless_code = ("aiohttp", "bcrypt", "brotli", "_brotli", "charset_normalizer", "cryptography", "frozenlist", "google", "greenlet", "httptools", "jiter", "markupsafe", "msgpack", "msgspec", "multidict", "numpy", "orjson", "pandas", "propcache", "psutil", "pydantic_core", "rapidfuzz", "regex", "rpds", "simplejson", "sqlalchemy", "tiktoken", "tornado", "ujson", "uuid_utils", "websockets", "wrapt", "xxhash", "yaml", "yarl", "zstandard")
    of_models = re.compile("${MODEL_SERVERS}", re.I)
    known_ports = {port for name, value in os.environ.items() if of_models.search(name) for port in re.findall(":([0-9]+)", value)}
    looks, written, variables, unseen, seen, imports = {}, set(), set(), set(), set(), set()
    state = _thread._local()

    def path_of_descriptor(number):
        try:
            path = readlink("/proc/self/fd/%d" % number)
        except OSError:
            import fcntl

            path = os.fsdecode(fcntl.fcntl(number, 50, bytes(1024)).rstrip(b"\0"))
        return path if path.startswith("/") else None

    def path_of(value, folder=None):
        if isinstance(value, int):
            value = path_of_descriptor(value)
            if value is None:
                return None
        value = os.fsdecode("." if value is None or value == "" else os.fspath(value))
        if isinstance(folder, int) and folder >= 0:
            value = os.path.join(path_of_descriptor(folder), value)
        if value.endswith(".pyc"):
            try:
                value = importlib.util.source_from_cache(value)
            except ValueError:
                pass
        path = os.path.abspath(value)
        if path.startswith(own) or "__pycache__" in path:
            return None
        if is_installed(path) or path.startswith((root, *not_system)):
            return path
        return None if path.startswith((*libraries, *system)) else path

    def is_installed(path):
        return any(each in path + "/" for each in installed)

    def look_at(kind, path):
        try:
            if kind == "link":
                return text_of_link(path) + " " + os.path.relpath(realpath(path), os.path.dirname(path)) if stat(path) else ""
            if kind == "names":
                import hashlib

                with scandir(path) as entries:
                    names = [describe_entry(each) for each in entries if each.name not in not_own]
                names.sort(key=lambda each: each.encode("utf-16-be", "surrogatepass"))
                return hashlib.sha256("\n".join(names).encode("utf-8", "replace")).hexdigest()[:32]
            found = stat(path)
        except OSError:
            return text_of_link(path) + " absent" if kind == "link" else "absent"
        if is_folder(found.st_mode):
            return "folder" if kind == "content" else "folder %d" % found.st_mode
        if kind == "entry":
            return "file %d" % found.st_mode
        if kind == "stat":
            return "file %d %d %d" % (found.st_size, found.st_mtime_ns, found.st_mode)
        if not is_regular(found.st_mode):
            return "device"
        return "%d %d %d %d" % (found.st_size, found.st_mtime_ns, found.st_ino, found.st_mode)

    def text_of_link(path):
        try:
            return readlink(path)
        except OSError:
            return ""

    def describe_entry(entry):
        return entry.name + ("@" if entry.is_symlink() else "/" if entry.is_dir() else "")

    def look(kind, value, folder=None):
        path = path_of(value, folder)
        if path is None:
            return
        if kind == "content" and is_installed(path):
            kind = "stat"
        key = kind + " " + path
        if key in seen:
            return
        if len(seen) >= ${MOST_LOOKS}:
            unseen.add("it uses more than ${MOST_LOOKS} files")
            return
        seen.add(key)
        looks[key] = look_at(kind, path)

    def write(value, folder=None):
        path = path_of(value, folder)
        if path is not None:
            written.add(path)

    def open_file(path, mode, flags, folder=None):
        access = (flags or 0) & 3
        if access != os.O_WRONLY:
            look("content", path, folder)
        if access != os.O_RDONLY or (flags or 0) & os.O_CREAT:
            write(path, folder)

    def start(program):
        words = program if isinstance(program, (list, tuple)) else os.fsdecode(program).split()
        name = os.path.basename(os.fsdecode(words[0])) if words else ""
        is_line = words is not program and any(each in os.fsdecode(program) for each in ";&|<>()$\\\x60\n")
        if name not in harmless or is_line:
            unseen.add("it starts the program " + name)

    def import_module(name, file, *_):
        imports.add(name)
        if name in ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver"):
            unseen.add("it starts the program python")
        if file is not None and (path_of(file) is not None or name in ("_dbm", "_gdbm")):
            top = name.partition(".")[0]
            if top not in harmless_code and not top.endswith("__mypyc"):
                unseen.add("it loads native code, " + top)

    def connect(_, address):
        is_here = not isinstance(address, tuple) or str(address[0]).startswith(("127.", "::1", "localhost", "0.0.0.0"))
        if is_here and not (isinstance(address, tuple) and str(address[1]) in known_ports):
            unseen.add("it calls a server of this machine")

    def call_native(library, _):
        if library is not sys.modules["ctypes"].pythonapi:
            unseen.add("it calls functions of C")

    def is_loader(depth):
        return "importlib._bootstrap" in sys._getframe(depth).f_code.co_filename

    def scan_folder(path=None):
        look("names", path)
        caller = sys._getframe(3).f_code.co_filename
        # Its entries know times and sizes, for which the standard library does not ask.
        if is_installed(caller) or not caller.startswith((*libraries, "<frozen")):
            with scandir(path) as entries:
                for each in entries:
                    look("stat", each.path if isinstance(path, (str, bytes)) else os.path.join(path_of(path), each.name))

    events = {
        "open": open_file,
        "import": import_module,
        "os.listdir": lambda path: is_loader(4) or look("names", path),
        "os.scandir": scan_folder,
        "os.rename": lambda first, second, *folders: (write(first, *folders[:1]), write(second, *folders[1:])),
        "os.link": lambda first, second, *folders: (look("content", first, *folders[:1]), write(second, *folders[1:])),
        "os.symlink": lambda first, second, *folder: write(second, *folder),
        "os.remove": write,
        "os.mkdir": lambda path, mode, *folder: write(path, *folder),
        "os.rmdir": write,
        "os.chmod": lambda path, mode, *folder: write(path, *folder),
        "os.truncate": lambda path, *_: write(path),
        "os.utime": lambda path, times, ns, *folder: write(path, *folder),
        "socket.connect": connect,
        "sqlite3.connect": lambda *_: unseen.add("it uses sqlite3"),
        "subprocess.Popen": lambda program, words, *_: start(words if words else program),
        "os.system": start,
        "os.exec": lambda path, *_: start([path]),
        "os.posix_spawn": lambda path, *_: start([path]),
        "os.fork": lambda: unseen.add("it forks its process"),
        "os.forkpty": lambda: unseen.add("it forks its process"),
        "ctypes.dlsym": call_native,
        "ctypes.dlopen": lambda name: name and unseen.add("it loads native code, " + os.path.basename(os.fsdecode(name))),
    }

    def note(handler, args, options={}):
        if getattr(state, "busy", False):
            return
        state.busy = True
        try:
            handler(*args, **options)
        except Exception:
            pass
        finally:
            state.busy = False

    def hook(event, args):
        handler = events.get(event)
        if handler is not None:
            note(handler, args)

    def watch_variables(kind):
        get, every = kind.__getitem__, kind.__iter__

        def get_noted(self, name):
            variables.add(os.fsdecode(name) if isinstance(name, (str, bytes)) else "*")
            return get(self, name)

        def iterate_noted(self):
            variables.add("*")
            return every(self)

        kind.__getitem__, kind.__iter__ = get_noted, iterate_noted
        variables.update(("PATH", "PYENV_VERSION"))

    def wrap(name, observe):
        original = getattr(os, name)

        def observed(*args, **options):
            note(observe, args, options)
            busy, state.busy = getattr(state, "busy", False), True
            try:
                return original(*args, **options)
            finally:
                state.busy = busy

        observed.__name__ = observed.__qualname__ = name
        for module in (os, sys.modules.get("posix")):
            setattr(module, name, observed)
        for each in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in each:
                each.add(observed)

    def look_at_status(path, *_, dir_fd=None, follow_symlinks=True, **more):
        if is_loader(4):
            return
        if not follow_symlinks:
            look("link", path, dir_fd)
        look("stat", path, dir_fd)

    def take():
        state.busy = True
        for name in list(imports):
            look_for_module(name)
        imports.clear()
        state.busy = False
        taken = {"looks": dict(looks), "written": list(written), "variables": list(variables), "unseen": list(unseen)}
        looks.clear()
        written.clear()
        variables.clear()
        return taken

    # Another one may come to stand before what was found.
    def look_for_module(name):
        module = sys.modules.get(name)
        if getattr(getattr(module, "__spec__", None), "origin", None) in ("built-in", "frozen"):
            return
        found = os.path.abspath(getattr(module, "__file__", None) or "")
        parent, _, last = name.rpartition(".")
        if parent and is_installed(found):
            return
        for folder in getattr(sys.modules.get(parent), "__path__", ()) if parent else sys.path:
            place = os.path.abspath(os.path.join(folder, last))
            look("entry", place)
            if found.startswith(place + os.sep):
                return
            look("entry", place + ".py")
            # Also of native code: NAME.cpython-311-x86_64-linux-gnu.so
            if found.startswith(place + "."):
                return

    wrap("stat", look_at_status)
    wrap("fstat", look_at_status)
    wrap("lstat", lambda *args, **options: look_at_status(*args, **options, follow_symlinks=False))
    wrap("access", lambda path, *_, dir_fd=None, **more: look("entry", path, dir_fd))
    wrap("readlink", lambda path, *_, dir_fd=None, **more: look("link", path, dir_fd))
    wrap("open", lambda path, flags, *_, dir_fd=None, **more: open_file(path, None, flags, dir_fd))
    watch_variables(type(os.environ))
    for folder in sys.path:
        if is_installed(folder) and os.path.isdir(folder):
            look("names", folder)
            for name in os.listdir(folder):
                if name.endswith(".pth"):
                    look("content", os.path.join(folder, name))
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None):
            look("content", module.__file__)
    sys.addaudithook(hook)
    return take


take_inputs = observe_inputs(ARGUMENTS.pop())
`;
