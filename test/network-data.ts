import { addressWords } from "@/lib/visits/network/ranges";

type Value = string | number | boolean | bigint | Value[] | { [name: string]: Value };

/** `[control byte, further length bytes]` of the MaxMind DB format. Source: MaxMind DB File Format Specification 2.0. */
function control(type: number, size: number): number[] {
  const kind = type > 7 ? [0, type - 7] : [type];
  const [length, more] =
    size < 29 ? [size, []] : size < 285 ? [29, [size - 29]] : [30, [(size - 285) >> 8, (size - 285) & 255]];
  return [((kind[0] ?? 0) << 5) | length, ...kind.slice(1), ...more];
}

const bigEndian = (value: bigint): number[] => (value === 0n ? [] : [...bigEndian(value >> 8n), Number(value & 255n)]);

function encode(value: Value): number[] {
  if (typeof value === "string") return [...control(2, Buffer.byteLength(value)), ...Buffer.from(value)];
  if (typeof value === "boolean") return control(14, value ? 1 : 0);
  if (typeof value === "bigint") return [...control(9, bigEndian(value).length), ...bigEndian(value)];
  if (Array.isArray(value)) return [...control(11, value.length), ...value.flatMap(encode)];
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return [...control(7, entries.length), ...entries.flatMap(([name, item]) => [...encode(name), ...encode(item)])];
  }
  if (Number.isInteger(value) && value >= 0) {
    const bytes = bigEndian(BigInt(value));
    return [...control(6, bytes.length), ...bytes];
  }
  const double = Buffer.alloc(8);
  double.writeDoubleBE(value);
  return [...control(3, 8), ...double];
}

type Node = { children: [Node | undefined, Node | undefined]; record?: Value };

const bitsOf = (address: string): number[] =>
  addressWords(address).flatMap((word) => Array.from({ length: 32 }, (_, index) => (word >>> (31 - index)) & 1));

/** In files for both families, IPv4 networks are below `::/96`. */
function bitsOfNetwork(cidr: string, ipVersion: 4 | 6): number[] {
  const [address = "", length = ""] = cidr.split("/");
  const bits = bitsOf(address).slice(0, Number(length));
  return ipVersion === 6 && !address.includes(":") ? [...Array<number>(96).fill(0), ...bits] : bits;
}

type MmdbOptions = { type: string; ipVersion?: 4 | 6; builtAt?: Date };

/** A MaxMind DB file with one record per network. */
export function mmdbFile(
  records: Record<string, Value>,
  { type, ipVersion = 6, builtAt = new Date(1_780_000_000_000) }: MmdbOptions,
): Buffer {
  const root: Node = { children: [undefined, undefined] };
  const nodes: Node[] = [root];
  for (const [cidr, record] of Object.entries(records)) {
    let node = root;
    for (const bit of bitsOfNetwork(cidr, ipVersion)) {
      const next = node.children[bit] ?? { children: [undefined, undefined] };
      if (!node.children[bit]) nodes.push(next);
      node.children[bit] = next;
      node = next;
    }
    node.record = record;
  }
  const inner = nodes.filter(({ record }) => record === undefined);
  const indexOf = new Map(inner.map((node, index) => [node, index]));
  const data: number[] = [];
  const tree = Buffer.alloc(inner.length * 8);
  const target = (node: Node | undefined): number => {
    if (!node) return inner.length;
    if (node.record === undefined) return indexOf.get(node) ?? 0;
    const at = data.length;
    for (const byte of encode(node.record)) data.push(byte);
    return inner.length + 16 + at;
  };
  inner.forEach(({ children }, index) => {
    children.forEach((child, side) => tree.writeUInt32BE(target(child), index * 8 + side * 4));
  });
  const metadata = encode({
    node_count: inner.length,
    record_size: 32,
    ip_version: ipVersion,
    database_type: type,
    languages: ["en"],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(Math.floor(builtAt.getTime() / 1000)),
    description: { en: "made by a test" },
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    Buffer.from(data),
    Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
    Buffer.from(metadata),
  ]);
}

type Ip2Row = { from: string; fields: (string | number)[] };

const HEAD_BYTES = 64;
const INDEX_BYTES = 65_536 * 8;

/** A BIN file of IP2Location (product 1) or IP2Proxy (2). Rows are ascending; each applies until the next begins. */
export function ip2File(product: 1 | 2, kind: number, rows: { v4: Ip2Row[]; v6: Ip2Row[] }): Buffer {
  const columns = 1 + (rows.v4[0]?.fields.length ?? 0);
  const sizes = { v4: columns * 4, v6: (columns + 3) * 4 };
  const baseV4 = HEAD_BYTES;
  const baseV6 = baseV4 + rows.v4.length * sizes.v4;
  const textsAt = baseV6 + rows.v6.length * sizes.v6;
  const texts: Buffer[] = [];
  let next = textsAt;
  const pointerTo = (text: string) => {
    const at = next;
    const bytes = Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
    texts.push(bytes);
    next += bytes.length;
    return at;
  };
  const body = Buffer.alloc(textsAt);
  const write = (at: number, { from, fields }: Ip2Row) => {
    // 128 bits of an IPv6 address, least significant word first.
    const words = [...addressWords(from)].reverse();
    words.forEach((word, index) => body.writeUInt32LE(word, at + index * 4));
    fields.forEach((field, index) => {
      const fieldAt = at + (words.length + index) * 4;
      if (typeof field === "number") body.writeFloatLE(field, fieldAt);
      else body.writeUInt32LE(pointerTo(field), fieldAt);
    });
  };
  rows.v4.forEach((row, index) => {
    write(baseV4 + index * sizes.v4, row);
  });
  rows.v6.forEach((row, index) => {
    write(baseV6 + index * sizes.v6, row);
  });
  body.set([kind, columns, 26, 6, 15]);
  // The suppliers' readers start every search in an index by the first 16 bits; here each entry covers all rows.
  const index = Buffer.alloc(2 * INDEX_BYTES);
  for (let at = 0; at < index.length; at += 8)
    index.writeUInt32LE(Math.max(0, (at < INDEX_BYTES ? rows.v4 : rows.v6).length - 1), at + 4);
  const head = [rows.v4.length, baseV4 + 1, rows.v6.length, baseV6 + 1, next + 1, next + INDEX_BYTES + 1];
  head.forEach((word, position) => body.writeUInt32LE(word, 5 + position * 4));
  body[29] = product;
  body.writeUInt32LE(next + index.length, 31);
  return Buffer.concat([body, ...texts, index]);
}
