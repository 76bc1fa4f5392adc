import { projectUnits, readUnits } from "@/lib/metering";
import type { Context } from "@/lib/platform/context";
import { listFailingKeys, listKeys } from "@/lib/tenancy/api-keys";
import { countRefusedOrigins, listWebApps } from "@/lib/tenancy/web-apps";
import { type Access, holds } from "@/lib/tenancy/workspaces";
import { readShadow } from "@/lib/visits/devices";
import { listReports } from "@/lib/visits/reports";
import { findUnusual, listBusiest, summariseVisits } from "@/lib/visits/slices";
import { attentionItems } from "./attention";

const RECENT = 8;
const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Refused origins shown per Web App. */
const ORIGINS = 3;
const WEEK_DAYS = 7;

async function listRefused(context: Context, workspaceId: string) {
  const [webApps, refused] = await Promise.all([
    listWebApps(context, { workspaceId }),
    countRefusedOrigins(context, { workspaceId }),
  ]);
  return webApps.flatMap(({ webAppId, name, origins }) =>
    (refused.get(webAppId)?.origins ?? [])
      .filter(({ origin }) => !origins.includes(origin))
      .slice(0, ORIGINS)
      .map((row) => ({ ...row, webAppId, webAppName: name })),
  );
}

/** Reads the items that need attention, as far as the member may see them. */
async function readAttention(context: Context, access: Access, zone: string) {
  const { workspaceId } = access;
  const [{ unusual, newRules }, refused, keys, failingKeys, units, week, month] = await Promise.all([
    findUnusual(context, { workspaceId }),
    holds(access, "webApp.read") ? listRefused(context, workspaceId) : [],
    holds(access, "apiKey.read") ? listKeys(context, { workspaceId }) : [],
    holds(access, "apiKey.read") ? listFailingKeys(context, { workspaceId }) : [],
    readUnits(context, { workspaceId }),
    readShadow(context, { workspaceId, days: WEEK_DAYS }),
    readShadow(context, { workspaceId }),
  ]);
  const facts = { workspaceId, now: context.now, zone, unusual, newRules, refused, keys, failingKeys, units };
  return attentionItems({ ...facts, projection: projectUnits(units, context.now), shadow: { week, month } });
}

/** Reads everything that the Overview shows for a range. */
export async function readOverview(context: Context, access: Access, range: { from: Date; to: Date }, zone: string) {
  const { workspaceId } = access;
  const recent = {
    workspaceId,
    from: new Date(context.now.getTime() - RECENT_DAYS * DAY_MS),
    to: new Date(context.now.getTime() + DAY_MS),
    limit: RECENT,
  };
  const [attention, summary, busiest, reports] = await Promise.all([
    readAttention(context, access, zone),
    summariseVisits(context, { workspaceId, ...range }),
    listBusiest(context, { workspaceId, ...range }),
    listReports(context, recent),
  ]);
  return { attention, summary, busiest, reports };
}
