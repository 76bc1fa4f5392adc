import { expect } from "vitest";

import { readReport } from "../service";
import type { ConnectedClient } from "./generations";

/** A client asks about one account, and the site's own server links another: the client's question linked nothing. */
export async function askAboutAccount(
  client: ConnectedClient,
  { url, apiKey, imprint }: { url: string; apiKey: string; imprint: string },
): Promise<void> {
  const ask = () => client.callTool("svc_get_report", { imprint, account_ref: "user-1" });
  expect((await ask()).structuredContent).toMatchObject({ account_map: { account_seen_before: false } });
  expect((await readReport(url, apiKey, imprint, { "X-Account-Ref": "user-2" })).status).toBe(200);
  const conflict = await ask();
  expect([conflict.isError, conflict.content[0]?.text]).toEqual([
    true,
    expect.stringContaining("account_ref_conflict"),
  ]);
}
