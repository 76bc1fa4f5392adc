const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "expect", "te", "trailer"]);

/**
 * Whether a header (lower case) applies to a single connection and must not be forwarded. Source: RFC 9110, section
 * 7.6.1.
 */
export const isHopByHop = (name: string): boolean => HOP_BY_HOP.has(name);
