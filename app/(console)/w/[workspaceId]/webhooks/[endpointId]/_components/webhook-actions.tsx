"use client";

import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { NativeSelect } from "@/components/ui/input";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { type Choices, WebhookFields, type WebhookInput } from "../../_components/webhook-fields";

const OVERLAPS = [
  { value: "0", label: "Not at all: it leaked" },
  { value: "1h", label: "1 hour" },
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
] as const;
type Overlap = (typeof OVERLAPS)[number]["value"];
const isOverlap = (text: string): text is Overlap => OVERLAPS.some(({ value }) => value === text);

type OfWebhook = { workspaceId: string; endpointId: string };
type Props = {
  webhook: OfWebhook;
  state: "active" | "paused" | "disabled";
  input: WebhookInput;
  choices: Choices;
  update: Action<OfWebhook & WebhookInput, unknown>;
  rotate: Action<OfWebhook & { overlap: Overlap }, { secret: string }>;
  pause: Action<OfWebhook, unknown>;
  resume: Action<OfWebhook, unknown>;
  test: Action<OfWebhook, unknown>;
  remove: Action<OfWebhook, unknown>;
  listHref: string;
};

function EditWebhook({ webhook, choices, update, ...given }: Props) {
  const [input, setInput] = useState(given.input);
  return (
    <FormDialog
      title="Change this webhook"
      trigger={<Button>Change…</Button>}
      submit="Save"
      isIncomplete={input.eventTypes.length === 0}
      action={update}
      input={{ ...webhook, ...input }}
      done="The webhook is changed"
      onClosed={() => undefined}
    >
      <WebhookFields input={input} choices={choices} onInput={setInput} />
    </FormDialog>
  );
}

function RotateSecret({ webhook, rotate }: Props) {
  const [overlap, setOverlap] = useState<Overlap>("24h");
  return (
    <SecretDialog
      title="Replace the signing secret?"
      madeTitle="Store the new signing secret"
      trigger={<Button>Rotate secret…</Button>}
      submit="Replace secret"
      action={rotate}
      input={{ ...webhook, overlap }}
      variable="IMPRINT_WEBHOOK_SECRET"
      kept="it is kept sealed, to sign messages with"
      onClosed={() => {
        setOverlap("24h");
      }}
    >
      <Field label="Messages are also signed with the previous secret for">
        <NativeSelect
          value={overlap}
          onChange={({ currentTarget: { value } }) => {
            if (isOverlap(value)) setOverlap(value);
          }}
        >
          {OVERLAPS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
    </SecretDialog>
  );
}

/** All actions on a webhook. */
export function WebhookActions(props: Props) {
  const { webhook, state, pause, resume, test, remove, listHref } = props;
  return (
    <>
      {state === "active" ? (
        <>
          <Confirm
            trigger={<Button>Send a test…</Button>}
            title="Send a test event?"
            confirmLabel="Send"
            isSafe
            action={test}
            input={webhook}
            done="The test is on its way"
          >
            A message of the type <code className="font-mono text-xs">webhook.test</code> goes to this address. It
            appears below with the answer.
          </Confirm>
          <Confirm
            trigger={<Button>Pause…</Button>}
            title="Pause this webhook?"
            confirmLabel="Pause"
            isSafe
            action={pause}
            input={webhook}
            done="The webhook is paused"
          >
            Waiting messages are kept. Events until it is resumed are not sent.
          </Confirm>
        </>
      ) : (
        <Confirm
          trigger={<Button variant="primary">Resume…</Button>}
          title="Send to this webhook again?"
          confirmLabel="Resume"
          isSafe
          action={resume}
          input={webhook}
          done="The webhook is active"
        >
          Waiting messages are sent at once, in order.
        </Confirm>
      )}
      <EditWebhook key={JSON.stringify(props.input)} {...props} />
      <RotateSecret {...props} />
      <Confirm
        trigger={<Button variant="danger">Delete…</Button>}
        title="Delete this webhook?"
        confirmLabel="Delete webhook"
        action={remove}
        input={webhook}
        done="The webhook is deleted"
        next={listHref}
      >
        Its messages are deleted with it, waiting ones included. This cannot be undone.
      </Confirm>
    </>
  );
}
