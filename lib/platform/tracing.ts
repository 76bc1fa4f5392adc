import type { IncomingHttpHeaders } from "node:http";

/** What is known of a request when it was answered. */
type Ended = { operation: string; status: number; code: string; requestId: string };

/** Makes spans; nobody does unless an OpenTelemetry endpoint is set. */
export type Tracer = {
  /** Runs a request in a span that continues the caller's trace. `end` tells what the span is called by. */
  request: <T>(headers: IncomingHttpHeaders, work: () => Promise<T>, end: () => Ended) => Promise<T>;
  /** Begins the span of a statement; what it returns ends it. */
  statement: (name: string) => (failure?: unknown) => void;
  /** Headers by which another service continues the trace of the request that is being served. */
  outgoing: () => Record<string, string>;
  /** The id of the trace of the request that is being served. */
  traceId: () => string | undefined;
};

const HOLDER = Symbol.for("imprint.tracer");
const holder = globalThis as { [HOLDER]?: Tracer | undefined };

/** The tracer of this process, shared by its two module graphs. */
export const tracer = (): Tracer | undefined => holder[HOLDER];

export function publishTracer(made: Tracer | undefined): void {
  holder[HOLDER] = made;
}
