const ADVICE = 'See "Memory" in docs/operations.md.';

/** What these signals usually mean if nobody has sent them. V8 traps when the system gives it no memory. */
const CAUSES: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: `as when its heap is full: raise --max-old-space-size in NODE_OPTIONS. ${ADVICE}`,
  SIGKILL: `as when the machine or container has no memory left. ${ADVICE}`,
  SIGTRAP: `as when the system gives it no more memory. ${ADVICE}`,
};

/** How a process exited, in words. */
export function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null) return `it exited with code ${code}`;
  const cause = CAUSES[signal];
  return cause === undefined ? `it exited with ${signal}` : `it exited with ${signal}, ${cause}`;
}
