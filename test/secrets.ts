import type { ServiceSecrets } from "@/lib/platform/secrets";

/** Every byte is the same, so that a leaked value is easily found. */
const KEY = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

/** Secrets of the test processes: the same in every file, so that stored hashes can be compared. */
export const TEST_SECRETS: ServiceSecrets = {
  authSecret: "test-auth-secret-test-auth-secret",
  keyPepper: KEY,
  keks: KEY,
};
