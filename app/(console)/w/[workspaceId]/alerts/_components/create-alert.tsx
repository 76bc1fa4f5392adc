"use client";

import { Plus } from "lucide-react";
import { useState } from "react";

import type { Action } from "@/components/ui/action-result";
import { Button } from "@/components/ui/button";
import { CheckList } from "@/components/ui/check-list";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input, NativeSelect } from "@/components/ui/input";
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
  quietFrom?: string;
  quietTo?: string;
  zone: string;
};
type Props = {
  workspaceId: string;
  views: readonly Choice[];
  members: readonly Choice[];
  /** Who is told unless chosen otherwise. */
  self: readonly string[];
  zone: string;
  create: Action<Input, unknown>;
};

const THRESHOLDS: Record<Condition, number> = { number: 100, history: 200 };

const NOTHING = { name: "", condition: "number" as Condition, threshold: String(THRESHOLDS.number) };
const NO_TIMES: AlertChoice = { windowMinutes: 60, isQuiet: false, quietFrom: "22:00", quietTo: "07:00" };

/** A form that makes an alert of a saved view. */
export function CreateAlert({ workspaceId, views, members, self, zone, create }: Props) {
  const [viewId, setViewId] = useState(views[0]?.value ?? "");
  const [input, setInput] = useState(NOTHING);
  const [times, setTimes] = useState(NO_TIMES);
  const [mailTo, setMailTo] = useState<string[]>([...self]);
  const { name, condition, threshold } = input;
  const { isQuiet, quietFrom, quietTo, windowMinutes } = times;
  const isHistory = condition === "history";
  return (
    <FormDialog
      title="New alert"
      trigger={
        <Button variant="primary">
          <Plus aria-hidden />
          New alert
        </Button>
      }
      submit="Create alert"
      isIncomplete={viewId === "" || !/^\d+$/.test(threshold)}
      action={create}
      input={{
        ...{ workspaceId, viewId, name, condition, windowMinutes, mailTo, zone },
        threshold: Number(threshold),
        ...(isQuiet && { quietFrom, quietTo }),
      }}
      done="The alert is created"
      onClosed={() => {
        setInput(NOTHING);
        setTimes(NO_TIMES);
        setMailTo([...self]);
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
      <CheckList
        label="Told by mail"
        hint="Webhooks that listen to alert.raised are told as well."
        options={members}
        chosen={mailTo}
        onChoose={setMailTo}
      />
    </FormDialog>
  );
}
