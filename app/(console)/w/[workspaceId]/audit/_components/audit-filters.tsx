"use client";

import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import type { AuditQueryTexts } from "./audit-query";
import { FilterForm } from "@/components/ui/filter-form";

const RESOURCES = [
  { value: "workspace", text: "Workspace" },
  { value: "member", text: "Members" },
  { value: "invitation", text: "Invitations" },
  { value: "web_app", text: "Web Apps" },
  { value: "origin", text: "Origins" },
  { value: "api_key", text: "API keys" },
  { value: "oauth_client", text: "Connected clients" },
  { value: "device", text: "Devices" },
  { value: "account", text: "Accounts" },
  { value: "report", text: "Reports that were opened" },
  { value: "report_view", text: "Saved views" },
  { value: "export", text: "Exports" },
  { value: "session", text: "Signing in and out" },
];

type Props = { path: string; query: AuditQueryTexts; members: readonly { userId: string; email: string }[] };

export function AuditFilters({ path, query, members }: Props) {
  const isKnown = RESOURCES.some(({ value }) => value === query.action) || query.action === "";
  return (
    <FilterForm path={path} query={query}>
      <Field label="About" className="min-w-0 sm:w-40">
        <NativeSelect name="action" defaultValue={query.action}>
          <option value="">Everything</option>
          {isKnown ? null : <option value={query.action}>{query.action}</option>}
          {RESOURCES.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="By" className="min-w-0 sm:w-48">
        <NativeSelect name="actor" defaultValue={query.actor}>
          <option value="">Anybody</option>
          <option value="operator">The command line</option>
          <option value="system">The service</option>
          {members.map(({ userId, email }) => (
            <option key={userId} value={userId}>
              {email}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="Target" className="min-w-0 sm:w-48">
        <Input name="target" defaultValue={query.target} placeholder="key_…, app_…" className="font-mono text-xs" />
      </Field>
    </FilterForm>
  );
}
