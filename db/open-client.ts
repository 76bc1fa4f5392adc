import { readFileSync } from "node:fs";
import { connect, Socket } from "node:net";
import { checkServerIdentity, type ConnectionOptions } from "node:tls";

import postgres from "postgres";

import { type DatabaseAddress, type DatabaseServer, parseAddress } from "./address";
import { chooseServer, type Role } from "./choose-server";
import { inTime } from "./in-time";

type Tls = ConnectionOptions | "require" | "prefer" | false;

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

const DEFAULT_PORT = 5432;

const isSocket = ({ host }: DatabaseServer): boolean => host.startsWith("/");

/** @throws Error naming the parameter and the file */
function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`The file given as ${name} in the database URL cannot be read: ${file}`, { cause });
  }
}

function modeOf(tls: DatabaseAddress["tls"]): Mode | undefined {
  const given = tls.get("sslmode") ?? tls.get("ssl");
  const hasRoot = tls.has("sslrootcert");
  if (given === undefined) return hasRoot ? "verify-full" : undefined;
  // Several hosting providers write `ssl=true`.
  const name = { true: "require", false: "disable" }[given] ?? given;
  const mode = MODES.find((each) => each === name);
  if (mode === undefined) throw new Error(`The database URL has sslmode=${given}; expected one of ${MODES.join(", ")}`);
  // With a root certificate, libpq also verifies the server under `require`.
  return mode === "require" && hasRoot ? "verify-ca" : mode;
}

/**
 * Requires the certificate to be that of one of the servers. By default Node would compare a numeric address as
 * `localhost`.
 */
const identityOf = (servers: DatabaseAddress["servers"]): Required<ConnectionOptions>["checkServerIdentity"] => {
  return (_name, certificate) => {
    const problems = servers.map(({ host }) => checkServerIdentity(host === "" ? "localhost" : host, certificate));
    return problems.includes(undefined) ? undefined : problems[0];
  };
};

/**
 * TLS options of a database URL, interpreted as libpq does.
 *
 * @throws Error if a parameter is invalid or a file cannot be read
 */
export function tlsOf({ tls, servers }: DatabaseAddress): Tls | undefined {
  const mode = modeOf(tls);
  if (mode === undefined) return undefined;
  if (mode === "disable" || servers.every(isSocket)) return false;
  const pem = (name: string) => {
    const file = tls.get(name);
    return file === undefined || file === "system" ? undefined : readPem(name, file);
  };
  const given = {
    ca: pem("sslrootcert"),
    cert: pem("sslcert"),
    key: pem("sslkey"),
    minVersion: tls.get("ssl_min_protocol_version"),
    maxVersion: tls.get("ssl_max_protocol_version"),
  };
  const extra: ConnectionOptions = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  if (mode === "verify-ca") return { ...extra, checkServerIdentity: () => undefined };
  if (mode === "verify-full") return { ...extra, checkServerIdentity: identityOf(servers) };
  if (mode === "require") return Object.keys(extra).length === 0 ? "require" : { ...extra, rejectUnauthorized: false };
  return "prefer";
}

export type Encryption = { host: string; state: "local" | "none" | "unverified" | "verified" };

const isLocal = (host: string): boolean =>
  ["", "localhost", "::1"].includes(host) || host.startsWith("/") || /^127\./.test(host);

/**
 * Whether traffic to each server of a database URL can be read in transit: `local` never leaves the machine, `none` is
 * not guaranteed to be encrypted, `unverified` is encrypted without verifying the server, `verified` with it.
 *
 * @throws Error as `parseAddress` and `tlsOf`
 */
export function encryptionOf(url: string): Encryption[] {
  const address = parseAddress(url);
  const ssl = tlsOf(address);
  const stateOf = (host: string): Encryption["state"] => {
    if (isLocal(host)) return "local";
    if (ssl === undefined || ssl === false || ssl === "prefer") return "none";
    return ssl === "require" || ssl.rejectUnauthorized === false ? "unverified" : "verified";
  };
  return address.servers.map(({ host }) => ({ host, state: stateOf(host) }));
}

type ClientOptions = postgres.Options<Record<string, never>>;

/**
 * Session settings that the parameters of a URL do not change: the service's connections are found by its name, and
 * times are read in UTC.
 */
const OWN_SETTINGS = new Set(["application_name", "timezone"]);

function settingsOf(own: ClientOptions["connection"], given: DatabaseAddress["settings"]) {
  if (own === undefined) return given;
  const kept = Object.entries(given).filter(([name]) => !OWN_SETTINGS.has(name.toLowerCase()));
  return { ...own, ...Object.fromEntries(kept) };
}

/** Options for connections that ask a server for its role. */
const ROLE_OPTIONS: ClientOptions = {
  max: 1,
  fetch_types: false,
  prepare: false,
  connect_timeout: 3,
  onnotice: () => undefined,
};

const placeOf = ({ host, port }: DatabaseServer) => ({
  ...(isSocket({ host, port }) ? { path: `${host}/.s.PGSQL.${port ?? DEFAULT_PORT}` } : host !== "" && { host }),
  ...(port !== undefined && { port }),
});

/**
 * Asks a server for its current role, over a separate connection.
 *
 * @throws Error if it does not answer in time
 */
async function readRole(open: (server: DatabaseServer) => postgres.Sql, server: DatabaseServer): Promise<Role> {
  const client = open(server);
  try {
    const [row] = await inTime(client.unsafe("select pg_is_in_recovery() as is_standby"));
    return row?.["is_standby"] === true ? "standby" : "primary";
  } finally {
    client.end({ timeout: 0 }).catch(() => undefined);
  }
}

/**
 * A socket that fails once the driver listens to it. If no socket is returned, the driver never uses that connection
 * again.
 */
function failedSocket(error: unknown): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error instanceof Error ? error : new Error(String(error))));
  return socket;
}

/** Opens a socket to a server. The driver compares `host` with the name in the certificate. */
function openSocket({ host, port = DEFAULT_PORT }: DatabaseServer): Socket {
  const place = placeOf({ host, port });
  return "path" in place ? connect(place.path) : Object.assign(connect(port, host), { host, port });
}

/**
 * Creates a driver client, which connects on first use. With several servers, each new connection goes to the one that
 * currently has the `role`. The driver's own multi-host support retries unreachable servers without a pause, and takes
 * a standby for a writable server (postgres 3.4.9).
 *
 * @throws Error as `parseAddress` and `tlsOf`
 */
export function openClient(url: string, options: ClientOptions, role: Role = "primary"): postgres.Sql {
  const address = parseAddress(url);
  const { servers, user, password, database, settings, tls } = address;
  const ssl = tlsOf(address);
  const negotiation = tls.get("sslnegotiation");
  const shared = {
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(ssl !== undefined && { ssl }),
    ...(negotiation !== undefined && { sslnegotiation: negotiation }),
    connection: settingsOf(options.connection, settings),
  };
  if (servers.length === 1) return postgres({ ...options, ...placeOf(servers[0]), ...shared });
  const open = (server: DatabaseServer) => postgres({ ...ROLE_OPTIONS, ...placeOf(server), ...shared });
  const socket = () =>
    chooseServer(`${role} ${url}`, servers, role, (server) => readRole(open, server)).then(openSocket, failedSocket);
  return postgres({ ...options, ...placeOf(servers[0]), ...shared, ...{ socket } });
}
