/** The described failure of `work`, or that it timed out; undefined if it succeeded. */
export async function problemWithin(
  timeoutMs: number,
  work: Promise<unknown>,
  describe: (error: unknown) => string,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, timeoutMs, "no answer in time")));
  const ended = work.then(
    () => undefined,
    (error: unknown) => describe(error),
  );
  const problem = await Promise.race([ended, late]);
  clearTimeout(timer);
  return problem;
}
