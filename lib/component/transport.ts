import type { ImprintErrorCode } from "./api";
import { createError } from "./error";
import { attempt, wait } from "./read";

const RETRIES = 2;
const FIRST_WAIT_MS = 200;

/** Codes of the service that reach the page unchanged, by how they begin; any other is `server_error`. */
const SHARED_CODE = /^(origin_|environment_|rate_|request_|challenge_|invalid_req|payload_)/;

type Body = Record<string, unknown>;

/**
 * The JSON object in a successful answer.
 *
 * @throws ImprintError with the code of the envelope; `bad_response` when there is neither object nor envelope
 */
export const readAnswer = ({ ok, status, headers }: Response, text: string): Body => {
  const body = attempt(() => JSON.parse(text) as Body | null);
  if (ok && body) return body;
  const { code, message } = (body?.["error"] ?? {}) as { code?: unknown; message?: unknown };
  const requestId = headers.get("X-Request-Id");
  if (typeof code === "string")
    throw createError(
      SHARED_CODE.test(code) ? (code as ImprintErrorCode) : "server_error",
      `${code}: ${String(message)}`,
      requestId,
    );
  throw createError(
    "bad_response",
    `Not an answer of Imprint: check endpoint. Status ${status}`,
    requestId,
    status > 499,
  );
};

/**
 * Posts `body`, and the identical text again after a network fault: the service answers a repeated submission
 * with the same imprint. An answer, whatever its status, is never asked for twice.
 *
 * @param credentials `same-origin` where a proxy of the site keeps the token in its cookie
 * @throws ImprintError
 */
export const post = async (
  url: string,
  body: string,
  signal: AbortSignal,
  credentials: RequestCredentials,
): Promise<Body> => {
  for (let attempts = 0; ; attempts++) {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method: "POST",
        // Text goes as text/plain, which needs no preflight request.
        body,
        credentials,
        referrerPolicy: "strict-origin-when-cross-origin",
        // Lets a submission finish while the page goes away, as after a form was sent.
        keepalive: true,
        signal,
      });
      text = await response.text();
    } catch {
      if (attempts < RETRIES) await wait(FIRST_WAIT_MS * 2 ** attempts * (0.5 + Math.random()));
      if (attempts < RETRIES && !signal.aborted) continue;
      throw createError("network", `No answer from ${url}: offline, or blocked by CSP or an extension.`);
    }
    return readAnswer(response, text);
  }
};
