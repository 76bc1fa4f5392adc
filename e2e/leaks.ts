import postgres from "postgres";

/** The base64 of a secret inside a longer text, preceded by `offset` bytes modulo 3. */
function base64Within(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  // Omits characters that also depend on adjacent bytes.
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

/** A secret as text, and in the encodings in which it could leak. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((offset) => base64Within(secret, offset));
  const hex = Buffer.from(secret).toString("hex");
  return [
    secret,
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    Buffer.from(secret, "base64url").toString("hex"),
    ...base64,
    ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/** Whether a text contains a secret in any form. */
const holds = (text: string, secret: string): boolean => formsOf(secret).some((form) => text.includes(form));

/** Names of the secrets that a text contains. */
export const leaksIn = (text: string, secrets: Readonly<Record<string, string>>): string[] =>
  Object.entries(secrets).flatMap(([name, secret]) => (holds(text, secret) ? [name] : []));

/** All rows of all tables as text, as in a dump. */
export async function dumpRows(databaseUrl: string): Promise<string> {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  await sql.end({ timeout: 5 });
  return texts.join("\n");
}
