const BRAND = Symbol.for("imprint.UsageError");

/** A command line that cannot be understood, with the help to show. */
export class UsageError extends Error {
  readonly [BRAND] = true;
}

export const isUsageError = (error: unknown): error is UsageError =>
  typeof error === "object" && error !== null && BRAND in error;
