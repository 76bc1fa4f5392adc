import { z } from "zod";

/** Incremented when older releases can no longer read a backup. */
export const FORMAT = 1;

/** An identifier as `quote_ident` writes it. Identifiers become part of SQL. */
const IDENTIFIER = String.raw`(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)`;
const identifier = z.string().regex(new RegExp(`^${IDENTIFIER}$`));
const qualified = z.string().regex(new RegExp(`^${IDENTIFIER}\\.${IDENTIFIER}$`));
const LITERAL = String.raw`\((?:'(?:[^']|'')*'|[^;'])*\)`;
const bounds = z
  .string()
  .regex(new RegExp(`^(?:DEFAULT|FOR VALUES (?:FROM ${LITERAL} TO ${LITERAL}|IN ${LITERAL}|WITH ${LITERAL}))$`));

const Table = z.strictObject({
  /** SQL name with schema: `public.visits_202611`. */
  name: qualified,
  /** SQL column names, without generated columns, which the server computes. */
  columns: z.array(identifier).min(1),
  /** The partitioned table and the bounds of this partition. */
  partition: z.strictObject({ of: qualified, bounds }).nullable(),
  /** Bytes on the source's disk, for measuring progress. */
  diskBytes: z.number(),
});
export type Table = z.infer<typeof Table>;

/** The first entry of a backup: what it contains. */
export const Manifest = z.strictObject({
  product: z.literal("imprint"),
  format: z.number().int(),
  /** The release that wrote the backup. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  postgres: z.string(),
  /** The migrations applied to the database, in order. */
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

/** Rows, bytes and hash of one table. */
const Content = z.strictObject({ rows: z.number(), bytes: z.number(), sha256: z.string() });
export type Content = z.infer<typeof Content>;

/** The last entry of a backup; a backup without it is incomplete. */
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
