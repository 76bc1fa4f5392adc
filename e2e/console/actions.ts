import { join } from "node:path";

import { type PageAction, readActions as readActionsOf } from "@/scripts/fuzz/build-manifest";
import { ROOT } from "../process/service";

/** Every server action of the build under test, as a browser could call it. */
export const readActions = (): PageAction[] => readActionsOf(join(ROOT, ".test/next"));

/** A session, and the person for whom the page with the action was drawn. */
export type OpenSession = { sessionToken: string; person: string };

type Call = { [Name in keyof OpenSession]?: OpenSession[Name] | undefined } & {
  url: string;
  workspaceId: string;
  origin?: string;
};

const fill = (page: string, workspaceId: string) =>
  page
    .replace("[workspaceId]", workspaceId)
    .replaceAll(/\[(\w+)\]/g, (_, name: string) => `${name.slice(0, 3)}_${"0".repeat(32)}`);

/** Sends a server action directly; returns the code of the refusal, `done`, or the status if Next itself refused. */
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
    body: JSON.stringify([input, call.person]),
  });
  const text = await answer.text();
  const outcome = /\{"ok":(true|false)(?:,"code":"(\w+)")?/.exec(text);
  if (!outcome) return `status ${answer.status}`;
  return outcome[1] === "true" ? "done" : (outcome[2] ?? "refused");
}
