/** A list of connections in one state, as postgres 3.4.9 keeps it. */
type Queue = { readonly length: number; shift: () => unknown; push: (connection: unknown) => unknown };
type Connection = { queue: Queue };

/** Queries after which a list is rebuilt. */
const QUERIES = 500;
const counts = new WeakMap<Queue, number>();

/** An emptied list drops its holes; the order is kept. */
function rebuild(queue: Queue): void {
  const connections: unknown[] = [];
  while (queue.length > 0) connections.push(queue.shift());
  for (const connection of connections) queue.push(connection);
}

/**
 * For the driver's option `onexecute`. Its lists of connections keep a hole for every connection that was taken out,
 * until they are empty, and each query scans all holes: if some connections are always idle, a query takes 1 ms longer
 * after a million others.
 */
export function rebuildQueues({ queue }: Connection): true {
  const count = (counts.get(queue) ?? 0) + 1;
  counts.set(queue, count % QUERIES);
  if (count === QUERIES) rebuild(queue);
  return true;
}
