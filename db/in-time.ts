/** Longest wait for what a connection shows; a server that hangs keeps its connections open. */
const PROOF_TIMEOUT_MS = 3_000;

/** Settles as `work`, or rejects when that takes longer than a server takes to show something. */
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
