/** A list of connections in one state, as postgres 3.4.9 implements it. */
type Queue = { readonly length: number; shift: () => unknown; push: (connection: unknown) => unknown };
type Connection = { queue: Queue };

/** Number of queries after which a list is rebuilt. */
const QUERIES = 500;
const counts = new WeakMap<Queue, number>();

/** Emptying a list discards its holes; the order is preserved. */
function rebuild(queue: Queue): void {
  const connections: unknown[] = [];
  while (queue.length > 0) connections.push(queue.shift());
  for (const connection of connections) queue.push(connection);
}

/**
 * For the driver's `onexecute` option. The driver's connection lists keep a hole for every connection removed until the
 * list is empty, and each query scans all holes: if some connections are always idle, a query takes 1 ms longer after a
 * million others.
 */
export function rebuildQueues({ queue }: Connection): true {
  const count = (counts.get(queue) ?? 0) + 1;
  counts.set(queue, count % QUERIES);
  if (count === QUERIES) rebuild(queue);
  return true;
}
