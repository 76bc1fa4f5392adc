const MAX_LENGTH = 200;

/** A received `Origin` header, made safe to display: printable ASCII, at most 200 characters; empty if there was none. */
export const shownOrigin = (origin: string | undefined): string =>
  (origin ?? "").slice(0, MAX_LENGTH).replaceAll(/[^\x20-\x7e]/g, "?");
