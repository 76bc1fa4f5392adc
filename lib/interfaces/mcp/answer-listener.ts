import { AppError } from "@/lib/contract/errors";

const LISTENERS_OF_A_PERSON = 8;
const RETRY_AFTER_SECONDS = 60;

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

/**
 * Answers with a stream that stays open, for a bounded number of listeners of one person.
 *
 * @throws AppError `rate_limited`
 */
export async function answerListener(userId: string, respond: () => Promise<Response>): Promise<Response> {
  const release = holdListener(userId);
  try {
    const response = await respond();
    const passage = new TransformStream<Uint8Array, Uint8Array>();
    const body = response.body ?? new Blob([]).stream();
    // Settles whichever side ends it: the server, the client, or a lost connection.
    void body.pipeTo(passage.writable).then(release, release);
    return new Response(passage.readable, response);
  } catch (error) {
    release();
    throw error;
  }
}
