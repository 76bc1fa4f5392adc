import { FilterForm, FilterId, FilterSelect } from "@/components/ui/filter-form";
import type { Choice } from "@/components/ui/find-in-list";
import type { AuditQueryTexts } from "./audit-query";

const RESOURCES = [
  { value: "workspace", text: "Workspace" },
  { value: "member", text: "Members" },
  { value: "invitation", text: "Invitations" },
  { value: "web_app", text: "Web Apps" },
  { value: "origin", text: "Origins" },
  { value: "api_key", text: "API keys" },
  { value: "management_key", text: "Management keys" },
  { value: "webhook", text: "Webhooks" },
  { value: "oauth_client", text: "Connected clients" },
  { value: "device", text: "Devices" },
  { value: "account", text: "Accounts" },
  { value: "report", text: "Reports that were opened" },
  { value: "report_view", text: "Saved views" },
  { value: "label", text: "Labels" },
  { value: "case", text: "Cases" },
  { value: "rule", text: "Rules" },
  { value: "alert", text: "Alerts" },
  { value: "export", text: "Exports" },
  { value: "trial", text: "Agent Trials" },
  { value: "demo_data", text: "Demo data" },
  { value: "session", text: "Signing in and out" },
];

const ACTORS = [
  { value: "managementKey", text: "Management keys" },
  { value: "oauthClient", text: "Connected clients" },
  { value: "operator", text: "The command line" },
  { value: "system", text: "The service" },
];

/** Everything and everybody that may have acted. */
export const actorsOf = (members: readonly { userId: string; email: string }[]): Choice[] => [
  ...ACTORS,
  ...members.map(({ userId, email }) => ({ value: userId, text: email })),
];

type Props = { path: string; query: AuditQueryTexts; actors: readonly Choice[] };

export function AuditFilters({ path, query, actors }: Props) {
  return (
    <FilterForm path={path} query={query}>
      <FilterSelect label="About" name="action" value={query.action} all="Everything" choices={RESOURCES} />
      <FilterSelect label="By" name="actor" value={query.actor} all="Anybody" choices={actors} />
      <FilterId label="Target" name="target" value={query.target} example="key_…, app_…" />
    </FilterForm>
  );
}
