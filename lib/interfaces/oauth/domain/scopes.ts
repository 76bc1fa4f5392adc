/** Scopes of connected clients, in the order of the consent page. */
export const SCOPES = ["svc.report.lite", "svc.report.pro", "svc.history.read", "svc.usage.read"] as const;
export type Scope = (typeof SCOPES)[number];

/** Texts of the consent page. */
export const SCOPE_TEXTS: Record<Scope, { title: string; text: string }> = {
  "svc.report.lite": {
    title: "Read Reports",
    text: "Device, risk and network of a visit, addresses and places included. The first reading of an imprint uses one report unit.",
  },
  "svc.report.pro": {
    title: "Read Reports with Account Map",
    text: "Reports as above, and how the account that the client names relates to the device. The account is linked to nothing.",
  },
  "svc.history.read": {
    title: "Read History",
    text: "When and on which surfaces the device behind an imprint was seen.",
  },
  "svc.usage.read": { title: "Read usage", text: "Submissions, report units and requests of this workspace by day." },
};

const IMPLIED: Partial<Record<Scope, readonly Scope[]>> = { "svc.report.pro": ["svc.report.lite"] };

/** Whether `granted` contains `wanted` or a scope that implies it. */
export const covers = (granted: readonly string[], wanted: Scope): boolean =>
  granted.includes(wanted) || SCOPES.some((scope) => granted.includes(scope) && IMPLIED[scope]?.includes(wanted));

/** The known scopes of a space-separated list, without duplicates, in the order of `SCOPES`. */
export function knownScopes(text: string | readonly string[] | undefined): Scope[] {
  const named = typeof text === "string" ? text.split(" ") : (text ?? []);
  return SCOPES.filter((scope) => named.includes(scope));
}

/** The granted scopes in words. */
export const scopeTitles = (granted: string): string[] => knownScopes(granted).map((scope) => SCOPE_TEXTS[scope].title);

/** Facts that decide which scopes a person may grant in a workspace. */
export type Entitlement = {
  canReadReports: boolean;
  canSeeAddresses: boolean;
  canReadUsage: boolean;
  hasHistory: boolean;
  hasAccountMap: boolean;
};

/** Why a scope cannot be granted; undefined when it can. */
export function obstacle(scope: Scope, entitlement: Entitlement): string | undefined {
  const { canReadReports, canSeeAddresses, canReadUsage, hasHistory, hasAccountMap } = entitlement;
  switch (scope) {
    case "svc.report.lite":
    case "svc.report.pro":
      if (!canReadReports) return "Your role may not read Reports.";
      if (!canSeeAddresses) return "A Report shows addresses and places, which you may not see in this workspace.";
      return scope === "svc.report.pro" && !hasAccountMap ? "This workspace has no Account Map." : undefined;
    case "svc.history.read":
      if (!canReadReports) return "Your role may not read Reports.";
      return hasHistory ? undefined : "The plan of this workspace has no History.";
    case "svc.usage.read":
      return canReadUsage ? undefined : "Your role may not see usage.";
  }
}
