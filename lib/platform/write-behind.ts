import { AsyncResource } from "node:async_hooks";

import { sharedValue } from "./shared-state";

const FLUSH_MS = 1_000;
/** A batch serves many requests, so its writes must not be attributed to the trace of one. */
const outside = new AsyncResource("write-behind");

type Options<Line> = {
  /** Name of the shared state: the two module graphs of a process share the buffer. */
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
  return new Map([...buffers].map(([name, { buffer, sent }]) => [name, buffer.size + sent]));
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

const buffers = sharedValue("buffers", () => new Map<string, Buffered>());

/** A write-behind buffer for logs, flushed once a second, so that requests do not wait for writes. */
export function createWriteBehind<Line>({ name, maxBuffered, write }: Options<Line>): WriteBehind<Line> {
  const empty = (): State<Line> => ({ buffer: new Map(), timer: undefined, writing: undefined, sent: 0 });
  const state = sharedValue(name, empty);
  buffers.set(name, state);
  async function flush(): Promise<void> {
    while (state.writing) await state.writing;
    if (state.buffer.size === 0) return;
    const lines = [...state.buffer.values()];
    state.buffer.clear();
    state.sent = lines.length;
    state.writing = write(lines).finally(() => {
      state.writing = undefined;
      state.sent = 0;
    });
    await state.writing;
  }
  return {
    find: (lineName) => state.buffer.get(lineName),
    add(lineName, line) {
      if (state.buffer.size < maxBuffered) state.buffer.set(lineName, line);
      state.timer ??= outside.runInAsyncScope(() =>
        setTimeout(() => {
          state.timer = undefined;
          void flush();
        }, FLUSH_MS).unref(),
      );
    },
    flush,
  };
}
