import { AsyncResource } from "node:async_hooks";

const FLUSH_MS = 1_000;
/** What is written for many requests belongs to the trace of none. */
const outside = new AsyncResource("write-behind");

type Options<Line> = {
  /** Key on `globalThis`: the two module graphs of a process share the buffer. */
  name: string;
  /** Size of the buffer; further lines are dropped until it is written. */
  maxBuffered: number;
  /** Never rejects: lines that cannot be written are dropped. */
  write: (lines: Line[]) => Promise<void>;
};

type State<Line> = {
  buffer: Map<string, Line>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
  /** How many lines are being written. */
  sent: number;
};

/** How many lines of each buffer of this process are not written yet. */
export function bufferedLines(): ReadonlyMap<string, number> {
  return new Map([...buffers()].map(([name, { buffer, sent }]) => [name, buffer.size + sent]));
}

export type WriteBehind<Line> = {
  /** The buffered line of that name, to be changed. */
  find: (name: string) => Line | undefined;
  /** Buffers a line under a unique name. */
  add: (name: string, line: Line) => void;
  /** Writes the buffer. Never rejects. */
  flush: () => Promise<void>;
};

type Buffered = { buffer: ReadonlyMap<string, unknown>; sent: number };

const BUFFERS = Symbol.for("imprint.buffers");

function buffers(): Map<string, Buffered> {
  const holder = globalThis as { [BUFFERS]?: Map<string, Buffered> };
  return (holder[BUFFERS] ??= new Map());
}

/** A write-behind buffer for logs, flushed once a second, so that no request waits for a write. */
export function createWriteBehind<Line>({ name, maxBuffered, write }: Options<Line>): WriteBehind<Line> {
  const holderName = Symbol.for(`imprint.${name}`);
  const state = (): State<Line> => {
    const holder = globalThis as { [holderName]?: State<Line> | undefined };
    const shared = (holder[holderName] ??= { buffer: new Map(), timer: undefined, writing: undefined, sent: 0 });
    buffers().set(name, shared);
    return shared;
  };
  async function flush(): Promise<void> {
    const shared = state();
    while (shared.writing) await shared.writing;
    if (shared.buffer.size === 0) return;
    const lines = [...shared.buffer.values()];
    shared.buffer.clear();
    shared.sent = lines.length;
    shared.writing = write(lines).finally(() => {
      shared.writing = undefined;
      shared.sent = 0;
    });
    await shared.writing;
  }
  return {
    find: (lineName) => state().buffer.get(lineName),
    add(lineName, line) {
      const shared = state();
      if (shared.buffer.size < maxBuffered) shared.buffer.set(lineName, line);
      shared.timer ??= outside.runInAsyncScope(() =>
        setTimeout(() => {
          shared.timer = undefined;
          void flush();
        }, FLUSH_MS).unref(),
      );
    },
    flush,
  };
}
