"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Id } from "@/components/ui/id";
import { Input } from "@/components/ui/input";
import type { Action } from "@/components/ui/action-result";
import { type OriginVerdict, splitOrigins } from "@/components/ui/origin-verdict";
import { OriginsField } from "@/components/ui/origins-field";
import { SecretDialog } from "@/components/ui/secret-dialog";

type Created = { webAppId: string; environmentId: string; secret: string };
type Props = {
  workspaceId: string;
  create: Action<{ workspaceId: string; name: string; origins: string[] }, Created>;
  explainOrigins: Action<string[], OriginVerdict[]>;
};

/** Creates a Web App, then shows its environment id and the key's secret once, in the same dialog. */
export function CreateWebApp({ workspaceId, create, explainOrigins }: Props) {
  const [name, setName] = useState("");
  const [origins, setOrigins] = useState("");
  return (
    <SecretDialog
      title="New Web App"
      madeTitle="Store the server key"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New Web App
        </Button>
      }
      submit="Create"
      action={create}
      input={{ workspaceId, name, origins: splitOrigins(origins) }}
      above={({ environmentId }) => (
        <div>
          <p className="font-medium">Environment id</p>
          <Id value={environmentId} isWhole copy="always" />
        </div>
      )}
      doneLabel="To the Web App"
      next={({ webAppId }) => pageHref("web-app", { workspaceId, webAppId })}
      onClosed={() => {
        setName("");
        setOrigins("");
      }}
    >
      <Field label="Name" hint="The website that will run the component.">
        <Input required maxLength={80} value={name} placeholder="Shop" onText={setName} />
      </Field>
      <OriginsField text={origins} onChange={setOrigins} explain={explainOrigins} />
    </SecretDialog>
  );
}
