import { readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { ROOT } from "../process/service";

const Manifest = z.object({
  node: z.record(z.string(), z.object({ exportedName: z.string(), workers: z.record(z.string(), z.unknown()) })),
});

export type PageAction = { name: string; id: string; /** Routes of the pages that have it. */ pages: string[] };

/** Every server action of the build under test, as a browser could call it. */
export function readActions(): PageAction[] {
  const file = join(ROOT, ".test/next/server/server-reference-manifest.json");
  const { node } = Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  return Object.entries(node).map(([id, { exportedName, workers }]) => ({
    name: exportedName,
    id,
    pages: Object.keys(workers).map((worker) =>
      worker
        .replaceAll(/\/?\([^)]*\)/g, "")
        .replace(/^app/, "")
        .replace(/\/page$/, ""),
    ),
  }));
}

type Call = {
  url: string;
  workspaceId: string;
  sessionToken?: string | undefined;
  origin?: string;
};

const fill = (page: string, workspaceId: string) =>
  page
    .replace("[workspaceId]", workspaceId)
    .replaceAll(/\[(\w+)\]/g, (_, name: string) => `${name.slice(0, 3)}_${"0".repeat(32)}`);

/** Sends a server action past its page: the code of the refusal, `done`, or the status where Next itself refused. */
export async function callAction(action: PageAction, input: unknown, call: Call): Promise<string> {
  const page = action.pages.toSorted((a, b) => a.length - b.length)[0] ?? "/";
  const answer = await fetch(call.url + fill(page, call.workspaceId), {
    method: "POST",
    redirect: "manual",
    headers: {
      "Next-Action": action.id,
      "Content-Type": "text/plain;charset=UTF-8",
      Accept: "text/x-component",
      Origin: call.origin ?? call.url,
      ...(call.sessionToken === undefined ? {} : { Cookie: `authjs.session-token=${call.sessionToken}` }),
    },
    body: JSON.stringify([input]),
  });
  const text = await answer.text();
  const outcome = /\{"ok":(true|false)(?:,"code":"(\w+)")?/.exec(text);
  if (!outcome) return `status ${answer.status}`;
  return outcome[1] === "true" ? "done" : (outcome[2] ?? "refused");
}
