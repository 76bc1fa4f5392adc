import { type Encryption, encryptionOf } from "@/db/open-client";
import type { Fact } from "./domain/fact";

const FIX =
  "Add `sslmode=verify-full` to the address of the database, with `sslrootcert=FILE` where its certificate is signed by a root of its own.";

/** Whether others on the way could read or change what passes between this machine and the databases of these addresses. */
export function checkEncryption(urls: readonly string[]): Fact[] {
  const databases = urls.flatMap(encryptionOf);
  const name = "encryption";
  const hostsOf = (state: Encryption["state"]) =>
    [...new Set(databases.filter((each) => each.state === state).map(({ host }) => host))].join(" and ");
  if (databases.length === 0) return [];
  const [open, unverified, verified] = [hostsOf("none"), hostsOf("unverified"), hostsOf("verified")];
  if (open !== "")
    return [{ name, status: "warn", text: `What passes to and from ${open} may not be encrypted.`, fix: FIX }];
  if (unverified !== "") {
    const text = `What passes to and from ${unverified} is encrypted, without checking the server's certificate.`;
    return [{ name, status: "warn", text, fix: FIX }];
  }
  if (verified === "") return [{ name, status: "ok", text: "The database is on this machine." }];
  return [
    { name, status: "ok", text: `What passes to and from ${verified} is encrypted; its certificate is checked.` },
  ];
}
