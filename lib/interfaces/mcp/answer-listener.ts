import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";

const LISTENERS_OF_A_PERSON = 8;
const RETRY_AFTER_SECONDS = 60;
const RECHECK_MS = 30_000;

const held = new Map<string, number>();

/** Reserves one of a person's listeners in this process; returns a function that releases it. */
function holdListener(userId: string): () => void {
  const count = held.get(userId) ?? 0;
  if (count >= LISTENERS_OF_A_PERSON)
    throw new AppError("rate_limited", {
      message: `${LISTENERS_OF_A_PERSON} listeners of this person are open. Close one first`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  held.set(userId, count + 1);
  return () => {
    const left = (held.get(userId) ?? 0) - 1;
    if (left > 0) held.set(userId, left);
    else held.delete(userId);
  };
}

/** Aborted once `isAllowed` says no; while it fails, as during an outage, the listener stays. */
function watchAccess(isAllowed: () => Promise<boolean>): { refused: AbortSignal; stop: () => void } {
  const refused = new AbortController();
  const look = () => {
    isAllowed().then(
      (allowed) => {
        if (!allowed) refused.abort();
      },
      (error: unknown) => {
        log.warn({ err: error }, "the access of a listener was not read");
      },
    );
  };
  const timer = setInterval(look, RECHECK_MS).unref();
  return {
    refused: refused.signal,
    stop() {
      clearInterval(timer);
    },
  };
}

type Listener = {
  userId: string;
  /** Whether the client may still listen. */
  isAllowed: () => Promise<boolean>;
};

/**
 * Answers with a stream that stays open while its client is allowed to listen, for a bounded number of listeners of one
 * person.
 *
 * @param respond ends the stream when the signal is aborted
 * @throws AppError `rate_limited`
 */
export async function answerListener(
  { userId, isAllowed }: Listener,
  respond: (refused: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const release = holdListener(userId);
  const { refused, stop } = watchAccess(isAllowed);
  const end = () => {
    stop();
    release();
  };
  try {
    const response = await respond(refused);
    const passage = new TransformStream<Uint8Array, Uint8Array>();
    const body = response.body ?? new Blob([]).stream();
    // Settles whichever side ends it: the server, the client, or a lost connection.
    void body.pipeTo(passage.writable).then(end, end);
    return new Response(passage.readable, response);
  } catch (error) {
    end();
    throw error;
  }
}
