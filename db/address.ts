/** One host of a connection string. */
export type DatabaseServer = {
  /** A host name, a numeric address, or a Unix socket directory; empty if the connection string names no host. */
  host: string;
  port: number | undefined;
};

export type DatabaseAddress = {
  servers: readonly [DatabaseServer, ...DatabaseServer[]];
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  /** TLS parameters by name. */
  tls: ReadonlyMap<string, string>;
  /** All other parameters; they become session settings. */
  settings: Readonly<Record<string, string>>;
};

const TLS = [
  ...["ssl", "sslmode", "sslnegotiation", "sslrootcert", "sslcert", "sslkey"],
  ...["ssl_min_protocol_version", "ssl_max_protocol_version"],
];
/**
 * libpq parameters that are not needed here, and client hints that hosting providers put into pooler URLs. The driver
 * would forward them to the server as settings, and the server would reject them.
 */
const LEFT_OUT = [
  ...["channel_binding", "client_encoding", "connect_timeout", "fallback_application_name", "gssdelegation"],
  ...["gssencmode", "gsslib", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname"],
  ...["load_balance_hosts", "passfile", "sslcertmode", "sslcompression", "sslsni"],
  ...["target_session_attrs", "tcp_user_timeout"],
  ...["connection_limit", "pgbouncer", "pool_timeout", "socket_timeout", "supa"],
];
/** Parameters that restrict the connection or redirect it: ignoring them would silently weaken what was requested. */
const UNSUPPORTED = [
  ...["hostaddr", "require_auth", "requirepeer", "service", "servicefile", "sslcrl", "sslcrldir", "sslpassword"],
];

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:(?<role>[^/?#]*)@)?(?<servers>[^/?#@]*)(?:\/(?<database>[^?#]*))?(?:\?(?<parameters>[^#]*))?$/;
const SERVER = /^(?:\[(?<numeric>[0-9a-f:.]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/i;

const HOW = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded";

/** @throws Error without the URL itself, which may contain a password */
function fail(): never {
  throw new Error(`The database URL is invalid: ${HOW}`);
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return fail();
  }
}

function portOf(text: string): number | undefined {
  if (text === "") return undefined;
  const port = Number(text);
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : fail();
}

function readServer(text: string): DatabaseServer {
  const { numeric, name, port } = SERVER.exec(text)?.groups ?? fail();
  return { host: numeric ?? decoded(name) ?? "", port: portOf(port ?? "") };
}

/** Resolves the servers. The parameters `host` and `port` take precedence over the authority part of the URL. */
function readServers(servers: string, host: string | undefined, port: string | undefined): DatabaseAddress["servers"] {
  const named =
    host === undefined ? servers.split(",").map(readServer) : host.split(",").map((each) => ({ host: each }));
  const ports = port?.split(",").map(portOf);
  if (ports !== undefined && ports.length !== 1 && ports.length !== named.length) return fail();
  const [first = fail(), ...others] = named.map((server, at) => ({
    port: undefined,
    ...server,
    ...(ports && { port: ports.length === 1 ? ports[0] : ports[at] }),
  }));
  return [first, ...others];
}

function readRole(text: string | undefined) {
  const [user, ...password] = (text ?? "").split(":");
  return { user: decoded(user), password: decoded(password.join(":")) };
}

/** A plus sign stands for itself, unlike in the query of a form. */
const parametersOf = (text: string | undefined) => new URLSearchParams(text?.replaceAll("+", "%2B"));

/**
 * Parses a database URL as libpq does, so that a URL that works for `psql` works for the service.
 *
 * @throws Error if the URL is invalid or has an unsupported parameter
 */
export function parseAddress(url: string): DatabaseAddress {
  const { role, servers = "", database, parameters } = ADDRESS.exec(url.trim())?.groups ?? fail();
  const given = new Map(parametersOf(parameters));
  const take = (name: string): string | undefined => {
    const value = given.get(name);
    given.delete(name);
    return value === "" ? undefined : value;
  };
  for (const name of UNSUPPORTED) {
    if (take(name) !== undefined)
      throw new Error(`The database URL has the parameter ${name}, which Imprint does not support: remove it`);
  }
  for (const name of LEFT_OUT) take(name);
  const tls = new Map<string, string>();
  for (const name of TLS) {
    const value = take(name);
    if (value !== undefined) tls.set(name, value);
  }
  const { user, password } = readRole(role);
  return {
    servers: readServers(servers, take("host"), take("port")),
    user: take("user") ?? user,
    password: take("password") ?? password,
    database: take("dbname") ?? decoded(database),
    tls,
    settings: Object.fromEntries(given),
  };
}

/** The same URL with another server. */
export function addressOn(url: string, { host, port }: { host: string; port: number }): string {
  const { role, database, parameters } = ADDRESS.exec(url.trim())?.groups ?? fail();
  const kept = parametersOf(parameters);
  for (const name of ["host", "port"]) kept.delete(name);
  const at = host.includes(":") ? `[${host}]` : encodeURIComponent(host);
  return [
    `postgres://${role === undefined ? "" : `${role}@`}${at}:${port}`,
    database === undefined ? "" : `/${database}`,
    kept.size === 0 ? "" : `?${kept.toString().replaceAll("+", "%20")}`,
  ].join("");
}
