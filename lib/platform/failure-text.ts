import { getSystemErrorName } from "node:util";

import { causes, failureCode } from "@/db/failures";

/** What happened, and what to check. */
type Explained = readonly [what: string, check: string];

const NO_NAME: Explained = ["the host name does not resolve", "check it and its DNS record"];
const NO_LISTENER: Explained = ["nothing accepts connections there", "is the server running, and the port right?"];
const NO_ROUTE: Explained = ["no route leads to this host", "check its address and the networks in between"];
const SLOW: Explained = ["it did not answer in time", "is it overloaded, or does a firewall drop the packets?"];
const CUT: Explained = ["the connection was closed before an answer", "see the log of the server or of its proxy"];
const NOT_TLS: Explained = [
  "no TLS connection could be made",
  "does TLS listen on this port, in version 1.2 or newer?",
];
const NOT_HTTP: Explained = ["the answer is not valid HTTP", "is this the port of a web server?"];
const NO_RESOURCES: Explained = ["this machine had no more connections or files to open", "try again later"];
const EXPIRED: Explained = ["its TLS certificate has expired", "renew it"];
const UNTRUSTED: Explained = ["its TLS certificate is of no trusted authority", "use one of a public authority"];
const BROKEN_CHAIN: Explained = [
  "the authority of its TLS certificate is unknown",
  "does the server send the whole chain of certificates?",
];
const OTHER_CERTIFICATE: Explained = ["its TLS certificate is not accepted", "replace it"];

/** Sources: libuv, "Error handling"; Node.js, "X509 certificate error codes"; undici, "Errors"; nodemailer, "Error codes". */
const EXPLAINED: Readonly<Record<string, Explained>> = {
  ENOTFOUND: NO_NAME,
  EDNS: NO_NAME,
  EAI_AGAIN: ["the host name could not be looked up for now", "do the name servers of the domain answer?"],
  ECONNREFUSED: NO_LISTENER,
  ENOENT: ["the socket does not exist", "is the server running, and the folder right?"],
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  EADDRNOTAVAIL: NO_ROUTE,
  EHOSTDOWN: NO_ROUTE,
  ENETDOWN: NO_ROUTE,
  ETIMEDOUT: SLOW,
  CONNECT_TIMEOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
  UND_ERR_HEADERS_TIMEOUT: SLOW,
  UND_ERR_BODY_TIMEOUT: SLOW,
  ECONNRESET: CUT,
  ECONNABORTED: CUT,
  EPIPE: CUT,
  CONNECTION_CLOSED: CUT,
  ECONNECTION: CUT,
  UND_ERR_SOCKET: CUT,
  EPROTO: NOT_TLS,
  ESOCKET: ["no secure connection could be made", "is the certificate valid, and does TLS listen on this port?"],
  ETLS: NOT_TLS,
  EMFILE: NO_RESOURCES,
  ENFILE: NO_RESOURCES,
  ENOBUFS: NO_RESOURCES,
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: ["its TLS certificate is not yet valid", "are the clocks of both machines right?"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["its TLS certificate is for another name", "use one that names this host"],
  HOSTNAME_MISMATCH: ["its TLS certificate is for another name", "use one that names this host"],
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: BROKEN_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: BROKEN_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: BROKEN_CHAIN,
  CERT_REVOKED: ["its TLS certificate was revoked", "replace it"],
  EAUTH: ["it refuses our user name or password", "check both in the address"],
  "28P01": ["it refuses our user name or password", "check both in the address"],
  "28000": ["it does not let this user in", "check the user name and the server's access rules"],
  "3D000": ["the database does not exist there", "check its name in the address"],
  "53300": ["it has no free connections", "raise max_connections, or lower DATABASE_POOL_SIZE"],
  "53100": ["its disk is full", "free space on the disk of the database, or enlarge it"],
  "53200": ["its memory is used up", "give it more memory, or lower max_connections or DATABASE_POOL_SIZE"],
  "57P03": ["it is starting up or shutting down", "try again in a moment"],
};

/** Codes of a family, of which Node and OpenSSL add new ones. */
const FAMILIES: readonly (readonly [RegExp, Explained])[] = [
  [/^(?:ERR_SSL_|ERR_TLS_)/, NOT_TLS],
  [/^(?:CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_)/, OTHER_CERTIFICATE],
  [/^HPE_/, NOT_HTTP],
];

/** Nodemailer replaces the system's code by its own, but keeps the number of the error. */
function systemCode(error: unknown): string | undefined {
  for (const at of causes(error))
    if ("errno" in at && typeof at.errno === "number" && at.errno < 0) return getSystemErrorName(at.errno);
  return undefined;
}

/** The code that says most about an error. */
function codeWithin(error: unknown): string | undefined {
  const code = failureCode(error);
  return code === undefined || code === "ESOCKET" ? (systemCode(error) ?? code) : code;
}

const explain = (code: string): Explained | undefined =>
  EXPLAINED[code] ?? FAMILIES.find(([pattern]) => pattern.test(code))?.[1];

/**
 * Why another server could not be used, in plain words, with its code as detail; undefined for an error without code.
 * Names no address: driver messages may contain those of a private network.
 */
export function failureText(error: unknown): string | undefined {
  const code = codeWithin(error);
  if (code === undefined) return undefined;
  const [what] = explain(code) ?? ["the connection failed"];
  return `${what}, ${code}`;
}

/** The same with what to check, for people who cannot see the service's own checks. */
export function failureAdvice(error: unknown): string | undefined {
  const code = codeWithin(error);
  if (code === undefined) return undefined;
  const known = explain(code);
  return known ? `${known[0]}: ${known[1]} (${code})` : `the connection failed (${code})`;
}
