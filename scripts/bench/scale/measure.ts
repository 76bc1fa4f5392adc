import { processorMicros } from "../http/processor-time";
import { CONNECTIONS, generateLoad, type Tool } from "../http/load";
import { databaseMicros } from "./processor-time";
import type { openPlaces, Spread } from "./prepare";

export const ROWS = ["submission", "delivery", "reread"] as const;
export type RowName = (typeof ROWS)[number];

type Places = Awaited<ReturnType<typeof openPlaces>>;
type Service = { pid: number; address: string };
type Method = { tool: Tool; seconds: number; rate: number; rereadRate: number };

/** Factor of spare one-time requests beyond what is expected. */
const SPARE = 1.7;

function requestsOf(places: Places, { address }: Service, row: RowName, spread: Spread, method: Method) {
  const { seconds, rate, rereadRate } = method;
  const count = Math.ceil(rate * seconds * SPARE) + 2 * CONNECTIONS;
  if (row === "submission") return places.submissions(count, spread);
  return row === "reread" ? places.rereads(2_000, rereadRate, spread) : places.deliveries(address, count, rate, spread);
}

/** Takes one measurement: requests per second, latencies, and CPU time per request of service and database. */
export async function measure(places: Places, service: Service, row: RowName, spread: Spread, method: Method) {
  const requests = await requestsOf(places, service, row, spread, method);
  const database = new URL(places.url).pathname.slice(1);
  const before = { service: processorMicros(service.pid) ?? 0, database: databaseMicros(database) };
  const load = await generateLoad(method.tool, { address: service.address, seconds: method.seconds, requests });
  const after = { service: processorMicros(service.pid) ?? 0, database: databaseMicros(database) };
  if (row !== "reread" && load.requests > requests.length)
    throw new Error(`${row}: ${requests.length} requests were not enough. Measure again with a higher --rate.`);
  return {
    row,
    spread,
    requestsPerSecond: Math.round(load.requests / load.seconds),
    p99Ms: Number(load.p99Ms.toFixed(2)),
    failed: load.failed,
    serviceMicros: Math.round((after.service - before.service) / load.requests),
    databaseMicros: Math.round((after.database - before.database) / load.requests),
  };
}

export type Measured = Awaited<ReturnType<typeof measure>>;
