import type { ServiceSecrets } from "@/lib/platform/secrets";

/** All bytes are equal, so that a leaked value is easy to find. */
const KEY = `k1:${Buffer.alloc(32, 7).toString("base64")}`;

/** Secrets of the test processes, identical in every file so that stored hashes can be compared. */
export const TEST_SECRETS: ServiceSecrets = {
  authSecret: "test-auth-secret-test-auth-secret",
  keyPepper: KEY,
  keks: KEY,
};
