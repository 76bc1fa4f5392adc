import type { IncomingHttpHeaders } from "node:http";

import { sharedState } from "./shared-state";

/** Attributes of a request that are known when it has been answered. */
type Ended = { operation: string; status: number; code: string; requestId: string };

/** Creates spans. Only present if an OpenTelemetry endpoint is configured. */
export type Tracer = {
  /** Runs a request in a span that continues the caller's trace. `end` returns the span's final name and attributes. */
  request: <T>(headers: IncomingHttpHeaders, work: () => Promise<T>, end: () => Ended) => Promise<T>;
  /** Starts the span of a statement and returns a function that ends it. */
  statement: (name: string) => (failure?: unknown) => void;
  /** Headers that propagate the trace of the current request to another service. */
  outgoing: () => Record<string, string>;
  /** Trace id of the current request. */
  traceId: () => string | undefined;
};

const holder = sharedState<Tracer>("tracer");

/** The tracer of this process. */
export const tracer = (): Tracer | undefined => holder.value;

export function publishTracer(made: Tracer | undefined): void {
  holder.value = made;
}
