import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type ReceivedSpan = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};
type Body = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };

/** Starts an OpenTelemetry trace collector (OTLP/HTTP with JSON). */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  let raw = "";
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      raw += body;
      const { resourceSpans } = JSON.parse(body) as Body;
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      res.writeHead(200, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything received. */
    raw: () => raw,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
