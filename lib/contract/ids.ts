/** Length in bytes of the random part of every identifier. */
const ID_BYTES = 16;

const PREFIXES = {
  imprint: "imp",
  device: "dev",
  environment: "env",
  intent: "ati",
  trial: "trial",
  request: "req",
  workspace: "ws",
  webApp: "app",
  apiKey: "key",
  managementKey: "mkey",
  user: "usr",
  audit: "aud",
  account: "acc",
  invitation: "inv",
  session: "ses",
  view: "view",
  toolCall: "call",
  webhook: "whk",
  delivery: "whd",
  event: "evt",
  alert: "alr",
  case: "case",
  caseEntry: "cent",
} as const;

export type IdKind = keyof typeof PREFIXES;

const hex = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

/** Filled for many identifiers at once, since each call of the system's generator is slow. */
const pool = new Uint8Array(256 * ID_BYTES);
let drawn = pool.length;

/** Random bytes for one identifier. Valid only until the next call. */
function randomBytes(): Uint8Array {
  if (drawn === pool.length) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  drawn += ID_BYTES;
  return pool.subarray(drawn - ID_BYTES, drawn);
}

/** A new identifier of `kind`: its prefix and 128 random bits in hex. Imprints are time-ordered, see `newImprint`. */
export function newId(kind: Exclude<IdKind, "imprint">): string {
  return `${PREFIXES[kind]}_${hex(randomBytes())}`;
}

/**
 * A new imprint: the 32 hex digits of a UUIDv7, so that events sort and partition by time.
 * Source: RFC 9562, section 5.7.
 *
 * @param nowMs Unix time in milliseconds
 */
export function newImprint(nowMs: number): string {
  const bytes = randomBytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  view.setUint16(0, Math.floor(nowMs / 2 ** 32));
  view.setUint32(2, nowMs % 2 ** 32);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  return `${PREFIXES.imprint}_${hex(bytes)}`;
}

const PATTERNS = Object.fromEntries(
  Object.entries(PREFIXES).map(([kind, prefix]) => [
    kind,
    kind === "trial" ? /^trial_[A-Za-z0-9_-]+$/ : new RegExp(`^${prefix}_[0-9a-f]{32}$`),
  ]),
) as Record<IdKind, RegExp>; // safe: the kinds are the names of the prefixes

export const idPattern = (kind: IdKind): RegExp => PATTERNS[kind];

/** The 32 hex digits of an identifier, in a form that PostgreSQL's `uuid` type accepts. */
export const idToUuid = (id: string): string => id.slice(-2 * ID_BYTES);

/** As PostgreSQL formats the uuid, for comparison with `uuid::text`. */
export const idToUuidText = (id: string): string => idToUuid(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** The identifier of `kind` for a PostgreSQL `uuid`. */
export const uuidToId = (kind: IdKind, uuid: string): string => `${PREFIXES[kind]}_${uuid.replaceAll("-", "")}`;
