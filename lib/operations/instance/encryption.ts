import { type Encryption, encryptionOf } from "@/db/open-client";
import { type CheckResult, ok, warn } from "./domain/check-result";

const FIX =
  "Add `sslmode=verify-full` to the database URL, with `sslrootcert=FILE` if its certificate is signed by a private CA.";

/** Whether traffic between this machine and the databases could be read or altered in transit. */
export function checkEncryption(urls: readonly string[]): CheckResult[] {
  const databases = urls.flatMap(encryptionOf);
  const name = "encryption";
  const hostsOf = (state: Encryption["state"]) =>
    [...new Set(databases.filter((each) => each.state === state).map(({ host }) => host))].join(" and ");
  if (databases.length === 0) return [];
  const [open, unverified, verified] = [hostsOf("none"), hostsOf("unverified"), hostsOf("verified")];
  if (open !== "") return [warn(name, `The connection to ${open} may be unencrypted.`, FIX)];
  if (unverified !== "") {
    const text = `The connection to ${unverified} is encrypted, but the server's certificate is not checked.`;
    return [warn(name, text, FIX)];
  }
  if (verified === "") return [ok(name, "The database is on this machine.")];
  return [ok(name, `The connection to ${verified} is encrypted, and its certificate is checked.`)];
}
