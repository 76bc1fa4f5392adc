import { createHash } from "node:crypto";

const HASH_BYTES = 16;

/** The stored hash of the id under which a caller accepts an imprint. */
export const hashAcceptance = (acceptance: string): Buffer =>
  createHash("sha256").update(acceptance).digest().subarray(0, HASH_BYTES);
