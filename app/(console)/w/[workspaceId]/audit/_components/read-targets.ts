import { pageHref } from "@/components/shell/pages";
import { type IdKind, idPattern } from "@/lib/contract/ids";
import type { AuditEntry } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { listKeys } from "@/lib/tenancy/api-keys";
import { nameCases } from "@/lib/tenancy/cases";
import { listManagementKeys } from "@/lib/tenancy/management";
import { listViews } from "@/lib/tenancy/views";
import { listWebApps } from "@/lib/tenancy/web-apps";
import { listEndpoints } from "@/lib/tenancy/webhooks";
import { listInvitations } from "@/lib/tenancy/workspaces";
import { listAlerts } from "@/lib/visits/alerts";

/** The target of an entry as people know it; the page about it, if it has one. */
export type Target = { name: string; href?: string };
type Named = readonly [id: string, target: Target];
type OfWorkspace = { workspaceId: string };

/** How the targets of each kind are named. What was deleted has no name any more. */
const READERS: Partial<
  Record<IdKind, (context: Context, of: OfWorkspace, ids: readonly string[]) => Promise<readonly Named[]>>
> = {
  apiKey: async (context, of) =>
    (await listKeys(context, of)).map(({ keyId, name }) => [keyId, { name, href: pageHref("key", { ...of, keyId }) }]),
  managementKey: async (context, of) =>
    (await listManagementKeys(context, of)).map(({ keyId, name }) => [
      keyId,
      { name, href: pageHref("management-keys", of) },
    ]),
  webApp: async (context, of) =>
    (await listWebApps(context, of)).map(({ webAppId, name }) => [
      webAppId,
      { name, href: pageHref("web-app", { ...of, webAppId }) },
    ]),
  webhook: async (context, of) =>
    (await listEndpoints(context, of)).map(({ endpointId, name }) => [
      endpointId,
      { name, href: pageHref("webhook", { ...of, endpointId }) },
    ]),
  view: async (context, of) => (await listViews(context, of)).map(({ viewId, name }) => [viewId, { name }]),
  alert: async (context, of) =>
    (await listAlerts(context, of)).map(({ alertId, name }) => [alertId, { name, href: pageHref("alerts", of) }]),
  invitation: async (context, of) =>
    (await listInvitations(context, of)).map(({ invitationId, email }) => [invitationId, { name: email }]),
  case: async (context, of, caseIds) =>
    (await nameCases(context, { ...of, caseIds })).map(({ caseId, name }) => [
      caseId,
      { name, href: pageHref("case", { ...of, caseId }) },
    ]),
};

const KINDS = Object.keys(READERS) as IdKind[]; // safe: the keys of its type

/** The names of the targets of these entries, each kind read only if an entry is about it. */
export async function readTargets(
  context: Context,
  of: OfWorkspace,
  entries: readonly Pick<AuditEntry, "action" | "target">[],
): Promise<ReadonlyMap<string, Target>> {
  const ids = [...new Set(entries.map(({ target }) => target))];
  const read = KINDS.map(async (kind) => {
    const own = ids.filter((id) => idPattern(kind).test(id));
    return own.length === 0 ? [] : ((await READERS[kind]?.(context, of, own)) ?? []);
  });
  return new Map((await Promise.all(read)).flat());
}
