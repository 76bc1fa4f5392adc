import { createHash } from "node:crypto";

const HASH_BYTES = 16;

/** What is stored of the id that a caller accepts an imprint under. */
export const hashAcceptance = (acceptance: string): Buffer =>
  createHash("sha256").update(acceptance).digest().subarray(0, HASH_BYTES);
