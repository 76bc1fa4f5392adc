import { AsyncResource } from "node:async_hooks";

const FLUSH_MS = 1_000;
/** A batch serves many requests, so its writes must not be attributed to the trace of one. */
const outside = new AsyncResource("write-behind");

type Options<Line> = {
  /** Key on `globalThis`: the two module graphs of a process share the buffer. */
  name: string;
  /** Capacity of the buffer; while it is full, further lines are dropped. */
  maxBuffered: number;
  /** Must not reject: lines that cannot be written are dropped. */
  write: (lines: Line[]) => Promise<void>;
};

type State<Line> = {
  buffer: Map<string, Line>;
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void> | undefined;
  /** Number of lines being written. */
  sent: number;
};

/** Number of unwritten lines in each buffer of this process. */
export function bufferedLines(): ReadonlyMap<string, number> {
  return new Map([...buffers()].map(([name, { buffer, sent }]) => [name, buffer.size + sent]));
}

export type WriteBehind<Line> = {
  /** The buffered line of that name, which the caller may modify. */
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

/** A write-behind buffer for logs, flushed once a second, so that requests do not wait for writes. */
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
