const HOUR = 3600;

/** How long messages are also signed with the previous secret, in seconds. */
export const SECRET_OVERLAP_SECONDS = { "0": 0, "1h": HOUR, "24h": 24 * HOUR, "7d": 7 * 24 * HOUR } as const;

export type SecretOverlap = keyof typeof SECRET_OVERLAP_SECONDS;

export const DEFAULT_SECRET_OVERLAP: SecretOverlap = "24h";
