import type { FuzzRequest } from "./request";
import type { Summary } from "./run";
import { asCurl } from "./wire";

const ERROR_LEVEL = 50;
const MAX_SHOWN = 40;

type Logged = { level?: number; msg?: string; requestId?: string; err?: { message?: string; code?: string } };

function parse(line: string): Logged | undefined {
  try {
    return JSON.parse(line.trim()) as Logged;
  } catch {
    return undefined;
  }
}

/** Treats errors logged by the service as findings, even if the answer does not show them. */
export function collectErrors() {
  const logged: Logged[] = [];
  const requests = new Map<string, { index: number; request: FuzzRequest }>();
  return {
    read: (line: string) => {
      const entry = parse(line);
      if (entry?.level !== undefined && entry.level >= ERROR_LEVEL) logged.push(entry);
    },
    /** Associates a request with the id that the service gave it. */
    name: (requestId: string, index: number, request: FuzzRequest) => {
      if (requestId !== "") requests.set(requestId, { index, request });
    },
    addTo(summary: Summary): Summary {
      const known = new Set(summary.findings.map(({ request }) => request));
      const more = logged.flatMap(({ requestId = "", msg = "", err }) => {
        const sent = requests.get(requestId);
        // Lines without a request id are not about an answer: sign-in libraries log what they refuse.
        if (!sent || known.has(sent.index)) return [];
        const faults = [`logged as an error: ${msg} ${err?.code ?? ""} ${err?.message ?? ""}`.trim().slice(0, 300)];
        return [
          {
            request: sent.index,
            operation: sent.request.operation,
            faults,
            status: 0,
            answer: "",
            curl: asCurl("", sent.request),
          },
        ];
      });
      return {
        ...summary,
        found: summary.found + more.length,
        findings: [...summary.findings, ...more.slice(0, MAX_SHOWN)],
      };
    },
  };
}
