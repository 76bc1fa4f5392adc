/** Time limit for a connection to prove itself; a server that hangs keeps its connections open. */
const PROOF_TIMEOUT_MS = 3_000;

/** Settles as `work` does, or rejects after the time limit. */
export async function inTime<T>(work: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${PROOF_TIMEOUT_MS} ms`));
    }, PROOF_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
