import type { IncomingMessage } from "node:http";

import { LRUCache } from "lru-cache";
import proxyAddr from "proxy-addr";
import { canonicalAddress, isIpv6 } from "./address";
import { hasForwardingHeader } from "./forwarding-headers";

const NAMED_RANGES = new Set(["loopback", "linklocal", "uniquelocal"]);
/** Peers with a cached decision: proxies, which are few. */
const MAX_PEERS = 1_000;
const HEADER_NAME = /^[a-z0-9-]{1,64}$/;

export type AddressTrust = {
  isTrustedPeer: (address: string) => boolean;
  /** Whether any proxy is trusted at all. */
  hasTrustedProxies: boolean;
  /** Lower-case name of the header in which the hosting platform gives the client's address. */
  platformHeader: string | undefined;
};

export type ClientAddress = {
  /** Canonical; `undefined` when it is not known. Never a value that an untrusted peer chose. */
  address: string | undefined;
  /** Whether the peer's other forwarding headers (scheme, host) are trusted. */
  peerTrusted: boolean;
  /** An untrusted peer sent forwarding headers: either a forgery, or `TRUSTED_PROXIES` lacks a proxy. */
  untrustedForwarding: boolean;
};

/** Some load balancers write the port of the client's connection behind its address, e.g. Azure Application Gateway. */
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
 * Prepares `TRUSTED_PROXIES` (comma separated) and `CLIENT_IP_HEADER` for `clientAddress`. Empty: trust nobody.
 *
 * @throws Error naming the entry that is not valid, for the start-up log
 */
export function compileAddressTrust(options: { trustedProxies?: string; clientIpHeader?: string }): AddressTrust {
  const entries = (options.trustedProxies ?? "").split(",").flatMap((entry) => entry.trim() || []);
  const trust = proxyAddr.compile(entries.map(parseProxyEntry));
  const platformHeader = options.clientIpHeader?.trim().toLowerCase() || undefined;
  if (platformHeader !== undefined && !HEADER_NAME.test(platformHeader)) {
    throw new Error(`CLIENT_IP_HEADER: "${platformHeader}" is not the name of a header`);
  }
  const peers = new LRUCache<string, boolean>({
    max: MAX_PEERS,
    memoMethod: (address) => trust(canonicalAddress(withoutPort(address)) ?? address, 0),
  });
  return { isTrustedPeer: (address) => peers.memo(address), hasTrustedProxies: entries.length > 0, platformHeader };
}

/**
 * The address in a platform's header. Of a list the last entry counts: the platform appends, the client prepends.
 */
export function addressFromPlatformHeader(value: string | string[] | null | undefined): string | undefined {
  const last = (Array.isArray(value) ? value.join(",") : (value ?? "")).split(",").at(-1);
  return canonicalAddress(withoutPort(last ?? ""));
}

/**
 * The client address of a request: the socket's peer, or as trusted proxies forward it.
 *
 * With a platform header, that header alone decides; when proxies are listed too, only their copy of it counts.
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
 * Whether a request comes from a program on this machine: peer and host are loopback, and no header shows a proxy, which
 * would forward it for another client.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage, trust: AddressTrust): boolean {
  const { host, via } = headers;
  const peer = socket.remoteAddress === undefined ? undefined : canonicalAddress(socket.remoteAddress);
  if (peer === undefined || !isLoopbackAddress(peer, 0) || host === undefined || !LOOPBACK_NAME.test(host))
    return false;
  const isForwarded = via !== undefined || hasForwardingHeader(headers);
  return !isForwarded && (trust.platformHeader === undefined || headers[trust.platformHeader] === undefined);
}
