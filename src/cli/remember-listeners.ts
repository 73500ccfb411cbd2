/** The listeners of the process and its output, as they are now. The returned function removes those that came later. */
export function rememberListeners(): () => void {
  const emitters: readonly NodeJS.EventEmitter[] = [process, process.stdout, process.stderr];
  const before = emitters.map((emitter) => new Set(listenersOf(emitter).map(({ listener }) => listener)));
  return () => {
    for (const [index, emitter] of emitters.entries())
      for (const { event, listener } of listenersOf(emitter))
        if (!before[index]!.has(listener)) emitter.off(event, listener);
  };
}

function listenersOf(emitter: NodeJS.EventEmitter) {
  return emitter
    .eventNames()
    .flatMap((event) =>
      emitter.rawListeners(event).map((listener) => ({ event, listener: listener as () => void })),
    );
}
