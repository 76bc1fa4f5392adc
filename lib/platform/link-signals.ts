type Linked = Set<AbortController>;
const linkedTo = new WeakMap<AbortSignal, Linked>();

/** Controllers to abort with a source. One listener serves all of them. */
function linkedBy(source: AbortSignal): Linked {
  const known = linkedTo.get(source);
  if (known) return known;
  const linked: Linked = new Set();
  source.addEventListener(
    "abort",
    () => {
      for (const controller of linked) controller.abort(source.reason);
    },
    { once: true },
  );
  linkedTo.set(source, linked);
  return linked;
}

/**
 * A signal that aborts, with the same reason, as soon as one of the sources does, until it is unlinked. For sources that
 * outlive the work, such as process shutdown: `AbortSignal.any` leaks about 80 bytes on a source for each derived signal
 * (Node 20.20).
 */
export function linkSignals(...sources: readonly AbortSignal[]): { signal: AbortSignal; unlink: () => void } {
  const controller = new AbortController();
  const { signal } = controller;
  const unlink = () => {
    for (const source of sources) linkedTo.get(source)?.delete(controller);
  };
  const aborted = sources.find((source) => source.aborted);
  if (aborted) controller.abort(aborted.reason);
  else {
    for (const source of sources) linkedBy(source).add(controller);
    signal.addEventListener("abort", unlink, { once: true });
  }
  return { signal, unlink };
}
