/** The work's result; rejects when the signal is aborted. Leaves no listener on the signal. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let fail: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    fail = () => {
      reject(new Error("aborted"));
    };
    if (signal.aborted) fail();
    else signal.addEventListener("abort", fail, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", fail);
  }
}
