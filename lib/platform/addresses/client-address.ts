import type { IncomingMessage } from "node:http";

import { LRUCache } from "lru-cache";
import proxyAddr from "proxy-addr";
import { canonicalAddress, isIpv6 } from "./address";
import { hasForwardingHeader } from "./forwarding-headers";

const NAMED_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);
/** Cached trust decisions by peer. Peers that matter are proxies, which are few. */
const MAX_PEERS = 1_000;
const HEADER_NAME = /^[a-z0-9-]{1,64}$/;

export type AddressTrust = {
  isTrustedPeer: (address: string) => boolean;
  /** Whether any proxy is configured. */
  hasTrustedProxies: boolean;
  /** Lower-case name of the header in which the hosting platform passes the client IP. */
  platformHeader: string | undefined;
};

export type ClientAddress = {
  /** Canonical; `undefined` if unknown. Never a value chosen by an untrusted peer. */
  address: string | undefined;
  /** Whether the peer's other forwarding headers (scheme, host) are trusted. */
  peerTrusted: boolean;
  /** An untrusted peer sent forwarding headers: either a forgery, or a proxy is missing from `TRUSTED_PROXIES`. */
  untrustedForwarding: boolean;
};

/** Some load balancers, such as Azure Application Gateway, append the client's port to its address. */
const WITH_PORT = /^(\d+(?:\.\d+){3}|\[[^\]]+\]):\d{1,5}$/;

const withoutPort = (forwarded: string): string => WITH_PORT.exec(forwarded.trim())?.[1] ?? forwarded;

const invalidEntry = (entry: string): Error =>
  new Error(
    `TRUSTED_PROXIES: "${entry}" is neither an address, a CIDR such as 10.0.0.0/8, nor one of ${[...NAMED_RANGES].join(", ")}`,
  );

function parseProxyEntry(entry: string): string {
  if (NAMED_RANGES.has(entry)) return entry;
  const [host = "", bits, ...rest] = entry.split("/");
  const address = canonicalAddress(host);
  if (address === undefined || rest.length > 0) throw invalidEntry(entry);
  if (bits === undefined) return address;
  const most = isIpv6(address) ? 128 : 32;
  if (!/^\d{1,3}$/.test(bits) || Number(bits) < 1 || Number(bits) > most) throw invalidEntry(entry);
  return `${address}/${bits}`;
}

/**
 * Compiles `TRUSTED_PROXIES` (comma-separated) and `CLIENT_IP_HEADER` for `clientAddress`. Empty: no peer is trusted.
 *
 * @throws Error naming the invalid entry, for the start-up log
 */
export function compileAddressTrust(options: { trustedProxies?: string; clientIpHeader?: string }): AddressTrust {
  const entries = (options.trustedProxies ?? "").split(",").flatMap((entry) => entry.trim() || []);
  const trust = proxyAddr.compile(entries.map(parseProxyEntry));
  const platformHeader = options.clientIpHeader?.trim().toLowerCase() || undefined;
  if (platformHeader !== undefined && !HEADER_NAME.test(platformHeader)) {
    throw new Error(`CLIENT_IP_HEADER: "${platformHeader}" is not a valid header name`);
  }
  const peers = new LRUCache<string, boolean>({
    max: MAX_PEERS,
    memoMethod: (address) => trust(canonicalAddress(withoutPort(address)) ?? address, 0),
  });
  return { isTrustedPeer: (address) => peers.memo(address), hasTrustedProxies: entries.length > 0, platformHeader };
}

/**
 * The address in a platform's header. In a list only the last entry counts: the platform appends, the client prepends.
 */
export function addressFromPlatformHeader(value: string | string[] | null | undefined): string | undefined {
  const last = (Array.isArray(value) ? value.join(",") : (value ?? "")).split(",").at(-1);
  return canonicalAddress(withoutPort(last ?? ""));
}

/**
 * The client IP of a request: the socket's peer address, or the address that trusted proxies forward.
 *
 * A configured platform header takes precedence; if proxies are listed too, it only counts when sent by one of them.
 */
export function clientAddress(request: IncomingMessage, trust: AddressTrust): ClientAddress {
  // A socket that is already destroyed has no remote address.
  const socketAddress = request.socket.remoteAddress;
  const peer = socketAddress === undefined ? undefined : canonicalAddress(socketAddress);
  const peerTrusted = peer !== undefined && trust.isTrustedPeer(peer);
  const untrustedForwarding = !peerTrusted && hasForwardingHeader(request.headers);

  if (trust.platformHeader !== undefined && (peerTrusted || !trust.hasTrustedProxies)) {
    const address = addressFromPlatformHeader(request.headers[trust.platformHeader]);
    return { address, peerTrusted, untrustedForwarding: false };
  }
  if (!peerTrusted) return { address: peer, peerTrusted, untrustedForwarding };
  if (request.headers["x-forwarded-for"] === undefined) return { address: peer, peerTrusted, untrustedForwarding };
  const forwarded = proxyAddr(request, trust.isTrustedPeer);
  return { address: canonicalAddress(withoutPort(forwarded)), peerTrusted, untrustedForwarding };
}

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
const isLoopbackAddress = proxyAddr.compile("loopback");

/**
 * Whether a request comes from a program on this machine: peer and host are loopback, and no header indicates a proxy,
 * which would be forwarding it for another client.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage, trust: AddressTrust): boolean {
  const { host, via } = headers;
  const peer = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
  if (peer === undefined || !isLoopbackAddress(peer, 0) || host === undefined || !LOOPBACK_NAME.test(host))
    return false;
  const isForwarded = via !== undefined || hasForwardingHeader(headers);
  return !isForwarded && (trust.platformHeader === undefined || headers[trust.platformHeader] === undefined);
}
