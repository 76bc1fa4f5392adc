/** The four numbers of an IPv4 address, or the eight of an IPv6 one. */
function parts(address: string): number[] | undefined {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) {
    const bytes = address.split(".").map(Number);
    return bytes.every((byte) => byte < 256) ? bytes : undefined;
  }
  if (!/^[0-9a-f:.]{2,45}$/i.test(address)) return undefined;
  let host: string;
  try {
    // The URL parser, which every runtime has, shortens each spelling of an address to the same text.
    host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [head = "", tail] = host.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":").map((group) => parseInt(group, 16)) : []);
  const [first, last] = [groups(head), groups(tail)];
  const all =
    tail === undefined ? first : [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  const isMapped = all.slice(0, 5).every((group) => group === 0) && all[5] === 0xffff;
  return isMapped ? all.slice(6).flatMap((group) => [group >> 8, group & 0xff]) : all;
}

/** Groups of 16 bits that one subscriber's IPv6 network shares: browsers change the rest within hours. */
const SHARED_GROUPS = 4;

/** An address as a socket, a framework or a header of a load balancer gives it: without a port or brackets. */
export function bareAddress(given: string): string {
  const text = given.trim();
  return /^(\d[\d.]+):\d+$/.exec(text)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text;
}

const withoutZone = (address: string) => address.replace(/%.*$/, "");

/**
 * Whether two addresses are of one visitor's connection: equal IPv4 addresses, or IPv6 addresses of one /64. Undefined
 * when one of them is no address.
 */
export function isSameConnection(one: string, other: string): boolean | undefined {
  const [first, second] = [parts(withoutZone(bareAddress(one))), parts(withoutZone(bareAddress(other)))];
  if (!first || !second) return undefined;
  const compared = first.length === 4 ? 4 : SHARED_GROUPS;
  return first.length === second.length && first.slice(0, compared).every((part, index) => part === second[index]);
}
