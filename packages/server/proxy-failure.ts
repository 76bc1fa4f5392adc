import type { ProxySettings } from "./proxy-options";
import type { Outgoing } from "./proxy-types";

/** Something between this server and the service that its operator has to know; the page gets the status alone. */
export class ProxyFailure extends Error {
  /** Seconds after which it may be over. */
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds = 1, cause?: unknown) {
    super(`imprintProxy: ${message}`, { cause });
    this.name = "ImprintProxyError";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const REPORTED_EVERY_MS = 60_000;
const MAX_KINDS = 100;

/** Tells the site of a failure, once a minute for each text. */
export function createReporter({ onError }: ProxySettings): (error: Error) => void {
  const reported = new Map<string, number>();
  return (error) => {
    const last = reported.get(error.message);
    if (last !== undefined && Date.now() - last < REPORTED_EVERY_MS) return;
    if (reported.size >= MAX_KINDS) reported.clear();
    reported.set(error.message, Date.now());
    try {
      onError(error);
    } catch {
      // What a site does with it is not the visitor's trouble.
    }
  };
}

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): Outgoing => ({
  status,
  headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  body: JSON.stringify(body),
});

/** An error in the form that the component reads. */
export const errorAnswer = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Outgoing => jsonAnswer(status, { error: { code, message } }, headers);

/** What a visitor gets while this server and the service do not come together: the page goes on without an imprint. */
export const unavailable = (): Outgoing =>
  errorAnswer(503, "service_unavailable", "Not available at present", { "Retry-After": "1" });
