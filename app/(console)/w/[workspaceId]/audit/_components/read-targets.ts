import { pageHref } from "@/components/shell/pages";
import { type IdKind, idPattern } from "@/lib/contract/ids";
import type { AuditEntry } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { nameKeys } from "@/lib/tenancy/api-keys";
import { nameCases } from "@/lib/tenancy/cases";
import { nameWebApps } from "@/lib/tenancy/web-apps";
import { listEndpoints } from "@/lib/tenancy/webhooks";

/** The target of an entry as people know it; the page about it, if it has one. */
export type Target = { name?: string; href?: string };
type Named = readonly [id: string, target: Target];
type OfWorkspace = { workspaceId: string };
type Entry = Pick<AuditEntry, "action" | "target" | "detail">;

/** The present names of what can be renamed, and of what has a page only while it exists. */
const READERS: Partial<
  Record<IdKind, (context: Context, of: OfWorkspace, ids: readonly string[]) => Promise<readonly Named[]>>
> = {
  apiKey: async (context, of, keyIds) =>
    (await nameKeys(context, { ...of, keyIds })).map(({ keyId, name }) => [
      keyId,
      { name, href: pageHref("key", { ...of, keyId }) },
    ]),
  webApp: async (context, of, webAppIds) =>
    (await nameWebApps(context, { ...of, webAppIds })).map(({ webAppId, name }) => [
      webAppId,
      { name, href: pageHref("web-app", { ...of, webAppId }) },
    ]),
  // A workspace has few of them.
  webhook: async (context, of) =>
    (await listEndpoints(context, of)).map(({ endpointId, name }) => [
      endpointId,
      { name, href: pageHref("webhook", { ...of, endpointId }) },
    ]),
  case: async (context, of, caseIds) =>
    (await nameCases(context, { ...of, caseIds })).map(({ caseId, name }) => [
      caseId,
      { name, href: pageHref("case", { ...of, caseId }) },
    ]),
};

const KINDS = Object.keys(READERS) as IdKind[]; // safe: the keys of its type

/** Pages about what has no name, and lists of what has no page of its own. */
const PAGES: Partial<Record<IdKind, (of: OfWorkspace, id: string) => string>> = {
  device: (of, deviceId) => pageHref("device", { ...of, deviceId }),
  imprint: (of, imprint) => pageHref("report", { ...of, imprint }),
  intent: (of, intentId) => pageHref("trial", { ...of, intentId }),
  managementKey: (of) => pageHref("management-keys", of),
  alert: (of) => pageHref("alerts", of),
};

const WORDS: Record<string, string> = { account: "An account", audit_log: "Audit log", labels: "Labels" };

const isKind = (kind: string, id: string) => idPattern(kind as IdKind).test(id); // safe: a key of READERS or PAGES

/** The name that an entry itself records: the only one that is left of what was deleted. */
function recordedName({ action, detail }: Entry): string | undefined {
  const name = action.endsWith(".rename") ? detail["to"] : (detail["name"] ?? detail["email"]);
  return typeof name === "string" && name !== "" ? name : undefined;
}

function recordedTarget(of: OfWorkspace, entry: Entry): Target {
  const name = WORDS[entry.target] ?? (entry.target === of.workspaceId ? "This workspace" : recordedName(entry));
  const isGone = entry.action.endsWith(".delete");
  const [, hrefOf] = Object.entries(PAGES).find(([kind]) => isKind(kind, entry.target)) ?? [];
  return {
    ...(name !== undefined && { name }),
    ...(hrefOf !== undefined && !isGone && { href: hrefOf(of, entry.target) }),
  };
}

/**
 * The targets of these entries, newest first. Only what is among them is read, each kind in one statement; what was
 * deleted has the newest name that the entries record.
 */
export async function readTargets(
  context: Context,
  of: OfWorkspace,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map<string, Target>();
  for (const entry of entries.toReversed()) {
    const name = targets.get(entry.target)?.name;
    targets.set(entry.target, { ...(name !== undefined && { name }), ...recordedTarget(of, entry) });
  }
  const ids = [...targets.keys()];
  const read = KINDS.map(async (kind) => {
    const own = ids.filter((id) => isKind(kind, id));
    return own.length === 0 ? [] : ((await READERS[kind]?.(context, of, own)) ?? []);
  });
  for (const [id, target] of (await Promise.all(read)).flat()) targets.set(id, target);
  return targets;
}
