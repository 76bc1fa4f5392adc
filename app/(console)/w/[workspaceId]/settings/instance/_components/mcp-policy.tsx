"use client";

import { useState } from "react";

import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/input";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { FormDialog } from "@/components/ui/form-dialog";

type SwitchProps = { isEnabled: boolean; setEnabled: Action<{ isEnabled: boolean }, unknown> };

/** Switches the MCP server of the instance on or off. */
export function McpSwitch({ isEnabled, setEnabled }: SwitchProps) {
  const label = isEnabled ? "Switch off" : "Switch on";
  return (
    <Confirm
      trigger={<Button size="sm">{label}…</Button>}
      title={isEnabled ? "Switch the MCP server off?" : "Switch the MCP server on?"}
      confirmLabel={label}
      isSafe={!isEnabled}
      action={setEnabled}
      input={{ isEnabled: !isEnabled }}
      done={isEnabled ? "The MCP server is off" : "The MCP server is on"}
    >
      {isEnabled
        ? "Within a second every connected client of every workspace is refused, and none can be connected. Connections stay, and work again when you switch it on."
        : "Connections that were made before work again, and people can connect clients."}
    </Confirm>
  );
}

const splitRules = (text: string): string[] => text.split(/[\s,]+/).filter((rule) => rule !== "");

type RulesProps = { rules: readonly string[]; save: Action<{ rules: string[] }, unknown> };

/** Form for the allowed redirect addresses of clients. */
export function ChangeRedirectRules({ rules, save }: RulesProps) {
  const current = rules.join("\n");
  const [text, setText] = useState(current);
  return (
    <FormDialog
      title="Where codes may be sent"
      trigger={<Button size="sm">Change…</Button>}
      submit="Save"
      isIncomplete={splitRules(text).join("\n") === current}
      action={save}
      input={{ rules: splitRules(text) }}
      done="Saved"
      onClosed={() => {
        setText(current);
      }}
    >
      <Field
        label="Approved addresses"
        optional
        hint="One a line: a host, a whole https address, the scheme of an application, or this-machine. Empty: wherever a client registers."
      >
        <Textarea
          rows={5}
          value={text}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={"claude.ai\nhttps://chatgpt.com/connector_platform_oauth_redirect\ncursor:\nthis-machine"}
          onText={setText}
        />
      </Field>
      <p className="text-fg-muted">
        Clients with other redirect addresses are refused from now on. Connected clients stay: revoke them under
        Connected clients.
      </p>
    </FormDialog>
  );
}
