import { failureAdvice } from "@/lib/platform/failure-text";
import { guardedFetch } from "@/lib/platform/guarded-fetch";
import { linkSignals } from "@/lib/platform/link-signals";
import { readStart } from "@/lib/platform/read-start";
import type { Answer } from "./queries-send";

/** For the whole attempt: connecting, sending, and reading the first bytes of the response. */
export const TIMEOUT_MS = 15_000;
const SHOWN_BYTES = 1_024;

type Message = { url: string; headers: Record<string, string>; payload: string };
type Posted = Answer & { retryAfter: string | null };
export type PostMessage = (message: Message, signal: AbortSignal) => Promise<Posted>;

function problemOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "the message could not be sent";
  if (error.name === "TimeoutError") return `no response within ${timeoutMs / 1000} seconds`;
  const { cause } = error;
  if (cause instanceof Error && cause.message.includes("special-use"))
    return "the URL resolves to a private network, where nothing is sent";
  return failureAdvice(error) ?? "the connection ended before a response";
}

/** Replaces control characters, which would hide parts of a response, and NUL, which cannot be stored. */
const shown = (text: string): string => text.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD");

/**
 * Sends a message once. Redirects are not followed. Of the response body only the first bytes are read, as far as they
 * arrive in time: the status alone decides.
 */
export function createPostMessage({
  mayBePrivate,
  timeoutMs = TIMEOUT_MS,
}: {
  mayBePrivate: boolean;
  timeoutMs?: number;
}): PostMessage {
  return async ({ url, headers, payload }, stopped) => {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    const { signal, unlink } = linkSignals(stopped, AbortSignal.timeout(timeoutMs));
    try {
      const response = await guardedFetch(
        url,
        { method: "POST", headers, body: payload, redirect: "manual", signal },
        { mayBePrivate },
      );
      const answer = shown(await readStart(response, SHOWN_BYTES));
      return {
        status: response.status,
        retryAfter: response.headers.get("retry-after"),
        durationMs: durationMs(),
        answer,
        problem: "",
      };
    } catch (error) {
      return {
        status: undefined,
        retryAfter: null,
        durationMs: durationMs(),
        answer: "",
        problem: problemOf(error, timeoutMs),
      };
    } finally {
      unlink();
    }
  };
}
