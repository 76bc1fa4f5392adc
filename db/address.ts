import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";

import postgres from "postgres";

type Tls = ConnectionOptions | "require" | "prefer" | false;

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

/** Parameters of libpq that the driver does not need. It would send them to the server as settings, which refuses them. */
const LEFT_OUT = [
  ...["channel_binding", "client_encoding", "fallback_application_name", "gssdelegation", "gssencmode", "gsslib"],
  ...["keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname", "load_balance_hosts"],
  ...["passfile", "sslcertmode", "sslcompression", "sslsni", "tcp_user_timeout"],
];
/** Those that make a connection safer: leaving them out would be less than was asked for. */
const UNSUPPORTED = ["require_auth", "requirepeer", "sslcrl", "sslcrldir", "sslpassword"];

/** @throws Error that names the parameter and the file */
function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`The file that ${name} names in the address of the database cannot be read: ${file}`, { cause });
  }
}

function modeOf(take: (name: string) => string | undefined, hasRoot: boolean): Mode | undefined {
  const given = take("sslmode") ?? take("ssl");
  if (given === undefined) return hasRoot ? "verify-full" : undefined;
  // `ssl=true` is what several hosts write.
  const name = { true: "require", false: "disable" }[given] ?? given;
  const mode = MODES.find((each) => each === name);
  if (mode === undefined)
    throw new Error(`The address of the database has the sslmode ${given}; it may be ${MODES.join(", ")}`);
  // With a root certificate libpq verifies what it would only encrypt.
  return mode === "require" && hasRoot ? "verify-ca" : mode;
}

/** Of the server's certificate: an address has to stand in it as such, where a name is compared by default. */
const identityOf = (mode: Mode, host: string): ConnectionOptions => {
  if (mode === "verify-ca") return { checkServerIdentity: () => undefined };
  return isIP(host) === 0 ? {} : { host };
};

function tlsOf(mode: Mode | undefined, extra: ConnectionOptions, host: string): Tls | undefined {
  if (mode === undefined) return undefined;
  if (mode === "disable") return false;
  if (mode === "verify-ca" || mode === "verify-full") return { ...extra, ...identityOf(mode, host) };
  if (mode === "require") return Object.keys(extra).length === 0 ? "require" : { ...extra, rejectUnauthorized: false };
  return "prefer";
}

/**
 * The address of a database as the driver takes it, and its TLS as libpq reads the parameters `sslmode`, `sslrootcert`,
 * `sslcert`, `sslkey` and the versions of the protocol. So what works for `psql` works for the service.
 *
 * @throws Error when a parameter cannot be heeded, or one of its files not be read
 */
export function driverAddress(url: string): { address: string; ssl: Tls | undefined } {
  const address = new URL(url);
  const take = (name: string): string | undefined => {
    const value = address.searchParams.get(name);
    address.searchParams.delete(name);
    return value === null || value === "" ? undefined : value;
  };
  for (const name of UNSUPPORTED) {
    if (take(name) !== undefined)
      throw new Error(`The address of the database has the parameter ${name}, which Imprint cannot heed: leave it out`);
  }
  for (const name of LEFT_OUT) take(name);
  const pem = (name: string, file = take(name)) => (file === undefined ? undefined : readPem(name, file));
  const root = take("sslrootcert");
  const mode = modeOf(take, root !== undefined);
  const given = {
    ca: root === "system" ? undefined : pem("sslrootcert", root),
    cert: pem("sslcert"),
    key: pem("sslkey"),
    minVersion: take("ssl_min_protocol_version"),
    maxVersion: take("ssl_max_protocol_version"),
  };
  const extra: ConnectionOptions = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const host = address.hostname.replaceAll(/[[\]]/g, "");
  return { address: address.href, ssl: tlsOf(mode, extra, host) };
}

export type Encryption = { host: string; state: "local" | "none" | "unverified" | "verified" };

const isLocal = (host: string): boolean => host === "" || host === "localhost" || host === "::1" || /^127\./.test(host);

/**
 * Whether what passes to and from a database can be read on the way: nothing leaves the machine, it is not encrypted for
 * sure, it is without checking whom it goes to, or with it.
 *
 * @throws Error as `driverAddress`
 */
export function encryptionOf(url: string): Encryption {
  const { ssl } = driverAddress(url);
  const host = new URL(url).hostname.replaceAll(/[[\]]/g, "");
  if (isLocal(host)) return { host, state: "local" };
  if (ssl === undefined || ssl === false || ssl === "prefer") return { host, state: "none" };
  return { host, state: ssl === "require" || ssl.rejectUnauthorized === false ? "unverified" : "verified" };
}

/**
 * A client of the driver. It connects on first use.
 *
 * @throws Error as `driverAddress`
 */
export function openClient(url: string, options: postgres.Options<Record<string, never>>): postgres.Sql {
  const { address, ssl } = driverAddress(url);
  return postgres(address, { ...options, ...(ssl !== undefined && { ssl }) });
}
