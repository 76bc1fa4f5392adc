/** A list of connections in one state, as postgres 3.4.9 keeps it. */
type Queue = { readonly length: number; shift: () => unknown; push: (connection: unknown) => unknown };
type Connection = { queue: Queue };

/** Queries after which a list is begun anew. */
const QUERIES = 500;
const counts = new WeakMap<Queue, number>();

/** Empties a list, which then forgets its holes, and fills it again in the same order. */
function renew(queue: Queue): void {
  const connections: unknown[] = [];
  while (queue.length > 0) connections.push(queue.shift());
  for (const connection of connections) queue.push(connection);
}

/**
 * For the driver's option `onexecute`. Its lists of connections keep a hole for every connection that was ever taken out
 * until they are empty, and each query searches through all holes: where some connections are always idle, a query
 * takes a millisecond longer after a million others.
 */
export function renewQueues({ queue }: Connection): true {
  const count = (counts.get(queue) ?? 0) + 1;
  counts.set(queue, count % QUERIES);
  if (count === QUERIES) renew(queue);
  return true;
}
