"use client";

import { type ReactElement, useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input, NativeSelect } from "@/components/ui/input";
import { NamedCheckList } from "@/components/ui/named-check-list";
import { pageHref } from "@/components/shell/pages";
import { type AlertChoice, AlertTimes } from "./alert-times";

type Choice = { value: string; label: string };
type Condition = "number" | "history";
type Input = {
  workspaceId: string;
  viewId: string;
  name: string;
  condition: Condition;
  threshold: number;
  windowMinutes: number;
  mailTo: string[];
  quietFrom: string | null;
  quietTo: string | null;
  zone: string;
};
/** Initial values of the form. */
export type AlertValues = Omit<Input, "workspaceId">;

type Props = {
  values: AlertValues;
  workspaceId: string;
  views: readonly Choice[];
  title: string;
  trigger: ReactElement;
  submit: string;
  done: string;
  save: Action<Input, unknown>;
};

const THRESHOLDS: Record<Condition, number> = { number: 100, history: 200 };

const timesOf = ({ windowMinutes, quietFrom, quietTo }: AlertValues): AlertChoice => ({
  windowMinutes,
  isQuiet: quietFrom !== null,
  quietFrom: quietFrom ?? "22:00",
  quietTo: quietTo ?? "07:00",
});

/** Form for a new or existing alert. */
export function AlertForm({ values, workspaceId, views, save, ...dialog }: Props) {
  const { zone } = values;
  const [viewId, setViewId] = useState(values.viewId);
  const [input, setInput] = useState({ ...values, threshold: String(values.threshold) });
  const [times, setTimes] = useState(() => timesOf(values));
  const [mailTo, setMailTo] = useState<string[]>(values.mailTo);
  const { name, condition, threshold } = input;
  const { isQuiet, quietFrom, quietTo, windowMinutes } = times;
  const isHistory = condition === "history";
  return (
    <FormDialog
      {...dialog}
      isIncomplete={viewId === "" || !/^\d+$/.test(threshold)}
      action={save}
      input={{
        ...{ workspaceId, viewId, name, condition, windowMinutes, mailTo, zone },
        threshold: Number(threshold),
        quietFrom: isQuiet ? quietFrom : null,
        quietTo: isQuiet ? quietTo : null,
      }}
      onClosed={() => {
        setViewId(values.viewId);
        setInput({ ...values, threshold: String(values.threshold) });
        setTimes(timesOf(values));
        setMailTo(values.mailTo);
      }}
    >
      <Field label="Name">
        <Input
          required
          maxLength={80}
          value={name}
          onText={(text) => {
            setInput({ ...input, name: text });
          }}
        />
      </Field>
      <Field label="Saved view" hint="Its filters; the alert counts over its own time.">
        <NativeSelect
          value={viewId}
          onChange={(event) => {
            setViewId(event.currentTarget.value);
          }}
        >
          {views.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field label="When its visits are more than">
        <NativeSelect
          value={condition}
          onChange={(event) => {
            const chosen = event.currentTarget.value === "history" ? "history" : "number";
            setInput({ ...input, condition: chosen, threshold: String(THRESHOLDS[chosen]) });
          }}
        >
          <option value="number">a number</option>
          <option value="history">the same hours of the last four weeks</option>
        </NativeSelect>
      </Field>
      <Field label={isHistory ? "Per cent of them" : "Number of visits"}>
        <Input
          required
          type="number"
          min={isHistory ? 110 : 0}
          value={threshold}
          onText={(text) => {
            setInput({ ...input, threshold: text });
          }}
        />
      </Field>
      <AlertTimes times={times} zone={zone} onTimes={setTimes} />
      <NamedCheckList
        label="Notified by e-mail"
        hint="Webhooks that listen to alert.raised are notified as well."
        path={`${pageHref("members", { workspaceId })}/names`}
        chosen={mailTo}
        onChoose={setMailTo}
      />
    </FormDialog>
  );
}
