import { type Encryption, encryptionOf } from "@/db/open-client";
import type { Fact } from "./domain/fact";

const FIX =
  "Add `sslmode=verify-full` to the database URL, with `sslrootcert=FILE` if its certificate is signed by a private CA.";

/** Whether traffic between this machine and the databases could be read or altered in transit. */
export function checkEncryption(urls: readonly string[]): Fact[] {
  const databases = urls.flatMap(encryptionOf);
  const name = "encryption";
  const hostsOf = (state: Encryption["state"]) =>
    [...new Set(databases.filter((each) => each.state === state).map(({ host }) => host))].join(" and ");
  if (databases.length === 0) return [];
  const [open, unverified, verified] = [hostsOf("none"), hostsOf("unverified"), hostsOf("verified")];
  if (open !== "") return [{ name, status: "warn", text: `The connection to ${open} may be unencrypted.`, fix: FIX }];
  if (unverified !== "") {
    const text = `The connection to ${unverified} is encrypted, but the server's certificate is not checked.`;
    return [{ name, status: "warn", text, fix: FIX }];
  }
  if (verified === "") return [{ name, status: "ok", text: "The database is on this machine." }];
  return [{ name, status: "ok", text: `The connection to ${verified} is encrypted, and its certificate is checked.` }];
}
