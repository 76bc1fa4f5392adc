import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NEW_KEY = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "7"];
const NAMES = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];

/** Creates a key and a self-signed certificate for `localhost`, valid for seven days, both as PEM. */
export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "imprint-tls-"));
  try {
    const [keyFile, certificateFile] = [join(folder, "key"), join(folder, "certificate")];
    execFileSync("openssl", [...NEW_KEY, ...NAMES, "-keyout", keyFile, "-out", certificateFile], { stdio: "ignore" });
    return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certificateFile, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
