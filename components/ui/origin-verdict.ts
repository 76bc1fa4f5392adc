export type OriginVerdict =
  | { text: string; ok: true; origin: string }
  | { text: string; ok: false; explanation: string; suggestion?: string };

/** The entries of a pasted list: one per line, or separated by spaces, commas or semicolons. */
export const splitOrigins = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter(Boolean))];

/** Whether the origin is a developer's own machine. */
export const isDevelopmentOrigin = (origin: string): boolean =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]|[a-z0-9-]+\.localhost)(:\d+)?$/.test(origin);
