type Holder<T> = { value?: T | undefined };

/**
 * The holder of a value that the process's two module graphs share, empty at first. Fetch it once per module. Share only
 * data and handles: each module graph has its own classes.
 */
export function sharedState<T>(name: string): Holder<T> {
  const holders = globalThis as { [key: symbol]: Holder<T> | undefined };
  return (holders[Symbol.for(`imprint.${name}`)] ??= {});
}

/** A value that the process's two module graphs share, made by the first of them. */
export const sharedValue = <T>(name: string, make: () => T): T => (sharedState<T>(name).value ??= make());
