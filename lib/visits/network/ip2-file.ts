import type { Anonymity, ConnectionType } from "./domain/network-facts";
import { type AddressWords, lastAtOrBefore } from "./ranges";
import { type NetworkOwner, type Place, present, type Usage } from "./record-facts";

/**
 * Files of IP2Location and IP2Proxy (`.BIN`). Sources: the suppliers' own readers, ip2location-nodejs 9.8 and
 * ip2proxy-nodejs 4.5. Those read from disk at every step of a search; here the whole file is in memory.
 */
export type Ip2File = {
  product: "IP2Location" | "IP2Proxy";
  /** The supplier's product number, such as 11 for DB11. */
  kind: number;
  builtAt: Date;
  bytes: Buffer;
  columns: number;
  v4: { count: number; at: number };
  v6: { count: number; at: number };
};

const HEAD_BYTES = 64;
const WORD_BYTES = 4;
const PRODUCTS = { 1: "IP2Location", 2: "IP2Proxy" } as const;
const MAX_COLUMNS = 32;

const isProduct = (code: number | undefined): code is keyof typeof PRODUCTS => code === 1 || code === 2;

/** Row size in bytes. The first column is the start address. */
const rowBytes = ({ columns }: Ip2File, isIpv6: boolean) => (columns + (isIpv6 ? 3 : 0)) * WORD_BYTES;

/** Opens a file. Undefined if it is of another type or incomplete. */
export function openIp2File(bytes: Buffer): Ip2File | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const [kind = 0, columns = 0, year = 0, month = 0, day = 0] = bytes;
  const code = bytes[29];
  if (!isProduct(code) || kind < 1 || kind > 26 || columns < 2 || columns > MAX_COLUMNS || month < 1 || month > 12)
    return undefined;
  const word = (at: number) => bytes.readUInt32LE(at);
  // Offsets in these files are 1-based.
  const part = (at: number) => ({ count: word(at), at: word(at + 4) - 1 });
  const file: Ip2File = {
    product: PRODUCTS[code],
    kind,
    builtAt: new Date(Date.UTC(2000 + year, month - 1, day)),
    bytes,
    columns,
    v4: part(5),
    v6: part(13),
  };
  const ends = [false, true].map((isIpv6) => {
    const { count, at } = isIpv6 ? file.v6 : file.v4;
    return count === 0 ? 0 : at + count * rowBytes(file, isIpv6);
  });
  const isWhole = Math.max(...ends) <= bytes.length && file.v4.count > 0 && word(31) <= bytes.length;
  return isWhole ? file : undefined;
}

/** Offset of an address's row, after its first column. */
function findRow(file: Ip2File, words: AddressWords): number | undefined {
  const isIpv6 = words.length > 1;
  const { count, at } = isIpv6 ? file.v6 : file.v4;
  const bytes = rowBytes(file, isIpv6);
  const startsAfter = (row: number) => {
    const from = at + row * bytes;
    if (!isIpv6) return file.bytes.readUInt32LE(from) > (words[0] ?? 0);
    // 128 bits, least significant word first.
    for (const [index, word] of words.entries()) {
      const own = file.bytes.readUInt32LE(from + (3 - index) * WORD_BYTES);
      if (own !== word) return own > word;
    }
    return false;
  };
  const row = lastAtOrBefore(count, startsAfter);
  return row < 0 ? undefined : at + row * bytes + (isIpv6 ? 4 : 1) * WORD_BYTES;
}

/** Column of each field by product number, 0 if it has none. Columns are 1-based, with the address first. */
const LOCATION_COLUMNS = {
  country: [0, ...Array<number>(26).fill(2)],
  region: [0, 0, 0, ...Array<number>(24).fill(3)],
  city: [0, 0, 0, ...Array<number>(24).fill(4)],
  latitude: [0, 0, 0, 0, 0, 5, 5, 0, ...Array<number>(19).fill(5)],
  longitude: [0, 0, 0, 0, 0, 6, 6, 0, ...Array<number>(19).fill(6)],
  isp: [0, 0, 3, 0, 5, 0, 7, 5, 7, 0, 8, 0, 9, 0, 9, 0, 9, 0, 9, 7, 9, 0, 9, 7, 9, 9, 9],
  usage: [...Array<number>(23).fill(0), 12, 20, 20, 20],
  asn: [...Array<number>(26).fill(0), 24],
  organisation: [...Array<number>(26).fill(0), 25],
  proxy: [] as number[],
};
const PROXY_COLUMNS: typeof LOCATION_COLUMNS = {
  country: [0, 2, ...Array<number>(11).fill(3)],
  region: [0, 0, 0, ...Array<number>(10).fill(4)],
  city: [0, 0, 0, ...Array<number>(10).fill(5)],
  latitude: [],
  longitude: [],
  isp: [0, 0, 0, 0, ...Array<number>(9).fill(6)],
  usage: [0, 0, 0, 0, 0, 0, ...Array<number>(7).fill(8)],
  asn: [0, 0, 0, 0, 0, 0, 0, ...Array<number>(6).fill(9)],
  organisation: [0, 0, 0, 0, 0, 0, 0, ...Array<number>(6).fill(10)],
  proxy: [0, 0, ...Array<number>(11).fill(2)],
};
type Column = keyof typeof LOCATION_COLUMNS;

