import { createServer, IncomingMessage, request } from "node:http";
import type { OutgoingHttpHeaders } from "node:http";
import { Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressFromPlatformHeader, clientAddress, compileAddressTrust } from "./client-address";
import type { AddressTrust, ClientAddress } from "./client-address";
import { stripForwardingHeaders } from "./forwarding-headers";

let trust: AddressTrust = compileAddressTrust({});
let port = 0;
const server = createServer((incoming, response) => {
  const client = clientAddress(incoming, trust);
  response.end(JSON.stringify({ client, headers: stripForwardingHeaders(incoming.headers, client) }));
});

type Answer = { client: Partial<ClientAddress>; headers: Record<string, string> };

const send = async (options: Parameters<typeof compileAddressTrust>[0], headers: OutgoingHttpHeaders = {}) => {
  trust = compileAddressTrust(options);
  return new Promise<Answer>((resolve, reject) => {
    request({ host: "127.0.0.1", port, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve(JSON.parse(Buffer.concat(chunks).toString()) as Answer);
      });
    })
      .on("error", reject)
      .end();
  });
};

beforeAll(async () => {
  // An IPv6 socket, so that peers appear as ::ffff:127.0.0.1, as on a dual-stack server.
  await new Promise<void>((resolve) => server.listen(0, "::ffff:127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.close();
});

const FORGED = {
  "X-Forwarded-For": "8.8.8.8",
  "X-Real-IP": "8.8.8.8",
  "CF-Connecting-IP": "8.8.8.8",
  "True-Client-IP": "8.8.8.8",
  Forwarded: "for=8.8.8.8",
};

test("clientAddress without trusted proxies: is the socket's peer address, IPv4 unwrapped", async () => {
  const { client } = await send({});
  expect(client).toEqual({ address: "127.0.0.1", peerTrusted: false, untrustedForwarding: false });
});

test.each(Object.entries(FORGED))(
  "clientAddress without trusted proxies: ignores a forged %s and reports it",
  async (name, value) => {
    const { client } = await send({}, { [name]: value });
    expect(client).toEqual({ address: "127.0.0.1", peerTrusted: false, untrustedForwarding: true });
  },
);

test("clientAddress without trusted proxies: still trusts nothing if the peer is not a listed proxy", async () => {
  const { client } = await send({ trustedProxies: "10.0.0.0/8, fd00::/8" }, FORGED);
  expect(client).toEqual({ address: "127.0.0.1", peerTrusted: false, untrustedForwarding: true });
});

const trustedProxies = "loopback";

test.each([
  ["one hop", "203.0.113.9", "203.0.113.9"],
  ["a client that forged the first entry", "8.8.8.8, 203.0.113.9", "203.0.113.9"],
  ["a second trusted proxy", "8.8.8.8, 203.0.113.9, 127.0.0.1", "203.0.113.9"],
  ["an IPv6 client", "2001:DB8::0:1", "2001:db8::1"],
  ["an IPv4-mapped client", "::ffff:203.0.113.9", "203.0.113.9"],
  ["a client with its port", "8.8.8.8, 203.0.113.9:4711", "203.0.113.9"],
  ["an IPv6 client with its port", "[2001:db8::1]:443", "2001:db8::1"],
  ["a second trusted proxy with its port", "8.8.8.8, 203.0.113.9:4711, 127.0.0.1:80, [::1]:80", "203.0.113.9"],
])("clientAddress behind a trusted proxy: walks the chain from its right end: %s", async (_case, chain, expected) => {
  const { client } = await send({ trustedProxies }, { "X-Forwarded-For": chain });
  expect(client).toEqual({ address: expected, peerTrusted: true, untrustedForwarding: false });
});

test.each(["garbage, unknown", "203.0.113.9:", "203.0.113:80", "2001:db8::1]:80", "_hidden:80", "8.8.8.8, 127.1.x"])(
  "clientAddress behind a trusted proxy: is undefined if the proxy forwards %j",
  async (chain) => {
    const { client } = await send({ trustedProxies }, { "X-Forwarded-For": chain });
    expect(client).toEqual({ peerTrusted: true, untrustedForwarding: false });
  },
);

test("clientAddress behind a trusted proxy: is the proxy's own address if it forwards none", async () => {
  const { client } = await send({ trustedProxies }, { "X-Real-IP": "8.8.8.8" });
  expect(client.address).toBe("127.0.0.1");
});

test("clientAddress behind a trusted proxy: is undefined on a socket that is already destroyed", () => {
  const dead = new IncomingMessage(new Socket().destroy());
  dead.headers["x-forwarded-for"] = "8.8.8.8";
  const expected = { address: undefined, peerTrusted: false, untrustedForwarding: true };
  expect(clientAddress(dead, compileAddressTrust({ trustedProxies: "loopback,0.0.0.0/1" }))).toEqual(expected);
});

const clientIpHeader = "CF-Connecting-IP";

test("clientAddress on a platform that owns the socket: reads only the platform's header", async () => {
  const { client } = await send({ clientIpHeader }, { ...FORGED, "CF-Connecting-IP": "203.0.113.9" });
  expect(client).toEqual({ address: "203.0.113.9", peerTrusted: false, untrustedForwarding: false });
});

test.each([undefined, "garbage"])(
  "clientAddress on a platform that owns the socket: is undefined if the header is %j",
  async (value) => {
    const { client } = await send({ clientIpHeader }, value === undefined ? {} : { "CF-Connecting-IP": value });
    expect(client.address).toBeUndefined();
  },
);

test("clientAddress on a platform that owns the socket: takes the last entry, which the platform appended to a forged list", () => {
  expect(addressFromPlatformHeader("8.8.8.8, 203.0.113.9")).toBe("203.0.113.9");
  expect(addressFromPlatformHeader(["8.8.8.8", "203.0.113.9"])).toBe("203.0.113.9");
  expect(addressFromPlatformHeader("8.8.8.8, 203.0.113.9:4711")).toBe("203.0.113.9");
  expect(addressFromPlatformHeader(null)).toBeUndefined();
});

test("clientAddress on a platform that owns the socket: ignores the header from a peer that is not a listed proxy", async () => {
  const { client } = await send({ clientIpHeader, trustedProxies: "10.0.0.0/8" }, { "CF-Connecting-IP": "8.8.8.8" });
  expect(client).toEqual({ address: "127.0.0.1", peerTrusted: false, untrustedForwarding: true });
});

const sent = {
  ...FORGED,
  "X-Imprint-Client-Address": "8.8.8.8",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Host": "evil.example",
  "User-Agent": "kept",
};

test("stripForwardingHeaders: removes all forwarded addresses, schemes, hosts and internal headers of an untrusted peer", async () => {
  const { headers } = await send({}, sent);
  expect(Object.keys(headers).sort()).toEqual(["connection", "host", "user-agent"]);
});

test("stripForwardingHeaders: keeps the scheme and host from a trusted peer, but no address", async () => {
  const { headers } = await send({ trustedProxies: "loopback" }, sent);
  const names = ["connection", "host", "user-agent", "x-forwarded-host", "x-forwarded-proto"];
  expect(Object.keys(headers).sort()).toEqual(names);
});

test.each([
  "nonsense",
  "10.0.0.0/33",
  "10.0.0.0/0",
  "fd00::/129",
  "10.0.0.0/8/8",
  "10.1/16",
  "10.0.0.0/",
  "10.0.0.0/-1",
])("compileAddressTrust: refuses %j and names the entry", (entry) => {
  expect(() => compileAddressTrust({ trustedProxies: `loopback, ${entry}` })).toThrow(`TRUSTED_PROXIES: "${entry}"`);
});

test("compileAddressTrust: refuses an invalid header name", () => {
  expect(() => compileAddressTrust({ clientIpHeader: "x forwarded" })).toThrow("CLIENT_IP_HEADER");
});

test("compileAddressTrust: trusts exactly the listed ranges", () => {
  const { isTrustedPeer } = compileAddressTrust({
    trustedProxies: "10.1.0.0/16,uniquelocal, 2001:db8::/32,,203.0.113.9",
  });
  const trusted = ["10.1.2.3", "10.2.2.3", "192.168.0.1", "fd00::1", "2001:db8::1", "203.0.113.9", "::ffff:10.1.2.3"];
  expect(trusted.map(isTrustedPeer)).toEqual([true, true, true, true, true, true, true]);
  const others = ["127.0.0.1", "203.0.113.10", "2001:db9::1", "::1", "unknown", ""];
  expect(others.map(isTrustedPeer)).toEqual([false, false, false, false, false, false]);
});
