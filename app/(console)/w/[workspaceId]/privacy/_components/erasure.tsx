"use client";

import { Download, Trash2 } from "lucide-react";
import { useState } from "react";

import { pageHref } from "@/components/shell/pages";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { idPattern } from "@/lib/contract/ids";
import type { ReadConsequences } from "@/components/shell/consequence-asked";
import type { Action } from "@/components/ui/action-result";
import { Confirm } from "@/components/ui/confirm";
import { downloadText } from "@/components/ui/download-text";
import { foreign } from "@/components/ui/foreign";
import { Refusal } from "@/components/ui/refusal";
import { useAction } from "@/components/ui/use-action";

type DeviceProps = {
  workspaceId: string;
  remove: Action<{ workspaceId: string; deviceId: string }, unknown>;
  readConsequences: ReadConsequences;
};

/** Exports or deletes the data of one device. */
export function DeviceErasure({ workspaceId, remove, readConsequences }: DeviceProps) {
  const [text, setText] = useState("");
  const { run, result, isPending } = useAction(readConsequences);
  const deviceId = text.trim();
  const isDevice = idPattern("device").test(deviceId);
  return (
    <div className="flex flex-col gap-3 p-4">
      <Field label="Device" hint="As a Report names it: dev_ and 32 characters">
        <Input
          className="font-mono text-xs"
          autoComplete="off"
          spellCheck={false}
          placeholder="dev_…"
          value={text}
          onText={setText}
        />
      </Field>
      <Refusal result={result} />
      <div className="flex flex-wrap gap-2">
        <Button
          isPending={isPending}
          disabled={!isDevice}
          onClick={() => {
            // Reports an unknown device instead of downloading an empty file.
            run({ what: "device", workspaceId, deviceId }, () => {
              location.assign(`${pageHref("privacy", { workspaceId })}/export?device=${deviceId}`);
            });
          }}
        >
          <Download aria-hidden />
          Save everything
        </Button>
        <Confirm
          trigger={
            <Button variant="danger" disabled={!isDevice}>
              <Trash2 aria-hidden />
              Delete the device
            </Button>
          }
          title="Delete this device for good?"
          confirmLabel="Delete for good"
          typed="delete"
          action={remove}
          input={{ workspaceId, deviceId }}
          done="The device is deleted"
          consequences={{ asked: { what: "device", workspaceId, deviceId }, read: readConsequences }}
        >
          Its visits, Reports, addresses, tokens and keys are deleted. If its browser returns, it is a new device.
          Report units stay counted.
        </Confirm>
      </div>
    </div>
  );
}

type OfAccount = { workspaceId: string; accountRef: string };
type AccountProps = {
  workspaceId: string;
  save: Action<OfAccount, { known: boolean }>;
  remove: Action<OfAccount, unknown>;
  readConsequences: ReadConsequences;
};

/** Exports or deletes the data of one account. Its reference is never part of an address. */
export function AccountErasure({ workspaceId, save, remove, readConsequences }: AccountProps) {
  const [text, setText] = useState("");
  const [unknown, setUnknown] = useState<string>();
  const { run, result, isPending } = useAction(save);
  const input = { workspaceId, accountRef: text.trim() };
  const isEmpty = input.accountRef === "";
  return (
    <div className="flex flex-col gap-3 p-4">
      <Field label="Account reference" hint="As your server sends it; only its hash is stored">
        <Input autoComplete="off" spellCheck={false} value={text} onText={setText} />
      </Field>
      <Refusal result={result} />
      {unknown !== undefined && unknown === input.accountRef ? (
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 wrap-anywhere text-susp">
          Nothing is stored under “{foreign(unknown)}”, and nothing was saved. Write it exactly as your server sends it,
          then you may answer that you hold nothing.
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          isPending={isPending}
          disabled={isEmpty}
          onClick={() => {
            run(input, (stored) => {
              setUnknown(stored.known ? undefined : input.accountRef);
              if (stored.known) downloadText("account.json", `${JSON.stringify(stored, undefined, 2)}\n`);
            });
          }}
        >
          <Download aria-hidden />
          Save everything
        </Button>
        <Confirm
          trigger={
            <Button variant="danger" disabled={isEmpty}>
              <Trash2 aria-hidden />
              Delete the account
            </Button>
          }
          title="Delete this account for good?"
          confirmLabel="Delete for good"
          typed="delete"
          action={remove}
          input={input}
          done="The account is deleted"
          consequences={{ asked: { what: "account", ...input }, read: readConsequences }}
        >
          It is removed from the Account Map with all its links. Devices and their visits stay; delete those by device.
        </Confirm>
      </div>
    </div>
  );
}
