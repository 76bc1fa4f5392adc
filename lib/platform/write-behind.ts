const FLUSH_MS = 1_000;

type Options<Line> = {
  /** Names it on `globalThis`: the two module graphs of a process share what waits. */
  name: string;
  /** Lines that wait in this process; further ones are dropped until they are written. */
  maxBuffered: number;
  /** Writes lines. Never rejects: what cannot be written is dropped. */
  write: (lines: Line[]) => Promise<void>;
};

type State<Line> = {
  waiting: Map<string, Line>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
};

export type WriteBehind<Line> = {
  /** The line of that name that waits, to be added to. */
  find: (name: string) => Line | undefined;
  /** Has a line wait under a name of its own. Returns at once. */
  add: (name: string, line: Line) => void;
  /** Writes what waits. Never rejects. */
  flush: () => Promise<void>;
};

/** A log that a process keeps in memory and writes about once a second, so that no request waits for it. */
export function createWriteBehind<Line>({ name, maxBuffered, write }: Options<Line>): WriteBehind<Line> {
  const holderName = Symbol.for(`imprint.${name}`);
  const state = (): State<Line> => {
    const holder = globalThis as { [holderName]?: State<Line> | undefined };
    return (holder[holderName] ??= { waiting: new Map(), timer: undefined, writing: undefined });
  };
  async function flush(): Promise<void> {
    const shared = state();
    while (shared.writing) await shared.writing;
    if (shared.waiting.size === 0) return;
    const lines = [...shared.waiting.values()];
    shared.waiting.clear();
    shared.writing = write(lines).finally(() => {
      shared.writing = undefined;
    });
    await shared.writing;
  }
  return {
    find: (lineName) => state().waiting.get(lineName),
    add(lineName, line) {
      const shared = state();
      if (shared.waiting.size < maxBuffered) shared.waiting.set(lineName, line);
      shared.timer ??= setTimeout(() => {
        shared.timer = undefined;
        void flush();
      }, FLUSH_MS).unref();
    },
    flush,
  };
}
