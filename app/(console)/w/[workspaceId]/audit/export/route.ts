import { defineFileRoute } from "@/app/_server/file-route";
import type { AuditEntry } from "@/lib/platform/audit";
import { csvLine } from "@/lib/platform/csv";
import { exportAudit } from "@/lib/tenancy/workspaces";
import { auditFilterOf, readAuditQuery } from "../_components/audit-query";

const COLUMNS = ["at", "actor", "actor_id", "session", "address", "action", "target", "request_id", "detail"];

const asCsv = (entry: AuditEntry): string =>
  csvLine([
    entry.at.toISOString(),
    entry.actorKind,
    entry.actorId,
    entry.credential,
    entry.address,
    entry.action,
    entry.target,
    entry.requestId,
    JSON.stringify(entry.detail),
  ]);

const asJsonLine = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`;

async function* fileOf(pages: AsyncGenerator<AuditEntry[]>, head: string, line: (entry: AuditEntry) => string) {
  if (head !== "") yield head;
  for await (const entries of pages) yield entries.map(line).join("");
}

/** The log as a CSV or JSON Lines file. */
export const GET = defineFileRoute("audit.read", (context, { workspaceId }, query) => {
  const filter = auditFilterOf(readAuditQuery(Object.fromEntries(query)));
  const read = () => exportAudit(context, { workspaceId, filter });
  return query.get("format") === "json"
    ? { name: "audit-log.jsonl", type: "application/json", open: async () => fileOf(await read(), "", asJsonLine) }
    : { name: "audit-log.csv", type: "text/csv", open: async () => fileOf(await read(), csvLine(COLUMNS), asCsv) };
});
