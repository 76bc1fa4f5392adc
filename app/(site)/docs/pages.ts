/** The groups of the documentation, in reading order. */
export const DOC_GROUPS = ["Start", "Concepts", "Integrate", "Operate", "Reference"] as const;

type Group = (typeof DOC_GROUPS)[number];
type ListedPage = { slug: string; group: Group; title: string; summary: string };

/** The public Markdown pages, by path below `/docs`. A file that is not listed here is never served. */
export const DOC_PAGES = [
  {
    slug: "quickstart",
    group: "Start",
    file: "quickstart.md",
    title: "Quickstart",
    summary: "From an empty page to a first Report in three steps.",
  },
  {
    slug: "agent-trial",
    group: "Start",
    file: "agent-trial.md",
    title: "Agent trial",
    summary: "How a program buys a trial with x402, and what happens when something fails.",
  },
  {
    slug: "concepts",
    group: "Concepts",
    file: "concepts.md",
    title: "Concepts",
    summary: "Workspace, Web App, imprint, device, Report, roles: what the terms mean.",
  },
  {
    slug: "identity",
    group: "Concepts",
    file: "identity.md",
    title: "Device identity",
    summary: "How a device is recognised, what is never linked, how to measure it.",
  },
  {
    slug: "risk",
    group: "Concepts",
    file: "risk.md",
    title: "Risk rules",
    summary: "How verdicts are made, rule by rule, with sources.",
  },
  {
    slug: "network",
    group: "Concepts",
    file: "network.md",
    title: "Network facts",
    summary: "Sources of the facts about an address, and the rules that use them.",
  },
  {
    slug: "accepting",
    group: "Integrate",
    file: "accepting.md",
    title: "Accepting an imprint",
    summary: "The server package: one call, its reasons and options, frameworks, Python.",
  },
  {
    slug: "accept-sign-in",
    group: "Integrate",
    file: "accept-sign-in.md",
    title: "Protecting sign-in",
    summary: "Stolen passwords: the threat, the code, what to do with each result, how to test it.",
  },
  {
    slug: "accept-registration",
    group: "Integrate",
    file: "accept-registration.md",
    title: "Protecting registration",
    summary: "Many accounts of one person: threat, code, results, test.",
  },
  {
    slug: "accept-payment",
    group: "Integrate",
    file: "accept-payment.md",
    title: "Protecting payment",
    summary: "Stolen cards and stolen imprints: threat, code, results, test.",
  },
  {
    slug: "accept-password-reset",
    group: "Integrate",
    file: "accept-password-reset.md",
    title: "Protecting password reset",
    summary: "A mailbox in the wrong hands: threat, code, results, test.",
  },
  {
    slug: "component",
    group: "Integrate",
    file: "component.md",
    title: "Browser component",
    summary: "Options, failures, proxying, content security policy.",
  },
  {
    slug: "history",
    group: "Integrate",
    file: "history.md",
    title: "History",
    summary: "When the device behind an imprint visited: day by day, and its newest visits.",
  },
  {
    slug: "account-map",
    group: "Integrate",
    file: "account-map.md",
    title: "Account Map",
    summary: "How accounts and devices relate, what to send as reference, and what a late link changes.",
  },
  {
    slug: "webhooks",
    group: "Integrate",
    file: "webhooks.md",
    title: "Webhooks",
    summary: "Event notifications for your servers: types, signatures, order, retries.",
  },
  {
    slug: "manage",
    group: "Integrate",
    file: "manage.md",
    title: "Manage by API",
    summary: "Web Apps, origins and keys from scripts, for example for preview deployments.",
  },
  {
    slug: "mcp",
    group: "Integrate",
    file: "mcp.md",
    title: "Connect an agent",
    summary: "The MCP server: clients, scopes, tools, how access ends.",
  },
  {
    slug: "exploring",
    group: "Operate",
    file: "exploring.md",
    title: "Exploring visits",
    summary: "Search, filters, devices, addresses, accounts and exports in the Console.",
  },
  {
    slug: "rules",
    group: "Operate",
    file: "rules.md",
    title: "Rules, labels and alerts",
    summary: "Measure each rule with your labels, try other rules on stored visits, observe, and get alerts on views.",
  },
  {
    slug: "installation",
    group: "Operate",
    file: "installation.md",
    title: "Installation",
    summary: "One archive for a server: systemd, containers, machines without network access.",
  },
  {
    slug: "operations",
    group: "Operate",
    file: "operations.md",
    title: "Operations",
    summary: "Settings before you go live, sign-in providers, health, leaked keys, the audit log.",
  },
  {
    slug: "scale",
    group: "Operate",
    file: "scale.md",
    title: "Scale",
    summary: "The processes, connections, nodes and disk that a visit rate needs, and what breaks first.",
  },
  {
    slug: "cluster",
    group: "Operate",
    file: "cluster.md",
    title: "Several database servers",
    summary: "A Citus cluster: set up, distribute, move shards, and what happens when a server is unavailable.",
  },
  {
    slug: "backup",
    group: "Operate",
    file: "backup.md",
    title: "Backup and restore",
    summary: "Scheduled backups, restore, major versions of PostgreSQL, point-in-time recovery on your own server.",
  },
  {
    slug: "limits",
    group: "Operate",
    file: "limits.md",
    title: "Plans, limits and usage",
    summary: "What each plan includes, how limits are enforced, and how calls are counted.",
  },
  {
    slug: "privacy",
    group: "Operate",
    file: "privacy.md",
    title: "Privacy",
    summary: "What is collected and how long it is kept, consent, export and erasure, text for a notice.",
  },
  {
    slug: "versions",
    group: "Operate",
    file: "versions.md",
    title: "Versions and upgrades",
    summary: "What may change in the API, the Report, the component and the database, and how to upgrade.",
  },
] as const satisfies (ListedPage & { file: string })[];

/** Every served file of `docs/`: the pages, and the text above the table of errors. */
export const SERVED_FILES: readonly string[] = [...DOC_PAGES.map(({ file }) => file), "errors.md"];

/** Pages generated from the code. */
const GENERATED_PAGES = [
  {
    slug: "reasons",
    group: "Reference",
    title: "Reasons",
    summary: "What each finding means, and what else could explain it.",
  },
  {
    slug: "api",
    group: "Reference",
    title: "API reference",
    summary: "Every operation, field and status, from the contract itself.",
  },
  { slug: "errors", group: "Reference", title: "Errors", summary: "One page for each error code: cause and remedy." },
] as const satisfies ListedPage[];

/** Every page with its address, by group, in reading order. */
export const READING_ORDER = DOC_GROUPS.flatMap((group) =>
  [...DOC_PAGES, ...GENERATED_PAGES]
    .filter((page) => page.group === group)
    .map(({ slug, title, summary }) => ({ group, href: `/docs/${slug}`, title, summary })),
);
