"use client";

import { CheckList } from "@/components/ui/check-list";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { NamedCheckList } from "@/components/ui/named-check-list";

export type WebhookInput = {
  name: string;
  url: string;
  eventTypes: string[];
  webAppIds: string[];
  statuses: string[];
};
export type Choices = {
  events: readonly { value: string; label: string; note: string }[];
  /** Route that lists the Web Apps by name. */
  webAppsPath: string;
  statuses: readonly { value: string; label: string }[];
};

export const NO_INPUT: WebhookInput = {
  name: "",
  url: "",
  eventTypes: ["visit.recorded"],
  webAppIds: [],
  statuses: [],
};

type Props = { input: WebhookInput; choices: Choices; onInput: (input: WebhookInput) => void };

/** The events and the URL of a webhook. */
export function WebhookFields({ input, choices, onInput }: Props) {
  const set = (change: Partial<WebhookInput>) => {
    onInput({ ...input, ...change });
  };
  return (
    <>
      <Field label="Name">
        <Input
          required
          maxLength={80}
          value={input.name}
          onText={(name) => {
            set({ name });
          }}
        />
      </Field>
      <Field label="Address" hint="Your server's, over https. It answers 2xx within 15 seconds.">
        <Input
          required
          type="url"
          placeholder="https://shop.example/imprint-events"
          value={input.url}
          onText={(url) => {
            set({ url });
          }}
        />
      </Field>
      <CheckList
        label="Events"
        options={choices.events}
        chosen={input.eventTypes}
        onChoose={(eventTypes) => {
          set({ eventTypes });
        }}
      />
      {input.eventTypes.includes("visit.recorded") ? (
        <>
          <NamedCheckList
            label="Only visits of these Web Apps"
            hint="None stands for all."
            path={choices.webAppsPath}
            chosen={input.webAppIds}
            onChoose={(webAppIds) => {
              set({ webAppIds });
            }}
          />
          <CheckList
            label="Only visits of this risk status"
            hint="None stands for all."
            options={choices.statuses}
            chosen={input.statuses}
            onChoose={(statuses) => {
              set({ statuses });
            }}
          />
        </>
      ) : null}
    </>
  );
}
