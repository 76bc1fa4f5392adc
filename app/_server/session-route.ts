import { currentActor, requestId } from "@/app/_server/page";
import { database, isDatabaseUnavailable } from "@/db/client";
import { now } from "@/lib/clock";
import type { Context } from "@/lib/context";
import { AppError, ERRORS, isAppError } from "@/lib/errors";
import { log } from "@/lib/log";

export const NO_STORE = { "Cache-Control": "private, no-store" };

/**
 * The context of a request that a signed-in person's browser makes outside of a page.
 *
 * @throws AppError auth_failed
 */
export async function sessionContext(): Promise<Context> {
  const actor = await currentActor();
  if (!actor) throw new AppError("auth_failed", { message: "You are signed out" });
  return { db: database(), now: now(), actor, requestId: await requestId() };
}

/** Answers with what `work` gives, or with its refusal in the envelope. */
export async function answerSession(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const fallback = isDatabaseUnavailable(error) ? "service_unavailable" : "internal_error";
    const code = isAppError(error) ? error.code : fallback;
    if (ERRORS[code].status >= 500) log.error({ err: error, requestId: await requestId() }, "a request failed");
    const message = isAppError(error) ? error.message : ERRORS[code].message;
    return Response.json({ error: { code, message } }, { status: ERRORS[code].status, headers: NO_STORE });
  }
}

const CHUNK_CHARACTERS = 32_768;

/** Text as it is made, no faster than the reader takes it. */
export function streamOf(lines: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = "";
      while (text.length < CHUNK_CHARACTERS) {
        const line = await lines.next();
        if (line.done) {
          if (text !== "") controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += line.value;
      }
      controller.enqueue(encoder.encode(text));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
