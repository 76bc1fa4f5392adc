import postgres from "postgres";

/** A page with data, relative to the workspace, and the table without which it has nothing to show. */
export type DataView = { path: string; table: string };

type Address = { url: string; cookie: string };

const LONGEST_MS = 60_000;

/** Reads a response up to the point where `isEnough`, or completely. */
async function readUntil({ url, cookie }: Address, isEnough: (html: string) => boolean): Promise<string> {
  const closing = new AbortController();
  const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LONGEST_MS)]);
  const answer = await fetch(url, { headers: { Cookie: cookie }, redirect: "manual", signal });
  const [decoder, reader] = [new TextDecoder(), answer.body?.getReader()];
  let html = "";
  for (;;) {
    const piece = await reader?.read();
    html += decoder.decode(piece?.value, { stream: true });
    if (!piece || piece.done || isEnough(html)) break;
  }
  closing.abort();
  return html;
}

const isLoading = (html: string) => /role="status" aria-label="Loading/.test(html);
/**
 * Matches the server's marker of a part that failed, before or after it started streaming, with the request id used in
 * the log.
 */
const hasFailed = (html: string) => /(?:data-dgst="|\$RX\("[^"]*","|digest[\\":]+)req_[0-9a-f]{32}/.test(html);

export type TableKeeper = {
  /** Whether a page shows a loading state while its table is locked. */
  showsLoading: (view: DataView) => Promise<boolean>;
  /** Whether a page shows a failure with the request id while its table is gone. */
  showsFailure: (view: DataView) => Promise<boolean>;
  /** Makes a table unavailable while `work` runs. */
  without: (table: string, work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
};

/** Makes tables unavailable to the service, one at a time to avoid deadlocks. */
export function openTableKeeper(databaseUrl: string, home: string, cookie: string): TableKeeper {
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => undefined });
  const without = async (table: string, work: () => Promise<void>) => {
    await sql.unsafe(`alter table ${table} rename to ${table}_away`);
    try {
      await work();
    } finally {
      await sql.unsafe(`alter table ${table}_away rename to ${table}`);
    }
  };
  return {
    without,
    async showsLoading({ path, table }) {
      const html = await sql.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`);
        return await readUntil({ url: home + path, cookie }, isLoading);
      });
      return isLoading(html);
    },
    async showsFailure({ path, table }) {
      let html = "";
      await without(table, async () => {
        html = await readUntil({ url: home + path, cookie }, hasFailed);
      });
      return hasFailed(html);
    },
    close: () => sql.end({ timeout: 5 }),
  };
}
