"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { type Choices, NO_INPUT, WebhookFields, type WebhookInput } from "./webhook-fields";

type Props = {
  workspaceId: string;
  choices: Choices;
  create: Action<WebhookInput & { workspaceId: string }, { secret: string }>;
};

export function CreateWebhook({ workspaceId, choices, create }: Props) {
  const [input, setInput] = useState(NO_INPUT);
  return (
    <SecretDialog
      title="New webhook"
      madeTitle="Store the signing secret"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New webhook
        </Button>
      }
      submit="Create webhook"
      isIncomplete={input.eventTypes.length === 0}
      action={create}
      input={{ workspaceId, ...input }}
      variable="IMPRINT_WEBHOOK_SECRET"
      kept="it is kept sealed, to sign messages with"
      onClosed={() => {
        setInput(NO_INPUT);
      }}
    >
      <WebhookFields input={input} choices={choices} onInput={setInput} />
    </SecretDialog>
  );
}
