/** Scopes of connected clients, in the order of the consent page. */
export const SCOPES = ["svc.report.lite", "svc.report.pro", "svc.history.read", "svc.usage.read"] as const;
export type Scope = (typeof SCOPES)[number];

/** Texts of the consent page. */
export const SCOPE_TEXTS: Record<Scope, { title: string; text: string }> = {
  "svc.report.lite": {
    title: "Read Reports",
    text: "Find visits, see why each one got its verdict, and look at devices. Addresses and places are included only if you may see them; if so, whole Reports as well, and the first read of each uses one report unit.",
  },
  "svc.report.pro": {
    title: "Read Reports with Account Map",
    text: "The same by account, and which accounts a device was used with. An account that the client names is never linked.",
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

/** Titles of the granted scopes. */
export const scopeTitles = (granted: string): string[] => knownScopes(granted).map((scope) => SCOPE_TEXTS[scope].title);

/** What determines which scopes a person may grant in a workspace. */
export type Entitlement = {
  canReadReports: boolean;
  canReadUsage: boolean;
  hasHistory: boolean;
  hasAccountMap: boolean;
};

/** Why a scope cannot be granted; undefined if it can. */
export function obstacle(scope: Scope, entitlement: Entitlement): string | undefined {
  const { canReadReports, canReadUsage, hasHistory, hasAccountMap } = entitlement;
  switch (scope) {
    case "svc.report.lite":
    case "svc.report.pro":
      if (!canReadReports) return "Your role may not read Reports.";
      return scope === "svc.report.pro" && !hasAccountMap ? "This workspace has no Account Map." : undefined;
    case "svc.history.read":
      if (!canReadReports) return "Your role may not read Reports.";
      return hasHistory ? undefined : "The plan of this workspace has no History.";
    case "svc.usage.read":
      return canReadUsage ? undefined : "Your role may not see usage.";
  }
}
