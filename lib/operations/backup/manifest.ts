import { z } from "zod";

/** Raised when an older release could not read a backup any more. */
export const FORMAT = 1;

/** An identifier as `quote_ident` writes it. These become part of statements. */
const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)`;
const identifier = z.string().regex(new RegExp(`^${IDENTIFIER}$`));
const qualified = z.string().regex(new RegExp(`^${IDENTIFIER}\\.${IDENTIFIER}$`));
const LITERAL = String.raw`\((?:'(?:[^']|'')*'|[^;'])*\)`;
const bounds = z
  .string()
  .regex(new RegExp(`^(?:DEFAULT|FOR VALUES (?:FROM ${LITERAL} TO ${LITERAL}|IN ${LITERAL}|WITH ${LITERAL}))$`));

const Table = z.strictObject({
  /** As SQL writes it, with its schema: `public.visits_202611`. */
  name: qualified,
  /** As SQL writes them; generated columns are left out, since the server computes them. */
  columns: z.array(identifier).min(1),
  /** The partitioned table and the bounds of this partition. */
  partition: z.strictObject({ of: qualified, bounds }).nullable(),
  /** Bytes on the disk of the source: a measure of progress. */
  diskBytes: z.number(),
});
export type Table = z.infer<typeof Table>;

/** The first entry of a backup: what it holds. */
export const Manifest = z.strictObject({
  product: z.literal("imprint"),
  format: z.number().int(),
  /** The release that wrote the backup. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations that the database had, in order. */
  migrations: z.array(z.strictObject({ at: z.number(), hash: z.string() })),
  tables: z.array(Table),
});
export type Manifest = z.infer<typeof Manifest>;

/** The secrets that the data was written with. */
export const BackupSecrets = z.strictObject({
  AUTH_SECRET: z.string(),
  KEY_PEPPER: z.string(),
  KEKS: z.string(),
  OAUTH_JWKS: z.string().optional(),
  OAUTH_COOKIE_KEYS: z.string().optional(),
});
export type BackupSecrets = z.infer<typeof BackupSecrets>;

/** What was read of one table. */
const Content = z.strictObject({ rows: z.number(), bytes: z.number(), sha256: z.string() });
export type Content = z.infer<typeof Content>;

/** The last entry of a backup: without it the backup is incomplete. */
export const End = z.strictObject({
  /** SHA-256 of the first two entries. */
  manifestSha256: z.string(),
  secretsSha256: z.string(),
  tables: z.record(z.string(), Content),
  sequences: z.array(
    z.strictObject({ name: qualified, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() }),
  ),
});
export type End = z.infer<typeof End>;
export type Sequence = End["sequences"][number];

export const ENTRIES = { manifest: "manifest.json", secrets: "secrets.json", end: "end.json", data: "data/" } as const;
