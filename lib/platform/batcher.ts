/** Milliseconds after which waiting items no longer wait for the batch that is running, which may be blocked. */
const MAX_WAIT_MS = 10;
/** Pause after a batch of several items, as a multiple of the time that it took. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 20;

type Options<Item, Result> = {
  /** Maximum number of items in a batch. */
  maxItems: number;
  /** Only items of the same group are run together. */
  groupOf: (item: Item) => string;
  /** Items that share a key are never in the same batch. */
  keysOf: (item: Item) => readonly string[];
  /**
   * Runs a batch; results are in the order of the items. `retryIndividually` means that nothing was done and that the
   * items have to be run one by one; never for a single item.
   */
  run: (items: readonly [Item, ...Item[]]) => Promise<readonly Result[] | "retryIndividually">;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Takes the next batch from the queue, in order; items that share a key with an earlier one stay. */
function takeBatch<Item, Result>(
  queue: Waiting<Item, Result>[],
  { maxItems, keysOf }: Options<Item, Result>,
): Waiting<Item, Result>[] {
  const keys = new Set<string>();
  const left: Waiting<Item, Result>[] = [];
  const batch: Waiting<Item, Result>[] = [];
  for (const waiting of queue.splice(0)) {
    const own = keysOf(waiting.item);
    if (batch.length === maxItems || own.some((key) => keys.has(key))) {
      left.push(waiting);
      continue;
    }
    for (const key of own) keys.add(key);
    batch.push(waiting);
  }
  queue.push(...left);
  return batch;
}

/** Runs items in order to settle their promises. */
async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  run: Options<Item, Result>["run"],
): Promise<void> {
  const [first, ...others] = batch;
  if (!first) return;
  try {
    const results = await run([first.item, ...others.map(({ item }) => item)]);
    if (results === "retryIndividually" && others.length > 0)
      await Promise.all(batch.map((waiting) => settle([waiting], run)));
    else if (results.length !== batch.length || results === "retryIndividually")
      throw new Error("a batch has one result per item");
    else for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result); // as many as items
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** When the next batch may start, after one of several items that ends now. */
function endOfPause(startedAt: number): number {
  const now = performance.now();
  return now + Math.min(PAUSE_FACTOR * (now - startedAt), MAX_PAUSE_MS);
}

function createGroup<Item, Result>(options: Options<Item, Result>, onIdle: () => void) {
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let immediate: NodeJS.Immediate | undefined;
  /** No batch starts earlier, unless it is full. In milliseconds of `performance.now`. */
  let pausedUntil = 0;

  function start(): void {
    clearTimeout(timer);
    clearImmediate(immediate);
    timer = immediate = undefined;
    if (queue.length === 0) {
      if (running === 0) onIdle();
      return;
    }
    running += 1;
    const startedAt = performance.now();
    const batch = takeBatch(queue, options);
    void settle(batch, options.run).then(() => {
      running -= 1;
      pausedUntil = batch.length > 1 ? endOfPause(startedAt) : 0;
      // A start without items would run later ones in this request's context.
      if (queue.length > 0 || pausedUntil > 0) startSoon();
      else if (running === 0) onIdle();
    });
    if (queue.length > 0) timer = setTimeout(start, MAX_WAIT_MS);
  }

  /** Starts after the requests that can be read at once, so that their items are in the batch. */
  function startSoon(): void {
    const pauseMs = pausedUntil - performance.now();
    if (pauseMs < 1 || queue.length >= options.maxItems) immediate ??= setImmediate(start);
    else timer ??= setTimeout(start, pauseMs);
  }

  return (waiting: Waiting<Item, Result>): void => {
    queue.push(waiting);
    if (running === 0) startSoon();
    else timer ??= setTimeout(start, MAX_WAIT_MS);
  };
}

/**
 * Runs together the items that arrive while an earlier batch of their group is running, and in a pause after it if that
 * one had several items, as databases do with commits: a single item waits for nothing, and the busier the process is,
 * the less each one costs.
 *
 * @returns a function that resolves to an item's result, or rejects with what `run` threw for its batch
 */
export function createBatcher<Item, Result>(options: Options<Item, Result>): (item: Item) => Promise<Result> {
  const groups = new Map<string, ReturnType<typeof createGroup<Item, Result>>>();
  return (item) =>
    new Promise((resolve, reject) => {
      const name = options.groupOf(item);
      const add = groups.get(name) ?? createGroup(options, () => groups.delete(name));
      groups.set(name, add);
      add({ item, resolve, reject });
    });
}