function fieldAt(file: Ip2File, row: number, name: Column): number | undefined {
  const column = (file.product === "IP2Proxy" ? PROXY_COLUMNS : LOCATION_COLUMNS)[name][file.kind] ?? 0;
  return column === 0 || column > file.columns ? undefined : row + (column - 2) * WORD_BYTES;
}

/** Strings are stored elsewhere in the file, prefixed with their length. "-" means unknown. */
function textIn(file: Ip2File, row: number, name: Column): string | undefined {
  const at = fieldAt(file, row, name);
  const pointer = at === undefined ? undefined : file.bytes.readUInt32LE(at);
  if (pointer === undefined || pointer >= file.bytes.length) return undefined;
  const value = file.bytes.toString("utf8", pointer + 1, pointer + 1 + (file.bytes[pointer] ?? 0));
  return value === "" || value === "-" || value === "NA" ? undefined : value;
}

function floatIn(file: Ip2File, row: number, name: Column): number | undefined {
  const at = fieldAt(file, row, name);
  return at === undefined ? undefined : Math.round(file.bytes.readFloatLE(at) * 1e6) / 1e6;
}

const USAGE: Record<string, ConnectionType> = {
  ISP: "residential",
  MOB: "mobile",
  DCH: "hosting",
  CDN: "hosting",
  SES: "hosting",
  COM: "corporate",
  ORG: "corporate",
  GOV: "corporate",
  MIL: "corporate",
  EDU: "corporate",
  LIB: "corporate",
};

/** The first known usage; files join several with slashes. */
const usageWord = (value: string | undefined): ConnectionType | undefined =>
  value?.split("/").flatMap((word) => (Object.hasOwn(USAGE, word) ? USAGE[word] : undefined) ?? [])[0];

export function placeInIp2(file: Ip2File, words: AddressWords): Place {
  const row = findRow(file, words);
  if (row === undefined) return {};
  const countryCode = textIn(file, row, "country");
  if (countryCode === undefined || !/^[A-Z]{2}$/.test(countryCode)) return {};
  return present({
    countryCode,
    region: textIn(file, row, "region"),
    city: textIn(file, row, "city"),
    latitude: floatIn(file, row, "latitude"),
    longitude: floatIn(file, row, "longitude"),
  });
}

export function ownerInIp2(file: Ip2File, words: AddressWords): NetworkOwner {
  const row = findRow(file, words);
  if (row === undefined) return {};
  const asn = Number(textIn(file, row, "asn") ?? Number.NaN);
  return present({
    asn: Number.isInteger(asn) ? asn : undefined,
    provider: textIn(file, row, "organisation") ?? textIn(file, row, "isp"),
    usage: usageWord(textIn(file, row, "usage")),
  });
}

const ANONYMITY: Record<string, Anonymity> = {
  TOR: "tor",
  PUB: "public_proxy",
  WEB: "public_proxy",
  RES: "residential_proxy",
  VPN: "vpn",
  EPN: "vpn",
  CPN: "relay",
};

/** Files without the type of proxy (PX1) list proxies of any type by country. */
export function usageInIp2(file: Ip2File, words: AddressWords): Usage | undefined {
  const row = findRow(file, words);
  if (row === undefined || file.product !== "IP2Proxy") return undefined;
  if (fieldAt(file, row, "proxy") === undefined)
    return textIn(file, row, "country") === undefined ? undefined : { connectionType: "proxy" };
  const type = textIn(file, row, "proxy");
  if (type === undefined) return undefined;
  if (type === "DCH" || type === "SES") return { connectionType: "hosting" };
  const anonymity = Object.hasOwn(ANONYMITY, type) ? ANONYMITY[type] : undefined;
  return { connectionType: "proxy", ...(anonymity && { anonymity }) };
}
