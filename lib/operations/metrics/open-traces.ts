import { publishTracer } from "@/lib/platform/tracing";

/** Sends traces to a collector from now on. Without one nothing of the SDK is loaded. */
export async function openTraces(endpoint: string): Promise<{ close: () => Promise<void> }> {
  const { createTracer } = await import("./otel");
  const { tracer, close } = createTracer(endpoint);
  publishTracer(tracer);
  return { close };
}
