/**
 * Sees which files the code of an agent uses, for a script of `startPython` that is started with the project's root as its last
 * argument: what Python opens, it tells audit hooks. It tells them nothing of `os.stat`, which is wrapped. `take_inputs` is what was seen since it
 * was asked last; a look is what `lookAt` of src/base/files/file-look.ts says.
 */
export const PYTHON_INPUTS = String.raw`
import _thread


def observe_inputs(root):
    root = os.path.join(os.path.abspath(root), "")
    own = os.path.join(root, ".assay", "")
    libraries = tuple(os.path.join(each, "lib") for each in {sys.prefix, sys.base_prefix, sys.exec_prefix})
    system = ("/dev/", "/proc/", "/sys/", "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
    not_system = ("/dev/shm/", "/proc/self/cwd/", "/proc/self/root/")
    installed = ("/site-packages/", "/dist-packages/", "/node_modules/")
    not_own = ("node_modules", "__pycache__", ".git", ".assay", ".venv", "venv")
    harmless = ("uname", "hostname", "sw_vers", "lsb_release")
    stat, listdir, realpath, is_folder = os.stat, os.listdir, os.path.realpath, __import__("stat").S_ISDIR
    is_regular = __import__("stat").S_ISREG
    looks, written, unseen, seen, imports = {}, set(), set(), set(), set()
    state = _thread._local()

    def path_of(value):
        if isinstance(value, int):
            return None
        value = os.fsdecode("." if value is None or value == "" else os.fspath(value))
        if value.endswith(".pyc"):
            try:
                value = importlib.util.source_from_cache(value)
            except ValueError:
                pass
        path = os.path.abspath(value)
        for each in installed:
            if each in path:
                look_at_packages(path[: path.rindex(each) + len(each) - 1])
        if any(each in path for each in installed) or path.startswith(own) or "__pycache__" in path:
            return None
        if path.startswith(libraries) or (
            path.startswith(system) and not path.startswith((root, *not_system))
        ):
            return None
        return path

    def look_at(kind, path):
        try:
            if kind == "link":
                return realpath(path)
            if kind == "names":
                import hashlib

                names = [each for each in listdir(path) if each not in not_own]
                names.sort(key=lambda each: each.encode("utf-16-be", "surrogatepass"))
                return hashlib.sha256("\n".join(names).encode("utf-8", "replace")).hexdigest()[:32]
            found = stat(path)
        except OSError:
            return "absent"
        if is_folder(found.st_mode):
            return "folder"
        if kind == "entry":
            return "file"
        if kind == "stat":
            return "file %d %d %d" % (found.st_size, found.st_mtime_ns, found.st_mode)
        if not is_regular(found.st_mode):
            return "device"
        return "%d %d %d" % (found.st_size, found.st_mtime_ns, found.st_ino)

    def look(kind, value):
        path = path_of(value)
        key = None if path is None else kind + " " + path
        if key is None or key in seen:
            return
        if len(seen) >= 20000:
            unseen.add("it uses more than 20000 files")
            return
        seen.add(key)
        found = look_at(kind, path)
        if kind != "link" or found != path:
            looks[key] = found

    def look_at_packages(folder):
        # The version of each is in a name.
        key = "names " + folder
        if key not in seen:
            seen.add(key)
            looks[key] = look_at("names", folder)

    def write(value):
        path = path_of(value)
        if path is not None:
            written.add(path)

    def open_file(path, mode, flags):
        access = (flags or 0) & 3
        if access != os.O_WRONLY:
            look("content", path)
        if access != os.O_RDONLY or (flags or 0) & os.O_CREAT:
            write(path)

    def start(program):
        words = program if isinstance(program, (list, tuple)) else os.fsdecode(program).split()
        name = os.path.basename(os.fsdecode(words[0])) if words else ""
        is_line = words is not program and any(each in os.fsdecode(program) for each in ";&|<>()$\\\x60\n")
        if name not in harmless or is_line:
            unseen.add("it starts the program " + name)

    def import_module(name, *_):
        imports.add(name)

    def list_folder(path=None):
        frame = sys._getframe(3)
        if "importlib" not in frame.f_code.co_filename:
            look("names", path)

    def both(first, second, *_):
        write(first)
        write(second)

    def one(path, *_):
        write(path)

    events = {
        "open": open_file,
        "import": import_module,
        "os.listdir": list_folder,
        "os.scandir": list_folder,
        "os.rename": both,
        "os.link": lambda first, second, *_: (look("content", first), write(second)),
        "os.symlink": lambda first, second, *_: write(second),
        "os.remove": one,
        "os.mkdir": one,
        "os.rmdir": one,
        "os.truncate": one,
        "os.utime": one,
        "sqlite3.connect": lambda *_: unseen.add("it uses sqlite3"),
        "subprocess.Popen": lambda program, words, *_: start(words if words else program),
        "os.system": start,
        "os.exec": lambda path, *_: start([path]),
        "os.posix_spawn": lambda path, *_: start([path]),
        "os.fork": lambda: unseen.add("it forks its process"),
        "os.forkpty": lambda: unseen.add("it forks its process"),
        "ctypes.dlopen": lambda name: name and unseen.add("it loads native code, " + os.path.basename(os.fsdecode(name))),
    }

    def note(handler, args):
        if getattr(state, "busy", False):
            return
        state.busy = True
        try:
            handler(*args)
        except Exception:
            pass
        finally:
            state.busy = False

    def hook(event, args):
        handler = events.get(event)
        if handler is not None:
            note(handler, args)

    def wrap(name, kind):
        original = getattr(os, name)

        def observed(path, *args, **options):
            note(look, (kind, path))
            return original(path, *args, **options)

        observed.__name__ = observed.__qualname__ = name
        setattr(os, name, observed)
        for each in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks, os.supports_effective_ids):
            if original in each:
                each.add(observed)

    def take():
        state.busy = True
        for name in list(imports):
            found = getattr(sys.modules.get(name), "__file__", None) or ""
            if name in sys.modules and not found.startswith(root):
                continue
            # Another one may come to stand before what was found.
            for folder in sys.path:
                place = os.path.abspath(os.path.join(folder, *name.split(".")))
                if not place.startswith(root):
                    continue
                look("entry", place)
                if found.startswith(place + os.sep):
                    break
                look("entry", place + ".py")
                if found == place + ".py":
                    break
        imports.clear()
        state.busy = False
        taken = {"looks": dict(looks), "written": list(written), "unseen": list(unseen)}
        looks.clear()
        written.clear()
        return taken

    wrap("stat", "stat")
    wrap("lstat", "stat")
    wrap("access", "entry")
    wrap("readlink", "link")
    sys.addaudithook(hook)
    return take


take_inputs = observe_inputs(ARGUMENTS.pop())
`;
