import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";

import { env } from "@/lib/platform/env";
import type { Tracer } from "@/lib/platform/tracing";
import { version } from "@/package.json";

type Carrier = Readonly<Record<string, string | string[] | undefined>>;

/** For W3C trace context only: strangers' baggage is not forwarded. */
const getter = {
  keys: (carrier: Carrier) => Object.keys(carrier),
  get: (carrier: Carrier, key: string) => carrier[key],
};
const setter = {
  set: (carrier: Record<string, string>, key: string, value: string) => {
    carrier[key] = value;
  },
};

const sqlStateOf = (failure: unknown): string | undefined =>
  typeof failure === "object" && failure !== null && "code" in failure && typeof failure.code === "string"
    ? failure.code
    : undefined;

/** Wraps the official SDK in our own interface. Nothing is registered globally, so libraries create no spans. */
export function createTracer(endpoint: string): { tracer: Tracer; close: () => Promise<void> } {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      "service.name": env.OTEL_SERVICE_NAME,
      "service.version": version,
      "process.pid": process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const spans = provider.getTracer("imprint", version);
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();
  return {
    tracer: {
      async request(headers, work, end) {
        const parent = propagator.extract(ROOT_CONTEXT, headers, getter);
        const span = spans.startSpan("request", { kind: SpanKind.SERVER }, parent);
        try {
          return await contexts.with(trace.setSpan(parent, span), work);
        } finally {
          const { operation, status, code, requestId } = end();
          span.updateName(operation);
          span.setAttributes({
            "http.response.status_code": status,
            "imprint.code": code,
            "imprint.request_id": requestId,
          });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }
      },
      statement(name) {
        const options = { kind: SpanKind.CLIENT, attributes: { "db.system.name": "postgresql" } };
        const span = spans.startSpan(name, options, contexts.active());
        return (failure) => {
          const sqlState = sqlStateOf(failure);
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          if (sqlState !== undefined) span.setAttribute("db.response.status_code", sqlState);
          span.end();
        };
      },
      outgoing() {
        const headers: Record<string, string> = {};
        propagator.inject(contexts.active(), headers, setter);
        return headers;
      },
      traceId: () => trace.getSpanContext(contexts.active())?.traceId,
    },
    close: () => provider.shutdown(),
  };
}
