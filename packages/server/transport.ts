import { SERVICE_CODES, type ServiceCode } from "./contract";
import { ImprintServerError, isImprintServerError } from "./error";
import type { Settings } from "./options";
import { readText } from "./read-text";
import { pause, within } from "./within";
import { version } from "./version.json";

export type Call = { path: string; headers?: Record<string, string>; signal?: AbortSignal | undefined };
export type Answer = { body: unknown; headers: Headers };

const MAX_MESSAGE_LENGTH = 500;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 1000;

/** These would be answered the same a moment later. */
const NOT_REPEATED: readonly ServiceCode[] = ["quota_exhausted", "request_limit_reached"];

const isServiceCode = (code: unknown): code is ServiceCode => SERVICE_CODES.some((known) => known === code);

/** Seconds of a `Retry-After`, which is a number or a date. Source: RFC 9110, section 10.2.3. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a status alone says, of a load balancer or of a service that has codes which this version does not know. */
function codeOfStatus(status: number): ServiceCode | "bad_response" {
  if (status === 429) return "rate_limited";
  if (status === 502 || status === 503 || status === 504) return "service_unavailable";
  return "bad_response";
}

/** The failure that an answer other than 200 stands for. The key is in no part of it, whoever repeats it. */
function refusal({ status, headers }: Response, body: unknown, { apiKey }: Settings): ImprintServerError {
  const clear = (text: string) => text.replaceAll(apiKey, "…");
  const envelope = Object(body) as { error?: { code?: unknown; message?: unknown } | null };
  const code = envelope.error?.code;
  const message = envelope.error?.message;
  const details = {
    status,
    retryAfterSeconds: retryAfter(headers.get("Retry-After")),
    requestId: clear(headers.get("X-Request-Id") ?? "") || undefined,
  };
  if (isServiceCode(code)) {
    const text = typeof message === "string" ? clear(message).slice(0, MAX_MESSAGE_LENGTH) : code;
    return new ImprintServerError(code, text, details);
  }
  const isCode = typeof code === "string" && /^\w{1,64}$/.test(code);
  const what = isCode ? `the unknown code ${clear(code)}` : `status ${status}`;
  return new ImprintServerError(codeOfStatus(status), `The endpoint answered with ${what}`, details);
}

/** A redirect is never followed: the key is for the endpoint alone. */
async function refuseRedirect({ status, type, body }: Response): Promise<void> {
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return;
  await body?.cancel();
  throw new ImprintServerError(
    "bad_response",
    "The endpoint answered with a redirect, which is not followed. Set `endpoint` to the address where the service itself answers",
    { status: status === 0 ? undefined : status },
  );
}

/** What every request asks for. Frameworks that cache by default are told not to, where the runtime knows how. */
const requestInit = (): RequestInit => ({
  method: "GET",
  redirect: "manual",
  ...(typeof Request === "function" && "cache" in Request.prototype && { cache: "no-store" }),
});

async function exchange(settings: Settings, call: Call, signal: AbortSignal): Promise<Answer> {
  const { endpoint, apiKey, fetch } = settings;
  const response = await fetch(`${endpoint}${call.path}`, {
    ...requestInit(),
    headers: {
      Accept: "application/json",
      "User-Agent": `imprint-server/${version}`,
      ...call.headers,
      "X-API-Key": apiKey,
    },
    signal,
  });
  await refuseRedirect(response);
  const body = parse(await readText(response));
  if (response.status !== 200) throw refusal(response, body, settings);
  if (typeof body !== "object" || body === null)
    throw new ImprintServerError("bad_response", "The endpoint answered with something other than JSON", {
      status: 200,
    });
  return { body, headers: response.headers };
}

/** What a connection failed of, without what else the error of a library holds. */
function networkError(error: unknown, { apiKey }: Settings): ImprintServerError {
  const failed = Object(error) as { cause?: unknown; code?: unknown; message?: unknown };
  const cause = Object(failed.cause) as { code?: unknown; message?: unknown };
  const known = [cause.code, failed.code, cause.message, failed.message];
  const why = known.find((text): text is string => typeof text === "string" && text !== "") ?? "no answer";
  return new ImprintServerError("network", `Imprint could not be reached: ${why.replaceAll(apiKey, "…")}`);
}

/** Milliseconds until the request is sent again; undefined when it is not. Full jitter: between nothing and the whole. */
function waitBefore(error: ImprintServerError, retry: number): number | undefined {
  const { code, status, retryAfterSeconds } = error;
  const isRepeated =
    code === "network" ||
    code === "timeout" ||
    (status === 429 && retryAfterSeconds !== undefined && !NOT_REPEATED.some((known) => known === code)) ||
    status === 502 ||
    status === 503 ||
    status === 504;
  if (!isRepeated) return undefined;
  const jitterMs = Math.random() * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** retry);
  return (retryAfterSeconds ?? 0) * 1000 + jitterMs;
}

/** The signal itself, and not its controller: what cannot be listened to would fail in the middle of a call. */
function requireSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  if (typeof (Object(signal) as Partial<AbortSignal>).addEventListener !== "function")
    throw new ImprintServerError("invalid_request", "signal has to be an AbortSignal");
}

/**
 * Asks the service, again where that is safe, until the deadline.
 *
 * @throws ImprintServerError
 */
export async function ask(settings: Settings, call: Call): Promise<Answer> {
  requireSignal(call.signal);
  const endsAt = performance.now() + settings.timeoutMs;
  for (let retry = 0; ; retry++) {
    const timeoutMs = Math.min(settings.attemptTimeoutMs, endsAt - performance.now());
    try {
      return await within(timeoutMs, call.signal, (signal) => exchange(settings, call, signal));
    } catch (error) {
      const failure = isImprintServerError(error) ? error : networkError(error, settings);
      const waitMs = waitBefore(failure, retry);
      if (waitMs === undefined || retry >= settings.retries || performance.now() + waitMs >= endsAt) throw failure;
      await pause(waitMs, call.signal);
    }
  }
}
