import type { Context } from "@/lib/platform/context";
import { listRefusedOrigins, listWebApps } from "@/lib/tenancy/web-apps";
import { watchFirstVisit } from "@/lib/visits/reports";
import type { FirstVisitAnswer } from "../_components/first-visit-wait";

type Refused = NonNullable<FirstVisitAnswer["refused"]>;

/** The most recently refused origin in any Web App of the workspace. */
async function lastRefused(context: Context, workspaceId: string): Promise<Refused | null> {
  const webApps = await listWebApps(context, { workspaceId });
  const feeds = await Promise.all(
    webApps
      .filter(({ state }) => state === "active")
      .map(async ({ webAppId, name, origins }) => {
        const rows = await listRefusedOrigins(context, { workspaceId, webAppId });
        return rows
          .filter(({ origin }) => !origins.includes(origin))
          .flatMap(({ origin, lastSeenAt, canBeAllowed }) =>
            lastSeenAt
              ? [{ webAppId, webAppName: name, origin, lastSeenAt: lastSeenAt.toISOString(), canBeAllowed }]
              : [],
          );
      }),
  );
  const rows = feeds.flat().sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
  return rows[0] ?? null;
}

/** Data of the waiting panel: the first visit after the watermark, and the most recently refused origin. */
export async function answerFirstVisit(context: Context, workspaceId: string, since: Date): Promise<FirstVisitAnswer> {
  const [{ firstSince, at }, refused] = await Promise.all([
    watchFirstVisit(context, { workspaceId, since }),
    lastRefused(context, workspaceId),
  ]);
  return {
    at: at.toISOString(),
    first: firstSince && { imprint: firstSince.imprint, status: firstSince.status },
    refused,
  };
}
