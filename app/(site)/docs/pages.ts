/** The public Markdown pages, by path below `/docs`. A file that is not listed here is never served. */
export const DOC_PAGES = [
  {
    slug: "quickstart",
    file: "quickstart.md",
    title: "Quickstart",
    summary: "From an empty page to a first Report in three steps.",
  },
  {
    slug: "accepting",
    file: "accepting.md",
    title: "Accepting an imprint",
    summary: "The package for servers: one call, its reasons and options, frameworks, Python.",
  },
  {
    slug: "accept-sign-in",
    file: "accept-sign-in.md",
    title: "Protecting sign-in",
    summary: "Stolen passwords: the threat, the code, what to do with each answer, how to test it.",
  },
  {
    slug: "accept-registration",
    file: "accept-registration.md",
    title: "Protecting registration",
    summary: "Many accounts of one person: threat, code, answers, test.",
  },
  {
    slug: "accept-payment",
    file: "accept-payment.md",
    title: "Protecting payment",
    summary: "Stolen cards and carried imprints: threat, code, answers, test.",
  },
  {
    slug: "accept-password-reset",
    file: "accept-password-reset.md",
    title: "Protecting password reset",
    summary: "A mail box in the wrong hands: threat, code, answers, test.",
  },
  {
    slug: "concepts",
    file: "concepts.md",
    title: "Concepts",
    summary: "Workspace, Web App, imprint, device, Report, roles: what the words mean.",
  },
  {
    slug: "agent-trial",
    file: "agent-trial.md",
    title: "Agent trial",
    summary: "How a program buys a trial by x402, and what happens when something fails.",
  },
  {
    slug: "component",
    file: "component.md",
    title: "Browser component",
    summary: "Options, failures, proxying, content security policy.",
  },
  {
    slug: "identity",
    file: "identity.md",
    title: "Device identity",
    summary: "How a device is found again, what is never linked, how to measure it.",
  },
  {
    slug: "risk",
    file: "risk.md",
    title: "Risk rules",
    summary: "How verdicts are made, rule by rule, with sources.",
  },
  {
    slug: "network",
    file: "network.md",
    title: "Network facts",
    summary: "Where the facts about an address come from, and the rules about them.",
  },
  {
    slug: "history",
    file: "history.md",
    title: "History",
    summary: "When the device behind an imprint was here: day by day, and its newest visits.",
  },
  {
    slug: "account-map",
    file: "account-map.md",
    title: "Account Map",
    summary: "How accounts and devices go together, what to send as reference, and what a late link changes.",
  },
  {
    slug: "exploring",
    file: "exploring.md",
    title: "Exploring visits",
    summary: "Search, filters, devices, addresses, accounts and files in the Console.",
  },
  {
    slug: "limits",
    file: "limits.md",
    title: "Plans, limits and usage",
    summary: "What each plan includes, how the edge is kept, and how calls are counted.",
  },
  {
    slug: "webhooks",
    file: "webhooks.md",
    title: "Webhooks",
    summary: "Events that your servers are told of: types, signatures, order, retries.",
  },
  {
    slug: "manage",
    file: "manage.md",
    title: "Manage by API",
    summary: "Web Apps, origins and keys from scripts, for example for preview deployments.",
  },
  {
    slug: "mcp",
    file: "mcp.md",
    title: "Connect an agent",
    summary: "The MCP server: clients, scopes, tools, how access ends.",
  },
  {
    slug: "privacy",
    file: "privacy.md",
    title: "Privacy",
    summary: "What is collected and kept, consent, export and erasure, text for a notice.",
  },
  {
    slug: "installation",
    file: "installation.md",
    title: "Installation",
    summary: "One archive for a server: systemd, containers, machines without a network.",
  },
  {
    slug: "operations",
    file: "operations.md",
    title: "Operations",
    summary: "Settings before others use it, sign-in providers, health, leaked keys, the audit log.",
  },
  {
    slug: "backup",
    file: "backup.md",
    title: "Backup and restore",
    summary: "Scheduled backups, restore, major versions of PostgreSQL, servers of one's own to a point in time.",
  },
  {
    slug: "versions",
    file: "versions.md",
    title: "Versions and upgrades",
    summary: "What may change in the API, the Report, the component and the database, and how to upgrade.",
  },
] as const;

/** Every file of `docs/` that is served: the pages, and the text above the table of errors. */
export const SERVED_FILES: readonly string[] = [...DOC_PAGES.map(({ file }) => file), "errors.md"];

/** Pages whose content comes from the code. */
export const GENERATED_PAGES = [
  { slug: "reasons", title: "Reasons", summary: "What each finding means, and what else could explain it." },
  { slug: "api", title: "API reference", summary: "Every operation, field and status, from the contract itself." },
  { slug: "errors", title: "Errors", summary: "One page for each error code: cause and remedy." },
] as const;
