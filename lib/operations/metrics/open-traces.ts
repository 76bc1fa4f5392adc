import { publishTracer } from "@/lib/platform/tracing";

/** Starts sending traces to a collector. The SDK is loaded only here. */
export async function openTraces(endpoint: string): Promise<{ close: () => Promise<void> }> {
  const { createTracer } = await import("./otel");
  const { tracer, close } = createTracer(endpoint);
  publishTracer(tracer);
  return { close };
}
