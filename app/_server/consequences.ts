import { z } from "zod";

import type { Asked } from "@/components/shell/consequence-asked";
import { consequenceText as text } from "@/components/shell/consequence-text";
import { isAppError } from "@/lib/contract/errors";
import { listClients } from "@/lib/interfaces/oauth";
import type { Context } from "@/lib/platform/context";
import { countRecentCalls, listKeys } from "@/lib/tenancy/api-keys";
import { listCases } from "@/lib/tenancy/cases";
import { countAccount } from "@/lib/visits/account-map";
import { listAlerts } from "@/lib/visits/alerts";
import { readDevice } from "@/lib/visits/devices";
import { countRecentVisits, countVisitsBeyond } from "@/lib/visits/reports";

const workspaceId = z.string();

export const ASKED = z.discriminatedUnion("what", [
  z.strictObject({ what: z.literal("webApp"), workspaceId, webAppId: z.string(), origin: z.string().optional() }),
  z.strictObject({ what: z.literal("retention"), workspaceId, days: z.int().nullable() }),
  z.strictObject({ what: z.literal("key"), workspaceId, keyId: z.string() }),
  z.strictObject({ what: z.literal("member"), workspaceId, userId: z.string() }),
  z.strictObject({ what: z.literal("view"), workspaceId, viewId: z.string() }),
  z.strictObject({ what: z.literal("device"), workspaceId, deviceId: z.string() }),
  z.strictObject({ what: z.literal("account"), workspaceId, accountRef: z.string() }),
]);
type Of<What extends Asked["what"]> = Extract<Asked, { what: What }>;

/** The person's clients, as far as the actor may see them. */
async function countClients(context: Context, { workspaceId: id, userId }: Of<"member">): Promise<number> {
  const isOwn = context.actor.kind === "user" && context.actor.userId === userId;
  const clients = await listClients(context, { workspaceId: id, isAll: !isOwn });
  return clients.filter((client) => client.userId === userId).length;
}

async function ofMember(context: Context, asked: Of<"member">): Promise<string[]> {
  const { userId } = asked;
  const ofWorkspace = { workspaceId: asked.workspaceId };
  const [clients, { cases, nextCursor }, keys] = await Promise.all([
    countClients(context, asked),
    listCases(context, { ...ofWorkspace, statuses: ["open", "in_progress"], assigneeId: userId }),
    listKeys(context, ofWorkspace).catch((error: unknown) => {
      if (isAppError(error) && error.code === "forbidden") return [];
      throw error;
    }),
  ]);
  const usable = keys.filter(
    ({ createdBy, state }) => createdBy === userId && (state === "active" || state === "overlap"),
  );
  return text.member({
    clients,
    cases: { listed: cases.length, isMore: nextCursor !== undefined },
    keys: usable.length,
  });
}

/**
 * Counts what an action would end or delete, and describes it, one sentence each.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readConsequences(context: Context, asked: Asked): Promise<string[]> {
  switch (asked.what) {
    case "webApp":
      return text.webApp(await countRecentVisits(context, asked), asked.origin);
    case "retention":
      return text.retention(await countVisitsBeyond(context, asked));
    case "key":
      return text.key(await countRecentCalls(context, asked));
    case "member":
      return await ofMember(context, asked);
    case "view":
      return text.view(
        (await listAlerts(context, asked)).filter(({ view }) => view.viewId === asked.viewId).map(({ name }) => name),
      );
    case "device":
      return text.device((await readDevice(context, asked)).visits);
    case "account":
      return text.account(await countAccount(context, asked));
  }
}
