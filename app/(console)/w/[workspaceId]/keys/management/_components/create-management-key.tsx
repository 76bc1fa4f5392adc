"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { CheckList } from "@/components/ui/check-list";
import { Field } from "@/components/ui/field";
import { Input, NativeSelect } from "@/components/ui/input";
import { SecretDialog } from "@/components/ui/secret-dialog";

const SCOPES = [
  { value: "origins", label: "Origins", note: "allow and remove origins of Web Apps" },
  { value: "web_apps", label: "Web Apps", note: "create, rename, pause and archive them" },
  { value: "keys", label: "API keys", note: "create, rotate and revoke keys that read Reports" },
  {
    value: "labels",
    label: "Labels",
    note: "say which visits, devices and accounts were fraud, legitimate or testers",
  },
];
const DAYS = [7, 30, 90, 365];

type Input = { workspaceId: string; name: string; scopes: string[]; expiresAfterDays: number };
type Props = { workspaceId: string; canIssueKeys: boolean; create: Action<Input, { secret: string }> };

export function CreateManagementKey({ workspaceId, canIssueKeys, create }: Props) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState(["origins"]);
  const [days, setDays] = useState(90);
  return (
    <SecretDialog
      title="New management key"
      madeTitle="Store the management key"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New management key
        </Button>
      }
      submit="Create key"
      isIncomplete={scopes.length === 0}
      action={create}
      input={{ workspaceId, name, scopes, expiresAfterDays: days }}
      variable="IMPRINT_MANAGEMENT_KEY"
      onClosed={() => {
        setName("");
        setScopes(["origins"]);
        setDays(90);
      }}
    >
      <Field label="Name" hint="Where it will be used, for example “previews”.">
        <Input required maxLength={80} value={name} onText={setName} />
      </Field>
      <CheckList
        label="What it may manage"
        options={SCOPES.filter(({ value }) => canIssueKeys || value !== "keys")}
        chosen={scopes}
        onChoose={setScopes}
      />
      <Field label="Expires">
        <NativeSelect
          value={days}
          onChange={(event) => {
            setDays(Number(event.currentTarget.value));
          }}
        >
          {DAYS.map((each) => (
            <option key={each} value={each}>
              {each} days
            </option>
          ))}
        </NativeSelect>
      </Field>
    </SecretDialog>
  );
}
